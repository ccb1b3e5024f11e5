/** The books: a balance transaction for whatever moves the balance of the account. Only disputes cost a fee here. */
import type { Call } from './call.ts';
import { type BalanceTransaction, newId, nowSeconds } from './objects.ts';

interface Movement {
  category: 'charge' | 'dispute' | 'dispute_reversal' | 'refund' | 'refund_failure';
  /** In cents; negative when it leaves the account. */
  amount: number;
  /** The id of what moved it: a charge, a refund or a dispute. */
  source: string;
  description: string | null;
  fee?: number;
}

/** Records a movement in dollars, in the transaction under way. */
export function recordMovement(call: Call, movement: Movement): BalanceTransaction {
  const { category, amount, source, description, fee = 0 } = movement;
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
              amount: fee,
              application: null,
              currency: 'usd',
              description: 'Dispute fee',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'available',
    type: category.startsWith('dispute') ? 'adjustment' : category,
  });
}
