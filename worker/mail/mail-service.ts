/** The interface to the services that deliver email: what a service gets, and how it fails. */

export interface OutgoingMail {
  /** The email's id in the outbox. A service uses it to recognize a repeated email and send it only once. */
  readonly id: string;
  readonly from: { readonly email: string; readonly name?: string };
  readonly to: string;
  /** Where answers go, if not to the sender. */
  readonly replyTo?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** @throws MailError if the service says why it rejects the email; any other error if the service cannot be reached */
export type Transport = (mail: OutgoingMail) => Promise<void>;

/**
 * - `refused`: the service will never accept this email, so a person must decide.
 * - `exhausted`: the service accepts no emails for now, because a quota is used up.
 * - `failed`: the next attempt may succeed.
 */
export type MailFate = 'refused' | 'exhausted' | 'failed';

/** Explanations of error codes, as sentences for the list of unsent emails. */
const explanations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    E_RECIPIENT_SUPPRESSED: 'The address has bounced our emails, or reported them as spam.',
    E_RECIPIENT_NOT_ALLOWED: 'The email service may not send to this address.',
    E_SENDER_NOT_VERIFIED: 'The domain that we send from is not verified at the email service.',
    E_SENDER_DOMAIN_NOT_AVAILABLE: 'The domain that we send from is not set up at the email service.',
    E_RATE_LIMIT_EXCEEDED: 'We may not send more emails right now.',
    E_DAILY_LIMIT_EXCEEDED: "The email service's daily quota is used up.",
    '429 daily_quota_exceeded': "The email service's daily quota is used up.",
    '429 monthly_quota_exceeded': "The email service's monthly quota is used up.",
    '403 invalid_api_key': 'The email service does not recognize our key.',
    '403 validation_error': 'The domain that we send from is not verified at the email service.',
  }),
);

/** A sentence that says why an email is unsent. @param code the stored code of the last failure */
export const explainFailure = (code: string): string =>
  explanations.get(code) ?? `The email service returned ${code}.`;

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: string;
  readonly fate: MailFate;

  /** @param code the service's error code; it contains no part of the email */
  constructor(code: string, fate: MailFate) {
    super(code);
    this.code = code;
    this.fate = fate;
  }
}
