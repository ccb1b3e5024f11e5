/** Chooses the service that delivers emails, and the sender. */
import { asciiAddress } from '#contract/account-rules.ts';
import type { Env } from '../env.ts';
import { senderIn } from '../settings.ts';
import { emailService } from './email-service.ts';
import type { OutgoingMail, Transport } from './mail-service.ts';
import { resend } from './resend.ts';

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

/** The sender of every email: the address in the settings, with the name of the firm. */
export const senderOf = (
  env: Pick<Env, 'MAIL_FROM'>,
  { name }: { readonly name: string },
): OutgoingMail['from'] => ({ email: senderIn(env.MAIL_FROM)?.email ?? env.MAIL_FROM, name });
