/** Payment as browser and server agree on it, and the list of what needs a person. */
import { z } from 'zod';
import { isId } from './ids.ts';

/**
 * Body of `POST /create-payment-intent`. `amount` is the order's price as shown (`499.50`, text or number); one that
 * differs from the order's own price is refused.
 */
export const newPaymentIntent = z.strictObject({
  amount: z.union([z.string().max(20), z.number()], { error: 'Send the amount that was shown.' }),
  orderId: z
    .string({ error: 'Send orderId too: an amount alone cannot name an order.' })
    .refine(isId, 'This is not the id of an order.'),
});

/** Answer of `POST /create-payment-intent`. */
export interface PaymentIntentAnswer {
  readonly clientSecret: string;
}

/** One line of `GET /needs-attention`, newest first. */
export interface AttentionItem {
  /** Id for `PUT /needs-attention/{id}` (payments) or `POST /unsent-mail/{id}` (mails). */
  readonly _id: string;
  /**
   * `refund`: a payment that no order could take; `unsettledIntent`: a payment that we could not learn the end of;
   * `unsentMail`: a mail that could not be delivered.
   */
  readonly kind: 'refund' | 'unsettledIntent' | 'unsentMail';
  /** A sentence that says what happened and what to do. */
  readonly text: string;
  /** ISO 8601, UTC */
  readonly at: string;
  /** The order it concerns, when it concerns one. */
  readonly orderId?: string;
}

/** Body of `PUT /needs-attention/{id}`: a person has seen to it, so it leaves the list. */
export const attentionSeen = z.strictObject({ seen: z.literal(true) });
