/** The answer to a message, begun in the reader's own mail program. */
import { wellFormed } from '#contract/field-problems.ts';
import type { Message } from '#contract/inbox.calls.ts';
import { mailtoHref } from '#site/ui/safe-link.tsx';

/** Mail programs and Windows cut off longer addresses (about 2,000 characters, most of which the encoding takes). */
const quotedLength = 500;

/** `mailto:` with the subject and the message quoted below the place for the answer (RFC 6068). */
export function replyHref({
  name,
  email,
  subject,
  message,
}: Pick<Message, 'name' | 'email' | 'subject' | 'message'>): string {
  const text = message.length <= quotedLength ? message : `${message.slice(0, quotedLength)} …`;
  const quoted = text.split(/\r?\n/).map((line) => `> ${line}`);
  // Half a character at the cut cannot be encoded.
  const body = wellFormed(['', '', `${name} wrote:`, ...quoted].join('\r\n'));
  return `${mailtoHref(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}&body=${encodeURIComponent(body)}`;
}
