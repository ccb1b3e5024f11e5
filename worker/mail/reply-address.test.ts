import { expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import { readReplyAddress, replyAddress } from './reply-address.ts';

const env = { REPLY_ADDRESS: 'reply@firm.example', SEALING_KEYS: 'new-key,old-key' };
const about = { kind: 'order', id: newId() } as const;
const addressOf = (settings: Partial<typeof env> = {}) =>
  replyAddress({ ...env, ...settings }, { ...about, email: 'Ann@People.example' }) ?? '';

test('An answer is recognized by its address, in any case, and with an earlier key', () => {
  const address = addressOf();
  expect(address).toMatch(/^reply\+[a-z0-9]+@firm\.example$/);
  expect(address.split('@')[0]?.length).toBeLessThanOrEqual(64);
  expect(readReplyAddress(env, address, 'ann@people.example')).toEqual(about);
  expect(readReplyAddress(env, address.toUpperCase(), 'ANN@people.example')).toEqual(about);
  expect(readReplyAddress(env, addressOf({ SEALING_KEYS: 'old-key' }), 'ann@people.example')).toEqual(about);
});

test('An address is invalid for another sender, for another conversation, or with another key', () => {
  const address = addressOf();
  expect(readReplyAddress(env, address, 'bob@people.example')).toBeUndefined();
  expect(readReplyAddress(env, address.replace('+o', '+m'), 'ann@people.example')).toBeUndefined();
  expect(readReplyAddress({ SEALING_KEYS: 'other' }, address, 'ann@people.example')).toBeUndefined();
  for (const to of ['reply@firm.example', 'reply+o1@firm.example', `${address.slice(0, 20)}@firm.example`])
    expect(readReplyAddress(env, to, 'ann@people.example'), to).toBeUndefined();
});

test('A site that does not receive email has no such address', () => {
  expect(replyAddress({ SEALING_KEYS: 'key' }, { ...about, email: 'ann@people.example' })).toBeUndefined();
});
