/** The calls that the customer's screens make about orders. */
import { pageSizes } from '#contract/paging.ts';
import { makeCall } from '../shared/call.ts';

/** The newest of the customer's own orders. */
export const readNewestOrders = async (signal: AbortSignal) =>
  (
    await makeCall('GET /orders', {
      query: { page: 1, pageSize: pageSizes.customerOrders, own: 'true' },
      signal,
    })
  ).data;

/** `own`, because an administrator who is a customer too would otherwise be told everybody's. */
export const readOwnTotals = async (signal: AbortSignal) =>
  (await makeCall('GET /order-totals', { query: { own: 'true' }, signal })).data;

/** How far the work on the newest of the customer's own orders has got. */
export const readOwnWork = async (signal: AbortSignal) => (await makeCall('GET /own-work', { signal })).data;

/** The customer's own orders with messages that they have not read. */
export const readOwnUnread = async (signal: AbortSignal) =>
  (await makeCall('GET /unread-messages', { query: { own: 'true' }, signal })).data;

/** What has happened to an order, oldest first. */
export const readTimeline = async (id: string, signal: AbortSignal) =>
  (await makeCall('GET /order/:id/timeline', { id, signal })).data;

/** What was returned of an order, oldest first. */
export const readRefunds = async (id: string, signal: AbortSignal) =>
  (await makeCall('GET /order/:id/refunds', { id, signal })).data.refunds;
