/**
 * Answers to emails in the local mailbox. An answer is written as an email and passed to the Worker's `email` handler,
 * like Cloudflare Email Routing does.
 */
import type { MailDelivery } from '#worker/incoming-mail.ts';

type Handler = (delivery: ForwardableEmailMessage) => Promise<void>;

/** An answer that somebody wrote in the mailbox. */
export interface Reply {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The quoted text of the email. */
  readonly quoted: string;
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
}

const base64 = (bytes: Uint8Array): string =>
  (btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).match(/.{1,76}/g) ?? []).join(
    '\r\n',
  );

const utf8 = (text: string) => base64(new TextEncoder().encode(text));

const part = (type: string, content: string, disposition = '') =>
  [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    ...(disposition ? [`Content-Disposition: ${disposition}`] : []),
    '',
    content,
  ].join('\r\n');

/** An email in the Internet Message Format (RFC 5322, RFC 2045). */
export function writeRawMail({ from, to, subject, text, quoted, files }: Reply): string {
  const boundary = `part-${crypto.randomUUID()}`;
  const quotation = `On ${new Date().toUTCString()} the site wrote:\n${quoted.trim().replace(/^/gm, '> ')}`;
  const parts = [
    part('text/plain; charset=utf-8', utf8(`${text}\n\n${quotation}\n`)),
    ...files.map(({ name, bytes }) =>
      part(
        'application/octet-stream',
        base64(bytes),
        `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      ),
    ),
  ];
  return [
    `From: <${from}>`,
    `To: <${to}>`,
    `Subject: =?utf-8?B?${utf8(subject).replaceAll('\r\n', '')}?=`,
    `Message-ID: <${crypto.randomUUID()}@mailbox.example>`,
    `Date: ${new Date().toUTCString()}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    '',
    ...parts.map((one) => `--${boundary}\r\n${one}`),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}

function headersOf(raw: string): Headers {
  const [head = ''] = raw.split(/\r?\n\r?\n/, 1);
  const headers = new Headers();
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

/**
 * Delivers a raw email to the Worker.
 * @returns why the Worker refused it; null if the Worker accepted it
 */
export async function deliverRawMail(
  handler: Handler,
  { from, to, raw }: { readonly from: string; readonly to: string; readonly raw: string },
): Promise<string | null> {
  let refusal: string | null = null;
  const bytes = new TextEncoder().encode(raw);
  const delivery: MailDelivery = {
    from,
    to,
    headers: headersOf(raw),
    raw: new Blob([bytes]).stream(),
    rawSize: bytes.byteLength,
    setReject(reason) {
      refusal = reason;
    },
  };
  await handler(delivery as ForwardableEmailMessage);
  return refusal;
}
