/** The calls for customers, and for the search for customers and orders. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { message } from './inbox.calls.ts';
import { order } from './orders.calls.ts';
import { day, id, moment, pageQuery, searched } from './schemas.ts';

const customer = z.strictObject({
  /** The id of their account; without an account, the id of the first order that was placed for their email. */
  _id: id,
  hasAccount: z.boolean(),
  /** The name on their latest order. */
  name: z.string(),
  email: z.string(),
  /** The company in the profile of their account, or otherwise on their latest order; may be empty. */
  company: z.string(),
  emailVerified: z.boolean(),
  /** When their first order was placed. */
  since: moment,
  /** The number of their orders. */
  orders: z.int(),
  /** The amount that they paid minus refunds, in cents. */
  spentCents: z.int(),
});
export type Customer = Output<typeof customer>;

const customerRecord = customer.extend({
  /** From the profile of their account; may be empty. */
  phone: z.string(),
  website: z.string(),
  /** The monthly revenue from the customer's subscriptions, in cents. */
  monthlyCents: z.int(),
  /** Newest first. */
  newestOrders: z.array(order),
  /** Messages from the contact form with the customer's email, newest first; none while the email is unverified. */
  messages: z.array(message),
});
export type CustomerRecord = Output<typeof customerRecord>;

const searchResult = z.strictObject({
  customers: z.array(customer),
  /** The order with the searched number, id or Stripe id, then the newest orders with the searched price. */
  orders: z.array(
    order
      .pick({
        _id: true,
        number: true,
        packageName: true,
        displayName: true,
        customerName: true,
        paymentStatus: true,
        orderStatus: true,
      })
      .extend({
        priceCents: z.int(),
      }),
  ),
  /** Newest first. */
  messages: z.array(message.pick({ _id: true, name: true, email: true, subject: true })),
});
export type SearchResult = Output<typeof searchResult>;

/** Only counts. Other calls list the records. */
const inboxCounts = z.strictObject({
  /** Lines of the attention list. */
  attention: z.int(),
  /** Unread messages from the contact form, and those whose sender has answered our reply. */
  messages: z.int(),
  /** Orders with customer messages that no staff member has read; the caller's own orders do not count. */
  conversations: z.int(),
  /** Orders that are paid and not delivered. */
  toDeliver: z.int(),
  unpaid: z.int(),
  /** All orders. If the number changes, there is a new order. */
  orders: z.int(),
});
export type InboxCounts = Output<typeof inboxCounts>;

/** What a line of `GET /due` is about. */
const dueKinds = ['step', 'brief', 'unpaid', 'message', 'reply'] as const;

const dueItem = z.strictObject({
  /** Unique in the list. */
  _id: z.string(),
  /**
   * - `step`: a step of a plan that is not done.
   * - `brief`: an order whose customer has not answered the questions.
   * - `unpaid`: an order that is not paid.
   * - `message`: an unread message from the contact form.
   * - `reply`: a message whose sender has answered our reply.
   */
  kind: z.enum(dueKinds),
  /** The id of the order or message. */
  recordId: id,
  title: z.string(),
  /** The number of the order; null for a message. */
  number: z.int().nullable(),
  /** The name of the customer or sender. */
  name: z.string(),
  /** When it is or was due; for unpaid orders and messages, the day they arrived. */
  day,
  /** Whether it is assigned to the caller. */
  isMine: z.boolean(),
});
export type DueItem = Output<typeof dueItem>;

const due = z.strictObject({
  /** The current day in the site's time zone. */
  today: day,
  /**
   * Items assigned to the caller first, then by day. At most ten of each kind, plus ten of each kind assigned to the
   * caller.
   */
  items: z.array(dueItem),
});
export type Due = Output<typeof due>;

export const customerCalls = {
  'GET /customers': {
    about:
      'Lists everyone who has ordered, with or without an account, newest first. With `q`, lists the newest 100 customers whose name, email, company or phone contains words that begin with it.',
    who: 'customers',
    query: pageQuery.extend({ q: searched.optional() }),
    answer: z.array(customer),
  },
  'GET /customer/:id': {
    about: 'Returns one customer: who they are, and what they ordered, spent and wrote.',
    who: 'customers',
    answer: customerRecord,
  },
  'GET /waiting': {
    about:
      'Counts what waits for the staff. Open screens make this call repeatedly. What the caller may not see counts as zero.',
    who: 'staff',
    background: true,
    answer: inboxCounts,
    headers: ['If-None-Match'],
  },
  'GET /due': {
    about:
      'Lists what is due today and in the coming six days: steps, missing answers, unpaid orders, unread messages. What the caller may not see is left out.',
    who: 'staff',
    answer: due,
  },
  'GET /search': {
    about:
      'Finds a few customers by name, email, company or phone; orders by number, price or an id at Stripe; and new messages by sender, phone or subject. A query of fewer than two characters finds nothing.',
    who: 'customers',
    query: z.strictObject({ q: searched.default('') }),
    answer: searchResult,
  },
} as const satisfies CallTable;
