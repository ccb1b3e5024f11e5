/**
 * The interface to the services that deliver mail: each transport sends one mail, and reports a refusal in the same
 * three terms.
 */
import { parseUrl } from '#contract/parse-url.ts';
import type { Env } from '../env.ts';
import { senderIn } from '../settings.ts';
import { emailService } from './email-service.ts';
import { resend } from './resend.ts';

export interface OutgoingMail {
  /** The mail's id in the outbox, by which a service recognizes a repeated mail and sends it once. */
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

/**
 * @throws MailError when the service says why it does not accept the mail; any other error when it cannot be reached
 */
export type Transport = (mail: OutgoingMail) => Promise<void>;

/** An address as every mail service takes it: a domain in another script is written in ASCII (RFC 5891), as URLs write it. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (/^[!-~]*$/.test(domain)) return address;
  return address.slice(0, at) + (parseUrl(`http://${domain}`)?.hostname ?? domain);
}

/** The transport that the settings name. */
export function openTransport(
  env: Pick<Env, 'EMAIL' | 'MAIL_TRANSPORT' | 'RESEND_API_KEY' | 'RESEND_API_URL'>,
): Transport {
  const send =
    env.MAIL_TRANSPORT === 'resend'
      ? resend({ apiKey: env.RESEND_API_KEY ?? '', apiUrl: env.RESEND_API_URL })
      : emailService(env.EMAIL);
  return ({ to, replyTo, ...mail }) =>
    send({
      ...mail,
      to: asciiAddress(to),
      replyTo: replyTo === undefined ? undefined : asciiAddress(replyTo),
    });
}

/** The firm's name as mails show it: the sender's, or where it has none the host of the site. */
export const firmNameOf = (env: Pick<Env, 'MAIL_FROM' | 'SITE_URL'>): string =>
  senderOf(env).name ?? new URL(env.SITE_URL).hostname;

/** Who mails come from. */
export const senderOf = (env: Pick<Env, 'MAIL_FROM'>): OutgoingMail['from'] =>
  senderIn(env.MAIL_FROM) ?? { email: env.MAIL_FROM };
