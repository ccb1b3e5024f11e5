/**
 * The interface to the services that deliver mail: each transport sends one mail, and reports a refusal in the same
 * three terms (mail-error.ts).
 */

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
