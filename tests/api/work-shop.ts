/** A shop in this process for tests of the work on orders, and the people in it. */
import { expect } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { deliverOrder, type Delivery } from '#worker/fulfillment/deliver.ts';
import { openDatabase } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import type { Caller } from '#worker/http/app.ts';
import { placeOrder } from '#worker/orders/place.ts';
import { findOrder } from '#worker/orders/read.ts';
import type { OrderRecord } from '#worker/orders/schema.ts';
import { administrator, customer, input, openShop, staff } from './orders-shop.ts';

/** A staff member who is not an administrator. */
export const support: Account = { ...staff, role: 'Support' };

type OrderId = Pick<OrderRecord, '_id'>;

export type WorkShop = Awaited<ReturnType<typeof openWorkShop>>;

export async function openWorkShop(settings: Partial<Env> = {}) {
  const shop = await openShop(settings);
  const { db, env } = shop;
  const as = (account: Account): Caller => ({ db: openDatabase(env), env, account });
  return {
    ...shop,
    as,
    async addCustomer(email: string, isVerified = true): Promise<Account> {
      const account = { ...customer, id: newId(), email, emailVerified: isVerified };
      const emailVerifiedAt = isVerified ? 1 : null;
      await db.insert(accounts).values({ id: account.id, email, emailVerifiedAt, createdAt: 1 });
      return account;
    },
    orderOf: (account: Account, typed: Partial<typeof input> = {}) =>
      placeOrder(as(account), { ...input, customerEmail: account.email, ...typed }, undefined),
    async deliverWork({ _id }: OrderId, delivery?: Delivery): Promise<void> {
      await deliverOrder(as(staff), await findOrder(db, _id), administrator, delivery);
    },
  };
}

/**
 * The error of a refused call.
 * @param words a part of the message
 */
export const refusal = (status: number, words = ''): object => ({
  status,
  message: expect.stringContaining(words) as string,
});
