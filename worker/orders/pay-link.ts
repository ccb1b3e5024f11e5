/** Emails the customer of an unpaid order the payment link when the staff asks for it. */
import { isCustomerDeleted } from '#contract/orders.ts';
import type { Caller } from '../http/app.ts';
import { writeBatch } from '../db/client.ts';
import { conflict, tooManyRequests } from '../http/errors.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { actorFor, changeOrder, retryOnConflict } from './changes.ts';
import { payLinkMail } from './mails.ts';
import { notifyCustomer } from './notify.ts';
import { findOrder } from './read.ts';

/**
 * @throws ApiError 404, 409 the order is not awaiting payment, or there is no one to receive the email, 429 too many
 *   emails went to this customer
 */
export async function sendPayLink(caller: Caller, id: string): Promise<void> {
  const { db, account } = caller;
  const order = await findOrder(db, id);
  if (order.paymentStatus !== 'UnPaid')
    throw conflict(`This order is ${order.paymentStatus.toLowerCase()}, so there is nothing to pay.`);
  if (isCustomerDeleted(order))
    throw conflict("This customer's account was deleted, so nobody can receive the link.");
  await countAttempt(caller, 'mailKnown', `pay link of ${id}`);
  const queued = await writeBatch(db, notifyCustomer(caller, order, 'pay-link', payLinkMail));
  // An unverified address gets a limited number of emails.
  if (queued.every((rows) => rows === 0))
    throw tooManyRequests(
      'Too many emails have been sent to this address in the last hour. Please try again later.',
      3_600,
    );
  const by = actorFor(account, order);
  await retryOnConflict(async () =>
    changeOrder(db, await findOrder(db, id), { kind: 'reminded', by, set: {} }),
  );
}
