/** Delivering: the work on an order is done, and its customer is told. */
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { conflict } from '../http/errors.ts';
import { changeOrder, type Actor } from './changes.ts';
import { orderDeliveredMail } from './mails.ts';
import { tellCustomer } from './notify.ts';
import type { OrderRecord } from './schema.ts';

/**
 * Sets an order that was read as `order` to Delivered and queues the mail that tells its customer.
 * @returns the order as it is now, or undefined when it changed meanwhile
 * @throws ApiError 409 it was cancelled or refunded
 */
export async function deliverOrder(
  { db, env }: { readonly db: Database; readonly env: Env },
  order: OrderRecord,
  by: Actor,
): Promise<OrderRecord | undefined> {
  const { paymentStatus } = order;
  if (paymentStatus === 'Cancelled' || paymentStatus === 'Refunded')
    throw conflict(
      `This order was ${paymentStatus.toLowerCase()}, so there is nothing to deliver. The customer can place a new one.`,
      { paymentStatus },
    );
  return changeOrder(
    db,
    order,
    { kind: 'delivered', by, set: { orderStatus: 'Delivered' } },
    tellCustomer({ db, env }, order, 'order-delivered', orderDeliveredMail),
  );
}
