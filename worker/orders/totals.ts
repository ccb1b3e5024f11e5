/** Reads counts and sums from the running totals, so that the cost does not grow with the number of orders. */
import { and, between, eq, gt, sql, type SQL } from 'drizzle-orm';
import { orderStatuses, paymentStatuses, type OrderStatus, type PaymentStatus } from '#contract/orders.ts';
import type { OrderTotals, SalesDay } from '#contract/orders.calls.ts';
import type { Database } from '../db/client.ts';
import { everybody, orderTotals, type orders } from './schema.ts';

export interface CountFilter {
  readonly paymentStatus?: PaymentStatus | undefined;
  readonly orderStatus?: OrderStatus | undefined;
  readonly isOpen?: boolean | undefined;
  /** First and last day, YYYY-MM-DD. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const firstDay = '0000-00-00';
const lastDay = '9999-99-99';

/** The contract's `isOpen` in SQL, for orders and for totals. */
export const openCondition = ({ paymentStatus, orderStatus }: typeof orders | typeof orderTotals): SQL =>
  sql`(${paymentStatus} = 'UnPaid' OR (${paymentStatus} = 'Paid' AND ${orderStatus} = 'Pending'))`;

/** The query for the number of matching orders. Totals by day exist only for the scope `everybody`, the default. */
export function countQuery(db: Database, filter: CountFilter, scope: string = everybody) {
  const { paymentStatus, orderStatus, isOpen, from, to } = filter;
  return db
    .select({ count: sql<number>`coalesce(sum(${orderTotals.orders}), 0)` })
    .from(orderTotals)
    .where(
      and(
        eq(orderTotals.scope, scope),
        from === undefined && to === undefined
          ? eq(orderTotals.day, '')
          : between(orderTotals.day, from ?? firstDay, to ?? lastDay),
        paymentStatus && eq(orderTotals.paymentStatus, paymentStatus),
        orderStatus && eq(orderTotals.orderStatus, orderStatus),
        isOpen ? openCondition(orderTotals) : undefined,
      ),
    );
}

/** The query for the running totals of one account's orders, or of all orders. */
export const totalsQuery = (db: Database, scope: string) =>
  db
    .select()
    .from(orderTotals)
    .where(and(eq(orderTotals.scope, scope), eq(orderTotals.day, '')));

export const readTotals = async (db: Database, scope: string): Promise<OrderTotals> =>
  totalsOf(await totalsQuery(db, scope));

export function totalsOf(rows: readonly (typeof orderTotals.$inferSelect)[]): OrderTotals {
  const count = (matches: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(matches).reduce((sum, row) => sum + row.orders, 0);
  const countBy = <Status extends string>(
    statuses: readonly Status[],
    field: 'paymentStatus' | 'orderStatus',
  ) =>
    Object.fromEntries(statuses.map((status) => [status, count((row) => row[field] === status)])) as Record<
      Status,
      number
    >;
  const sumOf = (status: PaymentStatus, cents: (row: (typeof rows)[number]) => number) =>
    rows.filter((row) => row.paymentStatus === status).reduce((sum, row) => sum + cents(row), 0);
  return {
    orders: count(() => true),
    byPaymentStatus: countBy(paymentStatuses, 'paymentStatus'),
    byOrderStatus: countBy(orderStatuses, 'orderStatus'),
    paidCents: sumOf('Paid', ({ cents }) => cents),
    afterRefundsCents: sumOf('Paid', ({ cents, refundedCents }) => cents - refundedCents),
    unpaidCents: sumOf('UnPaid', ({ cents }) => cents),
    awaitingDelivery: count((row) => row.paymentStatus === 'Paid' && row.orderStatus === 'Pending'),
  };
}

/** Reads orders and sales by the day on which the orders were placed, oldest first. */
export function readSales(db: Database, from: string, to: string): Promise<SalesDay[]> {
  const paid = sql`${orderTotals.paymentStatus} = 'Paid'`;
  const placed = sql<number>`sum(${orderTotals.orders})`;
  return db
    .select({
      day: orderTotals.day,
      orders: placed,
      paidOrders: sql<number>`sum(CASE WHEN ${paid} THEN ${orderTotals.orders} ELSE 0 END)`,
      paidCents: sql<number>`sum(CASE WHEN ${paid} THEN ${orderTotals.cents} ELSE 0 END)`,
      afterRefundsCents: sql<number>`sum(CASE WHEN ${paid} THEN ${orderTotals.cents} - ${orderTotals.refundedCents} ELSE 0 END)`,
    })
    .from(orderTotals)
    .where(and(eq(orderTotals.scope, everybody), between(orderTotals.day, from, to)))
    .groupBy(orderTotals.day)
    .having(gt(placed, 0))
    .orderBy(orderTotals.day);
}
