/** Payment as browser and server agree on it, and the list of what needs a person. */
import type { Shape } from './call.ts';
import type * as calls from './calls/payments.ts';

/** One line of `GET /needs-attention`. */
export type AttentionItem = Shape<typeof calls.attentionItem>;

export type PaymentKey = Shape<typeof calls.paymentKey>;
export type NewPaymentKey = Shape<typeof calls.newPaymentKey>;
export type PaymentKeyChange = Shape<typeof calls.paymentKeyChange>;
