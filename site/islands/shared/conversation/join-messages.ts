/** Parts of a conversation that were read at different times, as one. */
import type { Conversation } from '#contract/conversations.ts';

export type Part = Pick<Conversation, 'messages' | 'hasEarlier'>;

/**
 * Puts what was read before ahead of a part that is newer: each message once, by its place. Where messages lie between the two that
 * nobody has read, the older part is left out, to be asked for again: none is missing in the middle unnoticed.
 */
export function joinMessages(older: Part, newer: Part): Part {
  const first = newer.messages[0]?.sequence ?? 0;
  const before = older.messages.filter(({ sequence }) => sequence < first);
  const last = older.messages.at(-1)?.sequence ?? 0;
  if (before.length === 0 || (last < first - 1 && newer.hasEarlier)) return newer;
  return { messages: [...before, ...newer.messages], hasEarlier: older.hasEarlier };
}

/**
 * How far a part of a conversation shows all that is unread: the place of its last message. Undefined while some of that lies before it,
 * which its reader has yet to ask for.
 */
export function seenTo(
  { messages }: Part,
  { side, readTo, unread }: Pick<Conversation, 'side' | 'readTo' | 'unread'>,
): number | undefined {
  const shown = messages.filter((message) => message.side !== side && message.sequence > readTo);
  return shown.length < unread ? undefined : messages.at(-1)?.sequence;
}
