/** The books: a balance transaction for whatever moves the balance of the account. Charges and disputes cost a fee. */
import type { Call } from './call.ts';
import { type BalanceTransaction, newId, nowSeconds } from './objects.ts';

type Category = 'charge' | 'dispute' | 'dispute_reversal' | 'refund' | 'refund_failure';

/** What Stripe keeps of a card payment in the United States: 2.9 percent and 30 cents (https://stripe.com/pricing). */
export const chargeFee = (cents: number): number => Math.round(cents * 0.029) + 30;

const feeDetails = { application: null, currency: 'usd', type: 'stripe_fee' };

/**
 * Records a movement in dollars, in the transaction under way.
 * @param amount in cents; negative when it leaves the account
 * @param source the id of what moved it: a charge, a refund or a dispute
 * @param fee in cents
 */
export function recordMovement(
  call: Call,
  category: Category,
  amount: number,
  source: string,
  description: string | null,
  fee = 0,
): BalanceTransaction {
  const created = nowSeconds();
  return call.state.put('balance_transaction', {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              ...feeDetails,
              amount: fee,
              description: category === 'charge' ? 'Stripe processing fees' : 'Dispute fee',
            },
          ],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'available',
    type: category.startsWith('dispute') ? 'adjustment' : category,
  });
}
