import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeError } from './log.ts';

test('The log names an error and where it happened, and contains nothing from the request', () => {
  const typed = ['zephyrine@site.example', 'Zephyrine\n    at home (1 Zephyrine Street)\n    at zephyrines'];
  const cause = Object.assign(new Error('zephyrine@site.example is away'), { code: 'SERVER_ERROR' });
  for (const error of [
    new DrizzleQueryError('select ? from "accounts"', typed, cause),
    new Error(typed.join('\n')),
    new TypeError(typed[1]),
  ]) {
    const { at = '', ...told } = describeError(error);
    expect(told.error).toBe(error.name);
    expect(at).toMatch(/^at .*log\.test\.ts/);
    expect(at).not.toMatch(/zephyrine| at home/i);
  }
});

test('A thrown value that is not an error is logged as its type', () => {
  expect(describeError('zephyrine@site.example')).toEqual({ error: 'string', at: undefined });
});
