/** Routes for orders and coupons. Calls that move money are in `payments/`. */
import type { Hono } from 'hono';
import { addDays, dayOfDate } from '#contract/days.ts';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { couponCalls } from '#contract/coupons.calls.ts';
import { orderCalls, ownOrdersQuery } from '#contract/orders.calls.ts';
import { displayOrderNumber, displayPaymentMethod, displayStatusOf } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { sourceColumns } from '#contract/source.ts';
import { requireUnrestricted } from '../accounts/restrictions.ts';
import { depsOf, callerOf, type AppEnv } from '../http/app.ts';
import { check } from '../http/body.ts';
import { csvResponse, type CsvColumns } from '../http/csv.ts';
import { answerList, mount } from '../http/mount.ts';
import { clientAddress } from '../http/network-address.ts';
import { withAssignees } from '../notes/assignments.ts';
import { changeBilling } from './billing.ts';
import { addCoupon, endCoupon, listCoupons, readCouponPrice } from './coupons.ts';
import { findKnownCustomer } from './customers.ts';
import { listOrders, readAllOrders } from './list.ts';
import { sendPayLink } from './pay-link.ts';
import { placeOrder, placeOrderForCustomer } from './place.ts';
import { findOrder, orderFor, readTimeline, wholeOrder } from './read.ts';
import { everybody } from './schema.ts';
import { readSources } from './sources.ts';
import { readSales, readTotals } from './totals.ts';
import { dayOf } from '../env.ts';

/** Whether lists and totals cover all customers' orders: the caller is on the staff and does not ask for their own. */
const seesAll = (account: Account, own: string | undefined) => may(account, 'orders') && own === undefined;

const exportColumns: CsvColumns<Order> = [
  ['Order', (order) => displayOrderNumber(order.number)],
  ['Order Date', (order) => dayOfDate(order.orderDate)],
  ['Name', (order) => order.customerName],
  ['Email', (order) => order.customerEmail],
  ['Address', (order) => order.customerAddress],
  ['Country', (order) => order.customerCountry],
  ['Phone', (order) => order.customerPhone],
  ['Company', (order) => order.customerCompany],
  ['Tax Number', (order) => order.customerTaxNumber],
  ['Package', (order) => order.displayName],
  ['Billing', (order) => order.billing],
  ['Price (USD)', (order) => order.packagePrice],
  ['Coupon', (order) => order.couponCode],
  ['Discount (USD)', (order) => order.discount],
  ['Payment Status', (order) => order.paymentStatus],
  ['Payment Method', displayPaymentMethod],
  ['Transaction', (order) => order.transactionId],
  ['Refunded (USD)', (order) => order.refundedAmount],
  ['Order Status', (order) => order.orderStatus],
  ['Progress', displayStatusOf],
  ...sourceColumns,
];

export function mountOrders(app: Hono<AppEnv>): void {
  mount(app, orderCalls, {
    'POST /new-order': async ({ c, account, body, idempotencyKey }) =>
      wholeOrder(await placeOrder(callerOf(c, account), body, idempotencyKey)),

    'POST /add-order': async ({ c, account, body, idempotencyKey }) =>
      wholeOrder(await placeOrderForCustomer(callerOf(c, account), body, idempotencyKey)),

    'GET /known-customer': ({ c, query: { email } }) => findKnownCustomer(c.var.db, email),

    'POST /order/:id/pay-link': ({ c, account, id }) => sendPayLink(callerOf(c, account), id),

    'GET /orders': async ({ c, account, query }) => {
      const isOfStaff = seesAll(account, query.own);
      const filter = isOfStaff
        ? { ...query, assigneeId: query.mine && account.id }
        : {
            ...check(ownOrdersQuery, c.req.query()),
            accountId: account.id,
            isOpen: query.own === 'open',
            sort: 'newest' as const,
          };
      const found = answerList(c, await listOrders(c.var.db, filter)).map(wholeOrder);
      return isOfStaff ? withAssignees(c.var.db, 'order', found) : found;
    },

    'GET /order/:id': async ({ c, account, id }) => orderFor(account, await findOrder(c.var.db, id)),

    'GET /order/:id/timeline': ({ c, account, id }) => readTimeline(c.var.db, id, account),

    'PUT /order/:id/billing': async ({ c, account, id, body }) =>
      wholeOrder(await changeBilling(callerOf(c, account), id, body)),

    'GET /order-totals': ({ c, account, query }) => {
      const isOfAll = seesAll(account, query.own);
      if (isOfAll) requireUnrestricted(c.env, account.role, 'totals');
      return readTotals(c.var.db, isOfAll ? everybody : account.id);
    },

    'GET /sales': ({ c, account, query }) => {
      requireUnrestricted(c.env, account.role, 'totals');
      const to = query.to ?? dayOf(c.env, Date.now());
      return readSales(c.var.db, query.from ?? addDays(to, -29), to);
    },

    'GET /sources': ({ c, account }) => {
      requireUnrestricted(c.env, account.role, 'totals');
      return readSources(c.var.db);
    },

    'GET /orders.csv': ({ c, account, query }) =>
      csvResponse(
        `orders-${dayOf(c.env, Date.now())}.csv`,
        exportColumns,
        readAllOrders(c.var.db, { ...query, assigneeId: query.mine && account.id }),
      ),
  });

  mount(app, couponCalls, {
    'GET /coupons': ({ c }) => listCoupons(depsOf(c)),

    'POST /add-coupon': ({ c, account, body }) => addCoupon(callerOf(c, account), body),

    'POST /coupon/:id/end': ({ c, account, id }) => endCoupon(callerOf(c, account), id),

    'POST /coupon-price': async ({ c, account, body }) => {
      const deps = depsOf(c);
      return readCouponPrice({ ...deps, account }, body, account?.id ?? clientAddress(deps));
    },
  });
}
