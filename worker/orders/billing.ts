/**
 * The customer's company and tax number on the receipt, and where to send a copy of the receipt. The customer enters
 * them with the order or later.
 */
import { billingFields, isCustomerDeleted } from '#contract/orders.ts';
import type { BillingDetails } from '#contract/orders.calls.ts';
import type { Caller } from '../http/app.ts';
import { conflict } from '../http/errors.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { actorFor, changeOrder, retryOnConflict } from './changes.ts';
import { lookUpOrder, visibleTo } from './read.ts';
import type { OrderRecord } from './schema.ts';

/**
 * Changes the billing details of an order. Absent fields keep their value.
 * @throws ApiError 404 the caller may not see the whole order, 409 its customer's account was deleted, 429 after too
 *   many changes
 */
export function changeBilling(
  { db, env, account }: Caller,
  id: string,
  given: BillingDetails,
): Promise<OrderRecord> {
  return retryOnConflict(async () => {
    const order = visibleTo(account, await lookUpOrder(db, id));
    if (isCustomerDeleted(order)) throw conflict("This customer's account was deleted.");
    const set = {
      customerCompany: given.customerCompany ?? order.customerCompany,
      customerTaxNumber: given.customerTaxNumber ?? order.customerTaxNumber,
      receiptCopyEmail: given.receiptCopyEmail ?? order.receiptCopyEmail,
    };
    if (billingFields.every((field) => set[field] === order[field])) return order;
    // Each change stores an event, so changes are rate-limited.
    await countAttempt({ db, env }, 'billingOrder', id);
    return changeOrder(db, order, { kind: 'billingChanged', by: actorFor(account, order), set });
  });
}
