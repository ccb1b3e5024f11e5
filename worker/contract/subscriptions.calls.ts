/** The calls for subscriptions to monthly packages. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { isPrice, priceProblem } from './money.ts';
import { order } from './orders.calls.ts';
import { packageNames } from './orders.ts';
import { id, own, pageQuery } from './schemas.ts';
import { maxPausedMonths, subscriptionStates } from './subscriptions.ts';

/** A day as MM/DD/YYYY in the site's time zone. */
const date = z.string();

/** A subscription, for its owner and for staff. */
export const subscription = z.strictObject({
  _id: id,
  /** The first order. */
  orderId: id,
  /** The order of the newest month. */
  newestOrderId: id,
  displayName: z.string(),
  customerName: z.string(),
  customerEmail: z.string(),
  state: z.enum(subscriptionStates),
  /** The price per month, as a decimal string. */
  price: z.string(),
  /** The announced new price, and the first renewal that charges it; null if there is none. */
  newPrice: z.string().nullable(),
  newPriceOn: date.nullable(),
  /** The next payment; null if there is none. */
  nextPaymentOn: date.nullable(),
  nextAmount: z.string().nullable(),
  /** When the next payment is due after a pause of one, two or three months; empty if it cannot be paused now. */
  pauses: z.array(date),
  /** Whether it ends with the current month, and when that month ends; null before the first payment. */
  isEnding: z.boolean(),
  monthEndsOn: date.nullable(),
  /** The card that renewals charge, such as 'Visa ending in 4242'; empty if unknown. */
  card: z.string(),
  /** Stripe's page for making the failed payment; empty if none failed. */
  invoiceUrl: z.string(),
  /** When the first payment arrived; null before that. */
  startedOn: date.nullable(),
  endedOn: date.nullable(),
  /** What happens next, and when, in sentences. */
  whatNext: z.string(),
});
export type Subscription = Output<typeof subscription>;

const subscriptionsQuery = pageQuery.extend({
  own,
  /** `live`: only those that have not ended. */
  state: z.enum(['live'], { error: 'Send state=live or leave it out.' }).optional(),
  accountId: id.optional(),
});

/** A price per month as a decimal string. */
const newPrice = z.strictObject({
  price: z.string({ error: 'Send the price.' }).trim().refine(isPrice, priceProblem),
});

const subscriptionTotals = z.strictObject({
  /** Subscriptions that will renew, and their monthly revenue, in cents. */
  renewing: z.int(),
  monthlyCents: z.int(),
  /** How many started, ended, and failed to renew since the first of this month. */
  newThisMonth: z.int(),
  lostThisMonth: z.int(),
  failedThisMonth: z.int(),
  /** Subscriptions whose price can be changed, and their monthly price without coupons, in cents. */
  byPackage: z.array(
    z.strictObject({
      packageName: z.string(),
      displayName: z.string(),
      subscriptions: z.int(),
      monthlyCents: z.int(),
    }),
  ),
});
export type SubscriptionTotals = Output<typeof subscriptionTotals>;

const change = {
  who: 'account',
  answer: subscription,
  problems: [409],
} as const;

export const subscriptionCalls = {
  'GET /subscriptions': {
    about: "Lists the caller's own subscriptions, or all for staff who do not send `own`, newest first.",
    who: 'account',
    query: subscriptionsQuery,
    answer: z.array(subscription),
  },
  'GET /subscription-totals': {
    about: 'Returns what subscriptions bring in per month, and how many began, ended and failed this month.',
    who: 'orders',
    answer: subscriptionTotals,
  },
  'GET /subscription/:id': {
    about: 'Returns one subscription, to its owner and to the staff.',
    who: 'account',
    answer: subscription,
  },
  'GET /subscription/:id/orders': {
    about: 'Lists the orders of a subscription, one for each month, newest first. At most 120.',
    who: 'account',
    answer: z.array(order),
  },
  'POST /subscription/:id/pause': {
    ...change,
    about: 'Skips the next one to three payments.',
    body: z.strictObject({
      months: z
        .int({ error: 'Send the number of months.' })
        .min(1, 'Pause for at least one month.')
        .max(maxPausedMonths, `Pause for at most ${maxPausedMonths} months.`),
    }),
  },
  'POST /subscription/:id/resume': { ...change, about: 'Ends a pause.' },
  'POST /subscription/:id/cancel': {
    ...change,
    about: 'Ends the subscription when the paid month is over.',
  },
  'POST /subscription/:id/keep': {
    ...change,
    about: 'Undoes a cancellation, before the paid month is over.',
  },
  'POST /subscription/:id/portal': {
    about: "Returns the address of Stripe's page on which the owner changes the card.",
    who: 'account',
    answer: z.strictObject({ url: z.string() }),
    problems: [409],
  },
  'POST /subscription/:id/price': {
    ...change,
    who: 'administrator',
    about:
      'Changes the price from the first renewal that is at least 30 days away, and emails the customer. Sending the current price cancels an announced change.',
    body: newPrice,
  },
  'POST /subscription-prices': {
    who: 'administrator',
    about:
      'Changes the price of all subscriptions to a package, as `POST /subscription/:id/price` does for one. Returns how many it announced the price to, and how many it had to leave unchanged.',
    body: newPrice.extend({ packageName: z.enum(packageNames) }),
    answer: z.strictObject({ changed: z.int(), left: z.int() }),
    audited: 'subscription',
  },
} as const satisfies CallTable;
