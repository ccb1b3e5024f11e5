/** Joins parts of a conversation that were loaded at different times. */
import type { Conversation, ConversationMessage } from '#contract/conversations.calls.ts';

export type Part = Pick<Conversation, 'messages' | 'hasEarlier'>;
type Reader = Pick<Conversation, 'side' | 'readTo'>;

export const isNewIn =
  ({ side, readTo }: Reader) =>
  (message: ConversationMessage): boolean =>
    message.side !== side && message.sequence > readTo;

/** How many messages are shown at first, unless more are new. */
const latest = 10;

/** The number of the first message that is shown before the user asks for earlier ones. */
export function firstShown({ messages, ...reader }: Reader & Pick<Part, 'messages'>): number {
  const isNew = isNewIn(reader);
  const first = messages.find((message, index) => index >= messages.length - latest || isNew(message));
  return first?.sequence ?? 0;
}

/**
 * Joins two parts without duplicates. If messages between them may be missing, drops the older part, so that it loads
 * again.
 */
export function joinMessages(older: Part, newer: Part): Part {
  const first = newer.messages[0]?.sequence ?? 0;
  const before = older.messages.filter(({ sequence }) => sequence < first);
  const last = older.messages.at(-1)?.sequence ?? 0;
  if (before.length === 0 || (last < first - 1 && newer.hasEarlier)) return newer;
  return { messages: [...before, ...newer.messages], hasEarlier: older.hasEarlier };
}

/** The number of a part's last message; undefined if there are unread messages before the part. */
export function seenTo(
  { messages }: Part,
  { unread, ...reader }: Reader & Pick<Conversation, 'unread'>,
): number | undefined {
  const shown = messages.filter(isNewIn(reader));
  return shown.length < unread ? undefined : messages.at(-1)?.sequence;
}
