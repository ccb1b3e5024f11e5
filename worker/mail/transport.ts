/**
 * The seam to the service that delivers mail: each transport takes one mail and says, in the same three words, what
 * became of one that was not taken.
 */
import type { Env } from '../env.ts';
import { senderIn } from '../settings.ts';
import { emailService } from './email-service.ts';
import { resend } from './resend.ts';

export interface OutgoingMail {
  /** The mail's id in the outbox: a service that knows it again sends the mail once. */
  readonly id: string;
  readonly from: { readonly email: string; readonly name?: string };
  readonly to: string;
  /** Where an answer goes, if not to the sender. */
  readonly replyTo?: string | undefined;
  /** Further headers by their names. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @throws MailError when the service says why it does not take the mail; anything else when it cannot be asked */
export type Transport = (mail: OutgoingMail) => Promise<void>;

/** The transport that the settings name. */
export function openTransport(
  env: Pick<Env, 'EMAIL' | 'MAIL_TRANSPORT' | 'RESEND_API_KEY' | 'RESEND_API_URL'>,
): Transport {
  return env.MAIL_TRANSPORT === 'resend'
    ? resend({ apiKey: env.RESEND_API_KEY ?? '', apiUrl: env.RESEND_API_URL })
    : emailService(env.EMAIL);
}

/** The firm's name as mails show it: the sender's, or where it has none the host of the site. */
export const firmNameOf = (env: Pick<Env, 'MAIL_FROM' | 'SITE_URL'>): string =>
  senderOf(env).name ?? new URL(env.SITE_URL).hostname;

/** Who mails come from. */
export const senderOf = (env: Pick<Env, 'MAIL_FROM'>): OutgoingMail['from'] =>
  senderIn(env.MAIL_FROM) ?? { email: env.MAIL_FROM };
