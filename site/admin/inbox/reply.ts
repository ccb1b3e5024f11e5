/** Starts a reply in the user's own mail program. */
import { wellFormed } from '#contract/field-problems.ts';
import type { Message } from '#contract/inbox.calls.ts';
import { mailtoHref } from '#site/ui/safe-link.tsx';

/** Mail programs and Windows cut off longer URLs (about 2,000 characters, and encoding takes up most of them). */
const quotedLength = 500;

/** A `mailto:` URL (RFC 6068) with the subject and the quoted message, and room for the answer above it. */
export function replyHref({
  name,
  email,
  subject,
  message,
}: Pick<Message, 'name' | 'email' | 'subject' | 'message'>): string {
  const text = message.length <= quotedLength ? message : `${message.slice(0, quotedLength)} …`;
  const quoted = text.split(/\r?\n/).map((line) => `> ${line}`);
  // Cutting can split a surrogate pair, which then cannot be encoded.
  const body = wellFormed(['', '', `${name} wrote:`, ...quoted].join('\r\n'));
  return `${mailtoHref(email)}?subject=${encodeURIComponent(`Re: ${subject}`)}&body=${encodeURIComponent(body)}`;
}
