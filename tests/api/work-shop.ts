/** A shop in this process for tests of the work on orders: its people, and the mails that they get. */
import { expect } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { deliverOrder, type Delivery } from '#worker/fulfillment/deliver.ts';
import { openDatabase } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import type { Caller } from '#worker/http/app.ts';
import { deliverMail } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { findOrder } from '#worker/orders/read.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { setPaymentByHand } from '#worker/payments/cancel.ts';
import type { SentMail } from '../support/test-database.ts';
import { administrator, customer, input, openShop, staff, type Shop } from './orders-shop.ts';

/** A staff member who is not an administrator. */
export const support: Account = { ...staff, role: 'Support' };

type OrderId = Pick<OrderRecord, '_id'>;

export interface WorkShop extends Shop {
  /** The caller of a call. */
  as(account: Account): Caller;
  /** Adds a customer. */
  addCustomer(email: string, isVerified?: boolean): Promise<Account>;
  orderOf(account: Account, typed?: Partial<typeof input>): Promise<OrderRecord>;
  setPayment(order: OrderId, status: 'Paid' | 'UnPaid'): Promise<OrderRecord>;
  deliverWork(order: OrderId, delivery?: Delivery): Promise<void>;
  /** Deletes the queued mails and forgets the sent ones. */
  clearMails(): Promise<void>;
  /**
   * Sends the mails that are due.
   * @returns what was sent since the last call
   */
  sendMails(): Promise<SentMail[]>;
  /** Like `sendMails`, and includes mails that wait for further events. */
  sendAllMails(): Promise<SentMail[]>;
}

export async function openWorkShop(settings: Partial<Env> = {}): Promise<WorkShop> {
  const shop = await openShop(settings);
  const { db, env } = shop;
  const as = (account: Account): Caller => ({ db: openDatabase(env), env, account });
  const sendMails = async () => {
    await deliverMail(env, () => undefined, openDatabase(env));
    return shop.sent.splice(0);
  };
  return {
    ...shop,
    as,
    async addCustomer(email, isVerified = true) {
      const account = { ...customer, id: newId(), email, emailVerified: isVerified };
      const emailVerifiedAt = isVerified ? 1 : null;
      await db.insert(accounts).values({ id: account.id, email, emailVerifiedAt, createdAt: 1 });
      return account;
    },
    orderOf: (account, typed) =>
      placeOrder(as(account), { ...input, customerEmail: account.email, ...typed }, undefined),
    setPayment: ({ _id }, status) => setPaymentByHand(shop.openPaymentContext(), _id, status, administrator),
    async deliverWork({ _id }, delivery) {
      await deliverOrder(as(staff), await findOrder(db, _id), administrator, delivery);
    },
    async clearMails() {
      await db.delete(mails);
      shop.sent.length = 0;
    },
    sendMails,
    async sendAllMails() {
      await db.update(mails).set({ dueAt: 0 });
      return sendMails();
    },
  };
}

/**
 * The error of a refused call.
 * @param words a part of the sentence
 */
export const refusal = (status: number, words = ''): object => ({
  status,
  message: expect.stringContaining(words) as string,
});
