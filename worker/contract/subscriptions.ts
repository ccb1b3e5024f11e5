/** Words and dates of subscriptions. The schemas of their calls are in `subscriptions.calls.ts`. */

/**
 * - `new`: ordered, but the first payment has not arrived.
 * - `active`: renews every month.
 * - `paused`: nothing is charged for a while, then it renews again.
 * - `ending`: ends with the month that is already paid.
 * - `failed`: the last renewal could not be charged, and Stripe tries again.
 * - `onHold`: Stripe does not try again.
 * - `ended`: nothing is charged anymore.
 */
export const subscriptionStates = ['new', 'active', 'paused', 'ending', 'failed', 'onHold', 'ended'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export const subscriptionStateTexts: Readonly<Record<SubscriptionState, string>> = {
  new: 'Awaiting first payment',
  active: 'Active',
  paused: 'Paused',
  ending: 'Ends soon',
  failed: 'Payment failed',
  onHold: 'On hold',
  ended: 'Ended',
};

export const maxPausedMonths = 3;

/** How many days before a renewal the customer is notified of a new price. */
export const priceNoticeDays = 30;

/**
 * The renewal a number of months after another, on the same day of the month as the first period, or on the last day of
 * a shorter month. Stripe counts the same way (https://docs.stripe.com/billing/subscriptions/billing-cycle).
 * @param renewal time in ms
 * @param startedAt when the first period began, in ms
 */
export function renewalAfter(renewal: number, months: number, startedAt: number): number {
  const from = new Date(renewal);
  const month = from.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(new Date(startedAt).getUTCDate(), lastDay);
  return Date.UTC(from.getUTCFullYear(), month, day) + (renewal % 86_400_000);
}
