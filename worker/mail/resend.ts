/** Resend, by its HTTP API. https://resend.com/docs/api-reference/emails/send-email */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { MailError, type MailFate } from './mail-error.ts';
import type { Transport } from './outgoing-mail.ts';

/** How long one request may take, in ms; less than a sender may hold a mail. */
const answerLimitMs = 20_000;

/**
 * The key by which Resend recognizes a repeated request, for 24 hours (https://resend.com/docs/dashboard/emails/idempotency-keys).
 * It covers the body: one key with another body is refused (409), and a body changes where the firm's logo or name does
 * between two tries of a mail. If the answer to the first was lost as well, the mail comes twice rather than a day late.
 */
const keyOf = (id: string, body: string): string =>
  `${id}/${createHash('sha256').update(body).digest('base64url')}`;

/** What Resend says went wrong. https://resend.com/docs/api-reference/errors */
const problem = z.object({ name: z.string().regex(/^[a-z_]+$/i) });

/**
 * What follows from an answer. 429 is a quota or a rate limit; 400, 422 and 451 mean that this mail is wrong. Anything
 * else concerns the key, the domain or Resend itself, so the mail keeps waiting.
 */
function fateOf(status: number, name: string): MailFate {
  if (status === 429) return 'exhausted';
  const isAboutMail = status === 400 || status === 422 || status === 451;
  return isAboutMail && name !== 'invalid_from_address' ? 'refused' : 'failed';
}

export const resend =
  ({
    apiKey,
    apiUrl = 'https://api.resend.com',
  }: {
    apiKey: string;
    apiUrl?: string | undefined;
  }): Transport =>
  async ({ id, from: { email, name }, to, replyTo, headers, subject, text, html }) => {
    const body = JSON.stringify({
      from: name === undefined ? email : `${name} <${email}>`,
      to: [to],
      ...(replyTo !== undefined && { reply_to: replyTo }),
      ...(headers && { headers }),
      subject,
      text,
      html,
    });
    const answer = await fetch(`${apiUrl}/emails`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        // A mail whose answer was lost is not sent twice.
        'Idempotency-Key': keyOf(id, body),
        // Resend requires a User-Agent, and a Worker sends none by default.
        'User-Agent': 'storefront',
      },
      body,
      signal: AbortSignal.timeout(answerLimitMs),
    });
    if (answer.ok) return;
    const { data } = problem.safeParse(await answer.json().catch(() => undefined));
    const said = data?.name ?? '';
    throw new MailError(`${answer.status}${said && ` ${said}`}`, fateOf(answer.status, said));
  };
