/** Delivers an order: marks its work as done and notifies the customer, with an optional note and files. */
import { isCustomerDeleted, isEnded } from '#contract/orders.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Caller } from '../http/app.ts';
import { conflict } from '../http/errors.ts';
import { actorFor, changeOrder, retryOnConflict, type Actor } from '../orders/changes.ts';
import { notifyCustomer } from '../orders/notify.ts';
import { findOrder } from '../orders/read.ts';
import type { OrderRecord } from '../orders/schema.ts';
import { orderDeliveredMail } from './conversation-mails.ts';
import { checkFiles } from './messages.ts';
import { postStatements } from './post-message.ts';
import { deliveryQueries } from './read-conversation.ts';
import type { FileRecord } from './conversation-schema.ts';

export interface Delivery {
  readonly note: string;
  /** Ids of files that the deliverer has uploaded. */
  readonly files: readonly string[];
}

/**
 * Whether this delivery adds nothing to the previous one, for example because it was sent twice.
 * @param before the earlier delivery with its files
 */
export const isSameDelivery = (
  { note, files }: Delivery,
  before: { readonly note: string; readonly files: readonly Pick<FileRecord, '_id'>[] },
): boolean =>
  (note === '' || note === before.note) &&
  files.every((file) => before.files.some(({ _id }) => _id === file));

/**
 * @throws ApiError 409 the order was already delivered with a different note or files, and the customer would not
 *   be notified of the new ones
 */
async function refuseOtherDelivery(db: Database, orderId: string, delivery: Delivery): Promise<void> {
  const [[last], files] = await readTogether(db, deliveryQueries(db, orderId));
  if (!isSameDelivery(delivery, { note: last?.text ?? '', files }))
    throw conflict(
      'This order is already delivered, with a different note or different files. The customer did not get your new note and files. Send them as a message, or set the order back to Pending and deliver it again.',
    );
}

/**
 * Sets an order that was read as `order` to Delivered, writes the delivery into its conversation and queues the email
 * to the customer.
 * @returns the updated order; undefined if it changed in the meantime
 * @throws ApiError 409 the order was cancelled or refunded, or no one can receive a note or files; 422 a file does not
 *   exist
 */
export async function deliverOrder(
  { db, env }: Pick<Caller, 'db' | 'env'>,
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
  if (isCustomerDeleted(order)) {
    if (note !== '' || files.length > 0)
      throw conflict("This customer's account was deleted, so nobody can receive a note or files.");
    return changeOrder(db, order, change);
  }
  const names = await checkFiles(db, order._id, by.accountId, files);
  const { statements } = postStatements(db, {
    order,
    side: 'staff',
    accountId: by.accountId,
    kind: 'delivery',
    text: note,
    files,
  });
  const mails = notifyCustomer({ db, env }, order, 'order-delivered', (siteUrl, mailed, isTheirs) =>
    orderDeliveredMail(siteUrl, mailed, isTheirs ? { note, files: names } : undefined),
  );
  return changeOrder(db, order, change, [...statements, ...mails]);
}

/**
 * Sets an order to Delivered, or back to Pending because the work continues.
 * @throws ApiError 404, 409 the order was cancelled or refunded, was delivered with something else, or no one can
 *   receive a note or files; 422 a file does not exist
 */
export const setOrderStatus = (
  caller: Caller,
  orderId: string,
  { orderStatus, ...delivery }: Delivery & Pick<OrderRecord, 'orderStatus'>,
): Promise<OrderRecord> =>
  retryOnConflict(async () => {
    const { db, account } = caller;
    const order = await findOrder(db, orderId);
    if (order.orderStatus === orderStatus) {
      if (orderStatus === 'Delivered') await refuseOtherDelivery(db, orderId, delivery);
      return order;
    }
    const by = { ...actorFor(account, order), role: 'administrator' } as const;
    if (orderStatus === 'Delivered') return deliverOrder(caller, order, by, delivery);
    const { paymentStatus } = order;
    // If the order went back to Pending, it could not be delivered again.
    if (isEnded(order))
      throw conflict(`This order was ${paymentStatus.toLowerCase()}, so it stays delivered.`, {
        paymentStatus,
      });
    return changeOrder(db, order, { kind: 'reopened', by, set: { orderStatus } });
  });
