/** Parses an incoming email: sender, text and files. */
import PostalMime, { addressParser, type Attachment } from 'postal-mime';
import { normalizeEmail } from '#contract/account-rules.ts';
import { counted } from '#contract/counted.ts';
import { withoutHidden } from '#contract/field-problems.ts';
import { hashSecret } from '../http/secrets.ts';
import { htmlToText } from './html-text.ts';
import { splitQuoted } from './quoted-text.ts';

/** The maximum size of an email, in bytes. The Worker keeps it in memory. Cloudflare itself accepts 25 MiB. */
export const maxMailBytes = 15 * 1024 * 1024;

/**
 * How many characters of an email's text we read. A longer answer is rejected, and a longer quotation is cut anyway.
 */
const maxTextLength = 1_000_000;

/** The maximum length of the quoted text, in characters. The sender has the full text. */
const maxQuotedLength = 20_000;

export interface MailFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface IncomingMail {
  /** The address in `From`, normalized by `normalizeEmail`; empty unless there is exactly one. */
  readonly from: string;
  readonly text: string;
  /** The quoted text and the signature. */
  readonly quoted: string;
  readonly files: readonly MailFile[];
  /** The same each time the email is delivered. */
  readonly key: string;
}

/**
 * Whether a program sent an email: an automatic reply, a mailing list or a bounce. Answering such an email, or treating
 * it as an answer, can start a loop (RFC 3834).
 * @param sender the envelope's sender, which is empty for a bounce
 */
export function isAutomatic(headers: Headers, sender: string): boolean {
  const submitted = headers.get('Auto-Submitted')?.trim().toLowerCase() ?? 'no';
  return (
    sender === '' ||
    sender === '<>' ||
    /^(?:mailer-daemon|postmaster)@/i.test(sender) ||
    !/^no\b/.test(submitted) ||
    /^\s*(?:bulk|junk|list|auto_reply)\b/i.test(headers.get('Precedence') ?? '') ||
    ['List-Id', 'List-Unsubscribe', 'List-Post', 'X-Autoreply', 'X-Autorespond'].some((name) =>
      headers.has(name),
    )
  );
}

/** The address in `From`, like `IncomingMail.from`, before the email is parsed. */
export function senderIn(headers: Headers): string {
  const [sender, ...others] = addressParser(headers.get('From') ?? '');
  return others.length === 0 ? normalizeEmail(sender?.address ?? '') : '';
}

/** A picture inside the HTML, such as a logo in a signature. */
const isPartOfText = ({ related, contentId, disposition }: Attachment): boolean =>
  related === true || (contentId !== undefined && disposition !== 'attachment');

const fileOf = ({ filename, content }: Attachment, index: number): MailFile => ({
  name: filename ?? `file-${index + 1}`,
  bytes: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
});

const picturesText = (count: number) =>
  count === 0 ? '' : `\n\n[${counted(count, 'picture')} of the signature or the quoted text]`;

/**
 * @param raw at most `maxMailBytes`
 * @throws if it is not an email, or is nested too deeply
 */
export async function readMail(raw: Uint8Array<ArrayBuffer>): Promise<IncomingMail> {
  const mail = await PostalMime.parse(raw, {
    forceRfc822Attachments: true,
    maxNestingDepth: 20,
    maxHeadersSize: 256 * 1024,
  });
  const isSingle = mail.headers.filter(({ key }) => key === 'from').length === 1;
  const written = mail.text?.trim() ? mail.text : htmlToText(mail.html ?? '');
  const { text, quoted } = splitQuoted(withoutHidden(written.slice(0, maxTextLength)));
  const pictures = mail.attachments.filter(isPartOfText).length;
  return {
    from: isSingle ? normalizeEmail(mail.from?.address ?? '') : '',
    text,
    quoted: `${quoted}${picturesText(pictures)}`.trim().slice(0, maxQuotedLength),
    files: mail.attachments.filter((attachment) => !isPartOfText(attachment)).map(fileOf),
    key: hashSecret(`mail\n${mail.messageId ?? ''}\n${mail.messageId ? '' : new TextDecoder().decode(raw)}`),
  };
}
