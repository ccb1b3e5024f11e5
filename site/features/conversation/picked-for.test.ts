import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrderFile } from '#contract/conversations.calls.ts';
import { forgetTyped } from '#site/app/use-session-fields.ts';
import { filesFor, forgetFiles, formOf, rememberFile } from './picked-for.ts';

const file = (id: string): OrderFile => ({ _id: id, name: `${id}.txt`, type: 'text/plain', bytes: 5 });

/** The parts of a tab's storage that the code uses. As in a browser, the stored keys are its own properties. */
class Storage {
  [key: string]: unknown;
  getItem(key: string) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    Reflect.deleteProperty(this, key);
  }
}

beforeEach(() => void vi.stubGlobal('sessionStorage', new Storage()));
afterEach(() => void vi.unstubAllGlobals());

test('A picked file comes back in the form that it was picked for, and in no other form or order', () => {
  rememberFile('order', 'delivery', file('b'));
  rememberFile('order', 'message', file('c'));
  rememberFile('other', 'delivery', file('d'));
  rememberFile('order', 'delivery', file('a'));
  expect(filesFor('order', 'delivery')).toEqual([file('a'), file('b')]);
  expect(filesFor('order', 'message')).toEqual([file('c')]);
  expect(formOf('b')).toBe('delivery');
  expect(formOf('from-elsewhere')).toBeUndefined();
});

test('A picked file does not come back after it is sent or its sender signs out', () => {
  for (const id of ['a', 'b', 'c']) rememberFile('order', 'message', file(id));
  forgetFiles(['b']);
  expect(filesFor('order', 'message')).toEqual([file('a'), file('c')]);
  forgetTyped();
  expect(filesFor('order', 'message')).toEqual([]);
});
