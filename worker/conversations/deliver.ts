/** Delivering: the work on an order is done, and its customer is told, with a note and files. */
import { inArray } from 'drizzle-orm';
import { isEnded } from '#contract/orders.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { conflict } from '../http/errors.ts';
import { changeOrder, type Actor } from '../orders/changes.ts';
import { tellCustomer } from '../orders/notify.ts';
import type { OrderRecord } from '../orders/schema.ts';
import { orderDeliveredMail } from './mails.ts';
import { checkFiles } from './messages.ts';
import { postCondition, postStatements } from './post.ts';
import { orderFiles } from './schema.ts';

/** What the customer is given with the delivery. */
export interface Delivery {
  readonly note: string;
  /** Ids of files that the deliverer has sent up. */
  readonly files: readonly string[];
}

/**
 * Sets an order that was read as `order` to Delivered, writes the delivery into its conversation and queues the mail
 * that tells its customer.
 * @returns the order as it is now, or undefined when it changed meanwhile
 * @throws ApiError 409 it was cancelled or refunded, or there is nobody to give a note to; 422 a file is not there
 */
export async function deliverOrder(
  { db, env }: { readonly db: Database; readonly env: Env },
  order: OrderRecord,
  by: Actor,
  { note, files }: Delivery = { note: '', files: [] },
): Promise<OrderRecord | undefined> {
  const { paymentStatus } = order;
  if (isEnded(order))
    throw conflict(
      `This order was ${paymentStatus.toLowerCase()}, so there is nothing to deliver. The customer can place a new one.`,
      { paymentStatus },
    );
  const change = { kind: 'delivered', by, set: { orderStatus: 'Delivered' } } as const;
  if (order.customerEmail === '') {
    if (note !== '' || files.length > 0)
      throw conflict('The account of this customer was deleted, so nobody can receive a note or files.');
    return changeOrder(db, order, change);
  }
  await checkFiles(db, order._id, by.accountId, files);
  const named =
    files.length === 0
      ? []
      : await db
          .select({ name: orderFiles.name })
          .from(orderFiles)
          .where(inArray(orderFiles._id, [...files]));
  const { statements } = postStatements(db, {
    order,
    side: 'staff',
    accountId: by.accountId,
    kind: 'delivery',
    text: note,
    files,
  });
  const told = tellCustomer({ db, env }, order, 'order-delivered', (siteUrl, told, isTheirs) =>
    orderDeliveredMail(siteUrl, told, isTheirs ? { note, files: named.map(({ name }) => name) } : undefined),
  );
  return changeOrder(db, order, change, [...statements, ...told], postCondition);
}
