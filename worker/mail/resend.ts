/** Resend, through its HTTP API. https://resend.com/docs/api-reference/emails/send-email */
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { MailError, type MailFate, type Transport } from './mail-service.ts';

/** The timeout of a request, in ms. It is shorter than a sender's claim on an email. */
const answerLimitMs = 20_000;

/**
 * The idempotency key of an email, which Resend remembers for 24 hours
 * (https://resend.com/docs/dashboard/emails/idempotency-keys). Resend rejects the same key with a different body (409),
 * and the body changes if the firm's logo or name changes between two attempts. The key therefore covers the body. If the
 * body changes and the response to the first attempt was lost, the email arrives twice. Otherwise it would arrive a day
 * late.
 */
const keyOf = (id: string, body: string): string =>
  `${id}/${createHash('sha256').update(body).digest('base64url')}`;

/** A name before an address, quoted if it contains special characters (RFC 5322, section 3.2.4). */
const displayName = (name: string): string =>
  /^[\p{L}\p{N} .&'-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`;

/** An error response of Resend. https://resend.com/docs/api-reference/errors */
const problem = z.object({ name: z.string().regex(/^[a-z_]+$/i) });

/**
 * What to do with an email after an error. 429 is a quota or a rate limit. 400, 422 and 451 mean that the email is
 * invalid. Other errors concern the key, the domain or Resend itself, so the email waits.
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
      from: name === undefined ? email : `${displayName(name)} <${email}>`,
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
