/**
 * Cloudflare Email Service, through its binding.
 * https://developers.cloudflare.com/email-service/api/send-emails/workers-api/, with the headers of
 * https://developers.cloudflare.com/email-service/reference/headers/
 */
import type { EmailBinding } from '../env.ts';
import { MailError, type MailFate, type Transport } from './mail-service.ts';

/**
 * What to do with an email after each error code listed on the page above. Other errors may be temporary. A sender that
 * is not set up (`E_SENDER_…`) affects every email, so all emails wait until someone sets it up.
 */
const fates: Readonly<Record<string, MailFate>> = {
  E_VALIDATION_ERROR: 'refused',
  E_FIELD_MISSING: 'refused',
  E_TOO_MANY_RECIPIENTS: 'refused',
  E_RECIPIENT_NOT_ALLOWED: 'refused',
  E_RECIPIENT_SUPPRESSED: 'refused',
  E_CONTENT_TOO_LARGE: 'refused',
  E_HEADER_NOT_ALLOWED: 'refused',
  E_HEADER_USE_API_FIELD: 'refused',
  E_HEADER_VALUE_INVALID: 'refused',
  E_HEADER_VALUE_TOO_LONG: 'refused',
  E_HEADER_NAME_INVALID: 'refused',
  E_HEADERS_TOO_LARGE: 'refused',
  E_HEADERS_TOO_MANY: 'refused',
  E_RATE_LIMIT_EXCEEDED: 'exhausted',
  E_DAILY_LIMIT_EXCEEDED: 'exhausted',
};

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^E_[A-Z_]+$/.test(error.code)
    ? error.code
    : undefined;

export const emailService =
  (binding: EmailBinding): Transport =>
  async ({ from: { email, name }, to, replyTo, headers, subject, text, html }) => {
    try {
      const from = name === undefined ? email : { email, name };
      await binding.send({
        to,
        from,
        ...(replyTo !== undefined && { replyTo }),
        ...(headers && { headers }),
        subject,
        text,
        html,
      });
    } catch (error) {
      const code = codeOf(error);
      throw code === undefined ? error : new MailError(code, fates[code] ?? 'failed');
    }
  };
