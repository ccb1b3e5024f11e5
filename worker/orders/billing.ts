/**
 * The customer's company and tax number on the receipt, and where to send a copy of it. The customer enters them with
 * the order or later.
 */
import type { Account } from '#contract/accounts.ts';
import { billingFields } from '#contract/orders.ts';
import type { BillingDetails } from '#contract/orders.calls.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { rateLimitFor, takeFromLimit } from '../limits/rate-limits.ts';
import { actorFor, changeOrder, retryOnConflict } from './changes.ts';
import { lookUpOrder, visibleTo } from './read.ts';
import type { OrderRecord } from './schema.ts';

/**
 * Changes the billing details of an order. An absent field keeps its value.
 * @throws ApiError 404 if the caller may not see the whole order, 429 after too many changes
 */
export function changeBilling(
  { db, env, account }: { db: Database; env: Env; account: Account },
  id: string,
  given: BillingDetails,
): Promise<OrderRecord> {
  return retryOnConflict(async () => {
    const order = visibleTo(account, await lookUpOrder(db, id));
    const set = {
      customerCompany: given.customerCompany ?? order.customerCompany,
      customerTaxNumber: given.customerTaxNumber ?? order.customerTaxNumber,
      receiptCopyEmail: given.receiptCopyEmail ?? order.receiptCopyEmail,
    };
    if (billingFields.every((field) => set[field] === order[field])) return order;
    // Each change stores an event, so the number of changes is limited.
    await takeFromLimit(db, rateLimitFor(env, 'billingOrder', id));
    return changeOrder(db, order, { kind: 'billingChanged', by: actorFor(account, order), set });
  });
}
