/** What the log tells of an error that nobody expected. */
import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeError } from './log.ts';

test('An error is told by its name and where it happened, without a word of what was asked', () => {
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

test('What is thrown and is no error is told by its type alone', () => {
  expect(describeError('zephyrine@site.example')).toEqual({ error: 'string', at: undefined });
});
