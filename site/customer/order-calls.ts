/** The calls that the customer's screens make about orders. */
import { api } from '../app/call.ts';

/** `own`, because an administrator who is a customer too would otherwise be told everybody's. */
export const readOwnTotals = async (signal: AbortSignal) =>
  (await api('GET /order-totals', { query: { own: 'true' }, signal })).data;

/** The customer's own orders that wait for them, and their newest ones, with the work on each. */
export const readOwnWork = async (signal: AbortSignal) => (await api('GET /own-work', { signal })).data;

/** The customer's own orders with messages that they have not read. */
export const readOwnUnread = async (signal: AbortSignal) =>
  (await api('GET /unread-messages', { query: { own: 'true' }, signal })).data;

/** What has happened to an order, oldest first. */
export const readTimeline = async (id: string, signal: AbortSignal) =>
  (await api('GET /order/:id/timeline', { id, signal })).data;

/** What was returned of an order, oldest first. */
export const readRefunds = async (id: string, signal: AbortSignal) =>
  (await api('GET /order/:id/refunds', { id, signal })).data.refunds;
