/** Mails about orders: to the customer at each stage, and to the business once an order is paid. */
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { queueLimitedMail, type LimitedMail } from '../accounts/limited-mail.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { MailContent } from '../mail/layout.ts';
import { queueMail } from '../mail/outbox.ts';
import { paidOrderMail } from './mails.ts';
import { orderEvents, orders, type NewOrderRecord, type OrderRecord } from './schema.ts';

interface Sender {
  readonly db: Database;
  readonly env: Env;
}

/** An order without what its customer typed, for a mail to an address that may not be theirs. */
const withoutTyped = <O extends NewOrderRecord>(order: O): O => ({
  ...order,
  customerName: '',
  customerAddress: '',
  customerCountry: '',
  customerCompany: '',
  customerTaxNumber: '',
});

/**
 * The mail to an order's customer, for the batch of the change that it reports, after the order itself if that is new;
 * none if the account was deleted.
 * @param write returns its content; only with `isTheirs`, when the address is verified, may that contain what somebody
 *   typed
 * @param when how it waits for further events of its topic, and what must hold
 */
export function notifyCustomer<O extends NewOrderRecord>(
  { db, env }: Sender,
  order: O,
  kind: string,
  write: (siteUrl: string, order: O, isTheirs: boolean) => MailContent,
  when: Pick<LimitedMail, 'topic' | 'delayMs' | 'onlyIf'> = {},
): Statement[] {
  if (order.customerEmail === '') return [];
  return queueLimitedMail(db, env, {
    accountId: order.accountId,
    to: order.customerEmail,
    kind,
    ...when,
    ...write(env.SITE_URL, order, true),
    toUnverified: write(env.SITE_URL, withoutTyped(order), false),
    number: db.select({ number: orders.number }).from(orders).where(eq(orders._id, order._id)),
  });
}

/** The topic of the mail about moved steps of an order. */
export const planTopic = (orderId: string): string => `plan of ${orderId}`;

/** The topic of the mail that reminds of an unpaid order. */
export const reminderTopic = (orderId: string): string => `reminder of ${orderId}`;

/**
 * Whether a payment is reported: every one by card, and one set by hand only if it is the first of its order. It is asked
 * after the event of the payment in the same batch.
 * @param order as it is then
 */
export function isPaymentReported(db: Database, order: Pick<OrderRecord, '_id' | 'paymentMethod'>): SQL {
  if (order.paymentMethod === 'Card') return sql`1`;
  const timesPaid = db
    .select({ count: sql`count(*)` })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, order._id), inArray(orderEvents.kind, ['paid', 'paidByHand'])));
  return sql`${timesPaid} = 1`;
}

/** The mail to the business that an order is paid (`isPaymentReported`). It comes after the event in the same batch. */
export const tellBusinessOfPayment = ({ db, env }: Sender, order: OrderRecord): Statement =>
  queueMail(
    db,
    env,
    {
      to: env.NOTIFY_EMAIL,
      about: order._id,
      kind: 'order-paid-notice',
      ...paidOrderMail(env.SITE_URL, order),
    },
    isPaymentReported(db, order),
  );
