/** Queues emails about orders: to the customer at each stage, and to the business when an order is paid. */
import { isCustomerDeleted } from '#contract/orders.ts';
import { and, count, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { queueLimitedMail, type LimitedMail } from '../accounts/limited-mail.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { MailContent } from '../mail/layout.ts';
import { queueMail } from '../mail/outbox.ts';
import { replyAddress } from '../mail/reply-address.ts';
import { paidOrderMail } from './mails.ts';
import { numberQuery } from './read.ts';
import { customerTextsOf, orderEvents, type NewOrderRecord, type OrderRecord } from './schema.ts';

interface Sender {
  readonly db: Database;
  readonly env: Env;
}

/** An order without the texts that the customer typed, for an email to an address that may not be theirs. */
const withoutTyped = <O extends NewOrderRecord>(order: O): O => ({
  ...order,
  ...customerTextsOf({}),
});

/**
 * The statements that queue an email to an order's customer, for the batch of the change that the email reports. In the
 * batch of a new order, they come after the order. They are empty if the account was deleted.
 * @param write returns the content of the email. It may contain text that a person typed only if `isTheirs`, which
 *   means that the address is verified.
 * @param when the topic, delay and condition of the email
 */
export function notifyCustomer<O extends NewOrderRecord>(
  { db, env }: Sender,
  order: O,
  kind: string,
  write: (siteUrl: string, order: O, isTheirs: boolean) => MailContent,
  when: Pick<LimitedMail, 'topic' | 'delayMs' | 'onlyIf'> = {},
): Statement[] {
  if (isCustomerDeleted(order)) return [];
  const replyTo = replyAddress(env, { kind: 'order', id: order._id, email: order.customerEmail });
  return queueLimitedMail(db, env, {
    accountId: order.accountId,
    to: order.customerEmail,
    kind,
    ...(replyTo !== undefined && { replyTo }),
    ...when,
    content: write(env.SITE_URL, order, true),
    toUnverified: write(env.SITE_URL, withoutTyped(order), false),
    number: numberQuery(db, order._id),
  });
}

export const planTopic = (orderId: string): string => `plan of ${orderId}`;

export const reminderTopic = (orderId: string): string => `reminder of ${orderId}`;

/**
 * The condition that a payment is reported to the business: every card payment, and a payment recorded by hand if it is
 * the order's first. It must come after the event of the payment in the same batch.
 * @param order the order after the payment
 */
export function isPaymentReported(db: Database, order: Pick<OrderRecord, '_id' | 'paymentMethod'>): SQL {
  if (order.paymentMethod === 'Card') return sql`1`;
  const timesPaid = db
    .select({ count: count() })
    .from(orderEvents)
    .where(
      and(eq(orderEvents.orderId, order._id), inArray(orderEvents.kind, ['paid', 'paidByHand', 'renewed'])),
    );
  return sql`${timesPaid} = 1`;
}

/** The statement that queues the email to the business about a payment. It comes after the event in the same batch. */
export const notifyBusinessOfPayment = ({ db, env }: Sender, order: NewOrderRecord): Statement =>
  queueMail(
    db,
    env,
    {
      to: env.NOTIFY_EMAIL,
      about: order._id,
      kind: 'order-paid-notice',
      number: numberQuery(db, order._id),
      content: paidOrderMail(env.SITE_URL, order),
    },
    isPaymentReported(db, order),
  );
