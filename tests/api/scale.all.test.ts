/** Reads over many customers and orders find the right rows, without scanning whole tables. */
import { asc, sql, type SQL } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import * as queries from '#worker/customers/read.ts';
import { search } from '#worker/customers/search.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { changeOrder } from '#worker/orders/changes.ts';
import { findOrder } from '#worker/orders/read.ts';
import { failedRefunds } from '#worker/payments/failed-refunds.ts';
import { ordersOfDeletedCustomers, overdueSteps } from '#worker/fulfillment/attention.ts';
import { missingBriefs } from '#worker/fulfillment/awaited-briefs.ts';
import { readOwnWork } from '#worker/fulfillment/progress.ts';
import { openTestDatabase } from '../support/test-database.ts';
import { findFullScans } from '../support/full-scans.ts';
import { administrator, customer, staff } from './orders-shop.ts';
import { openWorkShop, type WorkShop } from './work-shop.ts';

test('No list, record or search of customers scans all orders, accounts or messages', async () => {
  const { db, close } = await openTestDatabase();
  const scans = await findFullScans(db, async (read) => {
    await queries.listCustomers(read, { page: 1, pageSize: 20 });
    await queries.readCustomer(read, newId()).catch(() => undefined);
    for (const q of ['#1042', '$899', 'pi_1042', '(312) 555-0199', 'ma', 'ma lo', 'maria@'])
      await search(read, staff, q);
  });
  await close();
  // One row, the search index, a scan that ends with the page, and a scan that ends with the newest messages.
  expect(scans.toSorted()).toEqual([
    'SCAN customer_counts',
    'SCAN customer_search VIRTUAL TABLE INDEX 192:M4',
    'SCAN customers USING COVERING INDEX customers_sequence',
    'SCAN messages USING INDEX sqlite_autoindex_messages_1',
    'SCAN newest',
  ]);
});

describe('Work', () => {
  let shop: WorkShop;
  beforeAll(async () => {
    shop = await openWorkShop();
    const question = { _id: newId(), position: 1, question: 'Your website?', kind: 'link', required: 'yes' };
    await shop.db.insert(contentTables.briefQuestion).values(question);
    const step = { _id: newId(), position: 1, title: 'Review', dueDays: '5', approval: 'no' };
    await shop.db.insert(contentTables.planStep).values(step);
  });
  afterAll(() => shop.close());

  const planOf = async (query: SQL) =>
    (await shop.db.all<{ detail: string }>(sql`EXPLAIN QUERY PLAN ${query}`)).map(({ detail }) => detail);

  test('The orders that wait for somebody are found without scanning a table', async () => {
    // The content has few questions, and a firm has few users.
    expect(await findFullScans(shop.db, (db) => readOwnWork(db, shop.env, customer.id))).toEqual([
      'SCAN brief_questions',
      'SCAN users',
    ]);
  });

  test('Late work is searched only in orders in progress, and failed refunds by their indexes', async () => {
    const [runs, delivered, refunded, paidLate] = [
      await shop.newOrder(),
      await shop.newOrder(),
      await shop.newOrder(),
      await shop.newOrder(),
    ];
    await shop.deliverWork(paidLate);
    for (const order of [runs, delivered, refunded, paidLate]) await shop.setPayment(order, 'Paid');
    await shop.deliverWork(delivered);
    await shop.refund(refunded);
    const inIndexes = () =>
      Promise.all(
        [
          sql`SELECT "orderId" FROM "order_steps" INDEXED BY "order_steps_due" WHERE "state" <> 'done' AND "isOver" = 0`,
          sql`SELECT "orderId" FROM "order_briefs" INDEXED BY "order_briefs_awaited" WHERE "sentAt" IS NULL AND "isOver" = 0`,
        ].map(async (query) => (await shop.db.all<{ orderId: string }>(query)).map(({ orderId }) => orderId)),
      );
    expect(await inIndexes()).toEqual([[runs._id], [runs._id]]);
    for (const [query, index] of [
      [overdueSteps(shop.db, shop.env, Date.now()), 'order_steps USING INDEX order_steps_due (dueDay<?)'],
      [
        missingBriefs(shop.db, Date.now()),
        'order_briefs USING INDEX order_briefs_awaited (awaitedSince>? AND awaitedSince<?)',
      ],
    ] as const)
      for (const each of [query.count, query.first({ order: asc, limit: 100 })])
        expect(await planOf(each.getSQL())).toContain(`SEARCH ${index}`);
    const ofDeleted = ordersOfDeletedCustomers(shop.db);
    for (const each of [ofDeleted.count, ofDeleted.first({ order: asc, limit: 100 })])
      expect((await planOf(each.getSQL()))[0]).toMatch(
        /^SEARCH orders USING (COVERING )?INDEX orders_customer_deleted \(paymentStatus=\? AND orderStatus=\?\)$/,
      );
    const ofRefunds = failedRefunds(shop.db);
    for (const each of [ofRefunds.count, ofRefunds.first({ order: asc, limit: 100 })])
      expect((await planOf(each.getSQL())).filter((line) => line.includes(' refunds '))).toEqual([
        expect.stringContaining('SEARCH refunds USING INDEX sqlite_autoindex_refunds_1'),
        'SCAN refunds USING INDEX refunds_unseen',
        expect.stringContaining('SEARCH refunds USING INDEX refunds_check (checkAt>?)'),
      ]);
    const reopened = { kind: 'reopened', by: administrator, set: { orderStatus: 'Pending' } } as const;
    await changeOrder(shop.db, await findOrder(shop.db, delivered._id), reopened);
    const both = [runs._id, delivered._id].toSorted();
    expect((await inIndexes()).map((ids) => ids.toSorted())).toEqual([both, both]);
  });
});
