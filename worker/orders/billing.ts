/** Company and tax number of an order's customer, which the receipt names: given with the order or later. */
import type { Account } from '#contract/accounts.ts';
import type { BillingDetails } from '#contract/orders.calls.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { rateLimitFor, takeFromLimit } from '../limits/rate-limits.ts';
import { actorFor, changeOrder, retryOnConflict } from './changes.ts';
import { findOrder, maySeeAll, noSuchOrder } from './read.ts';
import type { OrderRecord } from './schema.ts';

/**
 * Changes the billing details of an order; a field left out keeps its value.
 * @throws ApiError 404 an order that the caller may not see whole, 429 changed too often
 */
export function changeBilling(
  { db, env, account }: { db: Database; env: Env; account: Account },
  id: string,
  { customerCompany, customerTaxNumber }: BillingDetails,
): Promise<OrderRecord> {
  return retryOnConflict(async () => {
    const order = await findOrder(db, id);
    if (!maySeeAll(account, order)) throw noSuchOrder();
    const set = {
      customerCompany: customerCompany ?? order.customerCompany,
      customerTaxNumber: customerTaxNumber ?? order.customerTaxNumber,
    };
    if (set.customerCompany === order.customerCompany && set.customerTaxNumber === order.customerTaxNumber)
      return order;
    // Each change is kept as an event, so they are not for the asking without end.
    await takeFromLimit(db, rateLimitFor(env, 'billingOrder', id));
    return changeOrder(db, order, { kind: 'billingChanged', by: actorFor(account, order), set });
  });
}
