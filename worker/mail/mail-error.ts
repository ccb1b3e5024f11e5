/** Why a service did not accept a mail, and what follows from it. */

/**
 * `refused`: the service will never accept this mail, so a person decides. `exhausted`: it accepts none at all for now,
 * because a quota is used up. `failed`: the next try may succeed.
 */
export type MailFate = 'refused' | 'exhausted' | 'failed';

/** What a person at the list of unsent mails should know about a code, a sentence. */
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
    '403 invalid_api_key': 'The email service does not know our key.',
    '403 validation_error': 'The domain that we send from is not verified at the email service.',
  }),
);

/** Why a mail is unsent, a sentence. @param code what was kept of the last failure */
export const explainFailure = (code: string): string =>
  explanations.get(code) ?? `The email service said ${code}.`;

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly code: string;
  readonly fate: MailFate;

  /** @param code the service's own word for it; it holds nothing of the mail */
  constructor(code: string, fate: MailFate) {
    super(code);
    this.code = code;
    this.fate = fate;
  }
}
