import { expect, test } from 'vitest';
import type { ConversationMessage } from '#contract/conversations.calls.ts';
import { firstShown, joinMessages, seenTo, type Part } from './join-messages.ts';

const message = (sequence: number): ConversationMessage => ({
  _id: String(sequence),
  sequence,
  side: 'customer',
  by: '',
  kind: 'message',
  text: String(sequence),
  quoted: '',
  at: '2026-01-01T00:00:00.000Z',
  files: [],
});
const part = (first: number, last: number): Part => ({
  messages: Array.from({ length: last - first + 1 }, (_, place) => message(first + place)),
  hasEarlier: first > 1,
});

test('Newer and earlier messages are merged with the messages on the screen', () => {
  expect(joinMessages(part(11, 60), part(13, 62))).toEqual(part(11, 62));
  expect(joinMessages(part(1, 10), part(11, 62))).toEqual(part(1, 62));
  expect(joinMessages(part(1, 62), part(13, 62))).toEqual(part(1, 62));
  expect(joinMessages({ messages: [], hasEarlier: false }, part(1, 1))).toEqual(part(1, 1));
});

test('A reader never sees a gap if more messages arrived than one response contains', () => {
  expect(joinMessages(part(1, 60), part(62, 111))).toEqual(part(62, 111));
  expect(joinMessages(part(1, 61), part(62, 111))).toEqual(part(1, 111));
});

test('A long conversation begins with its last ten messages, or earlier with the first new one', () => {
  const { messages } = part(13, 62);
  expect(firstShown({ messages, side: 'customer', readTo: 0 })).toBe(53);
  expect(firstShown({ messages, side: 'staff', readTo: 62 })).toBe(53);
  expect(firstShown({ messages, side: 'staff', readTo: 40 })).toBe(41);
  expect(firstShown({ messages: [], side: 'staff', readTo: 0 })).toBe(0);
});

test('Deleted messages disappear from the screen', () => {
  expect(joinMessages(part(11, 60), { messages: [], hasEarlier: false }).messages).toEqual([]);
  expect(joinMessages(part(11, 60), part(1, 2))).toEqual(part(1, 2));
});

test('Messages count as read once all unread messages are on the screen', () => {
  const reader = { side: 'staff', readTo: 3 } as const;
  expect(seenTo(part(4, 60), { ...reader, unread: 57 })).toBe(60);
  expect(seenTo(part(11, 60), { ...reader, unread: 57 })).toBeUndefined();
  // The reader's own earlier messages are not unread.
  expect(seenTo(part(11, 60), { ...reader, unread: 50 })).toBe(60);
});
