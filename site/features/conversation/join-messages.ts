/** Joins parts of a conversation that were loaded at different times. */
import type { Conversation } from '#contract/conversations.calls.ts';

export type Part = Pick<Conversation, 'messages' | 'hasEarlier'>;

/** Joins two parts without duplicates. If messages between them may be missing, the older one is loaded again. */
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
  { side, readTo, unread }: Pick<Conversation, 'side' | 'readTo' | 'unread'>,
): number | undefined {
  const shown = messages.filter((message) => message.side !== side && message.sequence > readTo);
  return shown.length < unread ? undefined : messages.at(-1)?.sequence;
}
