/**
 * The books: a balance transaction for everything that changes the account's balance. Charges and disputes cost a fee.
 */
import type { Call } from './call.ts';
import { type BalanceTransaction, newId, nowSeconds } from './objects.ts';

type Category = 'charge' | 'dispute' | 'dispute_reversal' | 'refund' | 'refund_failure';

/**
 * Stripe's fee for a card payment in the United States: 2.9 percent and 30 cents (https://stripe.com/pricing).
 */
export const chargeFee = (cents: number): number => Math.round(cents * 0.029) + 30;

const feeDetails = { application: null, currency: 'usd', type: 'stripe_fee' };

interface Movement {
  category: Category;
  /** In cents; negative if it leaves the account. */
  amount: number;
  /** The id of the charge, refund or dispute. */
  source: string;
  description: string | null;
  /** In cents. */
  fee?: number;
}

/** Records a balance transaction in dollars, within the current database transaction. */
export function recordMovement(
  call: Call,
  { category, amount, source, description, fee = 0 }: Movement,
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
