/**
 * The interface to the services that deliver mail: each transport sends one mail, and reports an error as one of three
 * fates (mail-error.ts).
 */

export interface OutgoingMail {
  /** The mail's id in the outbox, by which a service recognizes a repeated mail and sends it once. */
  readonly id: string;
  readonly from: { readonly email: string; readonly name?: string };
  readonly to: string;
  /** The address for answers, if it is not the sender's. */
  readonly replyTo?: string | undefined;
  /** Additional headers by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * @throws MailError if the service says why it does not accept the mail; any other error if the service cannot be
 *   reached
 */
export type Transport = (mail: OutgoingMail) => Promise<void>;
