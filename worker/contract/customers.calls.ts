/** The calls on customers, and the search over customers and orders. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { message } from './inbox.calls.ts';
import { order } from './orders.calls.ts';
import { id, line, moment, pageQuery } from './schemas.ts';

export const customer = z.strictObject({
  /** The id of their account; of somebody who has none, that of the first order that was placed for their email. */
  _id: id,
  hasAccount: z.boolean(),
  /** As their last order gives it. */
  name: z.string(),
  email: z.string(),
  emailVerified: z.boolean(),
  /** When their first order was placed. */
  since: moment,
  /** How many. */
  orders: z.int(),
  /** What they have paid and not got back, in cents. */
  spentCents: z.int(),
});
export type Customer = Output<typeof customer>;

export const customerNote = z.strictObject({
  _id: id,
  text: z.string(),
  at: moment,
  /** Email of who wrote it; empty once their account was deleted. */
  by: z.string(),
});
export type CustomerNote = Output<typeof customerNote>;

export const customerRecord = z.strictObject({
  ...customer.shape,
  /** What they say of themselves in their account; empty where they say nothing. */
  company: z.string(),
  phone: z.string(),
  website: z.string(),
  /** Their newest orders, newest first. */
  newestOrders: z.array(order),
  /** Their newest messages of the contact form, by the same verified email, newest first; none while it is not verified. */
  messages: z.array(message),
});
export type CustomerRecord = Output<typeof customerRecord>;

const searched = z.string().trim().max(200, 'At most 200 characters.');

export const searchResult = z.strictObject({
  customers: z.array(customer),
  orders: z.array(
    z.strictObject({ _id: id, number: z.int(), packageName: z.string(), customerName: z.string() }),
  ),
});
export type SearchResult = Output<typeof searchResult>;

/** Counts alone: what each of them counts has a list of its own. */
export const waiting = z.strictObject({
  /** Lines of what needs a person. */
  attention: z.int(),
  /** Messages of the contact form that nobody has read. */
  messages: z.int(),
  /** Orders whose customers have written what none of us has read; the caller's own orders do not count. */
  conversations: z.int(),
  /** Orders that are paid and not delivered. */
  toDeliver: z.int(),
  unpaid: z.int(),
  /** All orders: another number, and there is a new one. */
  orders: z.int(),
});
export type InboxCounts = Output<typeof waiting>;

export const customerCalls = {
  'GET /customers': {
    about:
      'Everybody who has ordered, with an account or without, the newest first; with `q`, the newest 100 in whose name or email words begin so.',
    who: 'customers',
    query: z.strictObject({ ...pageQuery.shape, q: searched.optional() }),
    answer: z.array(customer),
  },
  'GET /customer/:id': {
    about: 'One customer: who they are, what they ordered, spent and wrote.',
    who: 'customers',
    answer: customerRecord,
  },
  'GET /customer/:id/notes': {
    about: 'What the staff notes about a customer, newest first.',
    who: 'customers',
    query: pageQuery,
    answer: z.array(customerNote),
  },
  'POST /customer/:id/notes': {
    about: 'Notes something about a customer, for the staff alone.',
    who: 'customers',
    body: z.strictObject({ text: line('Please type the note.', 5_000) }),
    answer: customerNote,
    status: 201,
    headers: ['Idempotency-Key'],
  },
  'DELETE /customer-note/:id': { about: 'Deletes a note.', who: 'customers', audited: 'removal' },
  'GET /waiting': {
    about:
      'How much waits for the staff, in counts: what a screen asks for again and again. What the caller may not see counts as none.',
    who: 'staff',
    background: true,
    answer: waiting,
    headers: ['If-None-Match'],
  },
  'GET /search': {
    about:
      'Finds a few customers by email or name, and an order by its number. Less than two characters find nothing.',
    who: 'customers',
    query: z.strictObject({ q: searched.default('') }),
    answer: searchResult,
  },
} as const satisfies CallTable;
