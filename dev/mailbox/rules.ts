/**
 * The emails that Cloudflare Email Service rejects, with the error codes. The local mailbox rejects the same emails.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/#error-codes
 */

/** The domain that is set up for sending, which the local site uses. */
export const verifiedDomain = 'firm.example';

/** How many emails may be sent per day. Cloudflare allows a new account fewer, and does not say how many. */
export const dailyLimit = 10_000;

/** The argument of `send()`. A sender with a name is an object. */
export interface Message {
  readonly to: string;
  readonly from: string | { readonly email: string; readonly name: string };
  readonly replyTo?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const address = /^[^\s@]+@[^\s@]+$/;

/** The headers that the service lets senders set and that this site may need. */
const allowedHeaders = /^(List-Unsubscribe|List-Unsubscribe-Post|X-.+)$/i;

const senderOf = ({ from }: Message): string => (typeof from === 'string' ? from : from.email);

/**
 * Why a message is rejected; undefined if it is accepted.
 * @param sentToday how many emails were sent today
 */
export function refusalOf(
  message: Message,
  sentToday: number,
): { readonly code: string; readonly said: string } | undefined {
  const { to, replyTo, headers, subject, text, html } = message;
  const sender = senderOf(message);
  // Emails to this domain bounce, so that tests can see what happens to an undeliverable email.
  if (to.endsWith('@bounce.invalid'))
    return { code: 'E_RECIPIENT_SUPPRESSED', said: 'this recipient does not accept email' };
  if (![to, sender, replyTo ?? sender].every((one) => address.test(one)))
    return { code: 'E_VALIDATION_ERROR', said: '"to", "from" and "replyTo" must be addresses' };
  if (!sender.endsWith(`@${verifiedDomain}`))
    return { code: 'E_SENDER_NOT_VERIFIED', said: `only ${verifiedDomain} is set up for sending` };
  const strange = Object.keys(headers ?? {}).find((name) => !allowedHeaders.test(name));
  if (strange !== undefined) return { code: 'E_HEADER_NOT_ALLOWED', said: `"${strange}" cannot be set` };
  if (!subject || (!text && !html))
    return { code: 'E_FIELD_MISSING', said: 'an email needs a subject and a body' };
  if (sentToday >= dailyLimit)
    return { code: 'E_DAILY_LIMIT_EXCEEDED', said: `${String(dailyLimit)} emails went out today` };
  return undefined;
}
