/** What staff read about a refund that needs attention. */
import { expect, test } from 'vitest';
import { disputedFailure, failedRefundText } from './failed-refunds.ts';
import { newRow } from './refunds.ts';
import type { RefundRecord } from './schema.ts';

const began = 'The refund of $123.50 for order #1042';
const bankTook = `${began} was not made: the customer's bank has taken this payment back in a dispute.`;

test.each<[Partial<RefundRecord>, string | null, string]>([
  [{}, null, `${began} has not reached Stripe yet. We will keep sending it.`],
  [
    { failure: 'Your key may not do that.' },
    null,
    `${began} has not reached Stripe yet. We will keep sending it. Stripe says: Your key may not do that.`,
  ],
  [
    { status: 'failed', failure: 'Not enough. Add funds.' },
    null,
    `${began} was refused. Stripe says: Not enough. Add funds. Return the money another way.`,
  ],
  [
    { status: 'failed', failure: 'Ask about pi_1' },
    null,
    `${began} was refused. Stripe says: Ask about pi_1. Return the money another way.`,
  ],
  [
    { status: 'failed', refundId: 're_1', failure: 'expired_or_canceled_card' },
    null,
    `${began} did not go through, and the money is back with you. Stripe says: expired or canceled card. Refund it again, or return it another way.`,
  ],
  [
    { status: 'canceled', refundId: 're_1' },
    null,
    `${began} did not go through, and the money is back with you. Refund it again, or return it another way.`,
  ],
  [
    { status: 'failed', failure: disputedFailure },
    'won',
    `${began} was not made while the customer's bank disputed this payment. The money is back with you: return it in the Stripe dashboard.`,
  ],
  [
    { status: 'failed', failure: disputedFailure },
    'lost',
    `${bankTook} The dispute is lost, so nothing is left to return.`,
  ],
  [
    { failure: disputedFailure },
    'needs_response',
    `${bankTook} Answer the dispute in Stripe, or accept it; until it is decided there is nothing to return.`,
  ],
])(
  'The text of a refund that is %o, of a payment whose dispute is %s, says what to do',
  (refund, dispute, text) => {
    const row = { ...newRow({ _id: 'payment', orderId: 'order' }, 5), amountCents: 12_350, ...refund };
    expect(failedRefundText(row, 1042, dispute)).toBe(text);
  },
);
