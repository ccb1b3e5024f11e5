/** Limits on requests and stored files, and event types that are names of built-in properties. */
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type Stripe from 'stripe';
import { newId } from '#contract/ids.ts';
import { receiveFile } from '#worker/fulfillment/files.ts';
import { orderFiles } from '#worker/fulfillment/conversation-schema.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { handleEvent } from '#worker/payments/webhook-events.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { ask, openApp } from '../support/in-process-app.ts';
import { customer, openShop, price } from './orders-shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

test('A customer can pay while the rate limiter does not answer, and the log says so', async () => {
  const { _id } = await shop.newOrder();
  const logged: string[] = [];
  const app = openApp((event) => void logged.push(event));
  mountPayments(app);
  const FLOOD_LIMIT = { limit: () => Promise.reject(new Error('The binding failed.')) };
  const body = JSON.stringify({ amount: price, orderId: _id });
  const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': '192.0.2.7' };
  const answer = await ask(
    app,
    '/create-payment-intent',
    { method: 'POST', body, headers },
    { ...shop.env, FLOOD_LIMIT },
  );
  expect(answer.status).toBe(200);
  expect(logged).toContain('flood-limit.failed');
});

test.each(['__proto__', 'constructor', 'toString'])(
  'An event of the type %s is ignored, like any other unknown type',
  async (type) => {
    const event = { type, data: { object: { id: 'obj_1' } } } as unknown as Stripe.Event;
    await expect(handleEvent(shop.openPaymentContext(), event)).resolves.toBeUndefined();
  },
);

test('A verified customer stores at most 100 MB on unpaid orders', async () => {
  const order = await shop.newOrder();
  await shop.db
    .insert(accounts)
    .values({ id: customer.id, email: customer.email, createdAt: 1 })
    .onConflictDoNothing();
  const mebibyte = 1024 * 1024;
  const send = (bytes: number) =>
    receiveFile(
      { db: shop.db, env: shop.env, account: customer },
      order._id,
      { name: 'a.bin', idempotencyKey: undefined },
      new Request('http://site.test', {
        method: 'POST',
        body: 'words',
        headers: { 'Content-Length': String(bytes) },
      }),
    );
  await shop.db.insert(orderFiles).values(
    Array.from({ length: 4 }, () => ({
      ...{ _id: newId(), orderId: order._id, accountId: customer.id, name: 'a.bin', at: 1 },
      ...{ type: 'application/octet-stream' as const, bytes: 24 * mebibyte },
    })),
  );
  await expect(send(5 * mebibyte)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('Until you have paid') as string,
  });
  await shop.db.delete(orderFiles).where(eq(orderFiles.orderId, order._id));
});
