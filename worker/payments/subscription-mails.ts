/**
 * The emails to customers about their subscriptions, and to the business about a cancellation and its undoing. They say
 * what happens next, with a date.
 */
import { displayPrice } from '#contract/money.ts';
import { displayNameOf } from '#contract/packages.ts';
import { displayDate } from '#contract/days.ts';
import { isCustomerDeleted } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import type { Statement } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import type { MailContent } from '../mail/layout.ts';
import { queueMail } from '../mail/outbox.ts';
import { greeting, orderFacts } from '../orders/mails.ts';
import { notifyCustomer } from '../orders/notify.ts';
import type { OrderRecord, SubscriptionRecord } from '../orders/schema.ts';
import type { PaymentContext } from './context.ts';
import { nextPaymentAt, whatNext } from './subscriptions.ts';

interface ChangeMail {
  readonly kind: string;
  /** The beginning of the subject, before the name of the package. */
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

const priceFact = (env: Env, { priceCents, newPriceCents, newPriceFrom }: SubscriptionRecord): string =>
  `${displayPrice(priceCents)} per month${
    newPriceCents === null || newPriceFrom === null
      ? ''
      : `, then ${displayPrice(newPriceCents)} starting ${displayDate(dayOf(env, newPriceFrom))}`
  }`;

const couponFact = (env: Env, { discountCents, discountUntil }: SubscriptionRecord): string =>
  `${displayPrice(discountCents)} off${
    discountUntil === null ? '' : ` until ${displayDate(dayOf(env, discountUntil))}`
  }`;

const subscriptionMail = (
  env: Env,
  siteUrl: string,
  order: OrderRecord,
  row: SubscriptionRecord,
  { kind, subject, paragraphs }: ChangeMail,
): MailContent => ({
  subject: `${subject}: ${displayNameOf(order)} package`,
  paragraphs: [greeting(order), ...paragraphs, whatNext(env, row)],
  facts: [
    ['Package', displayNameOf(order)],
    ['Price', priceFact(env, row)],
    ['Coupon', row.discountCents > 0 && nextPaymentAt(row) !== null ? couponFact(env, row) : ''],
  ],
  action: {
    label: kind === 'failed' ? 'Pay or change the card' : 'See your subscription',
    href: siteUrl + linkTo('subscription', row._id),
  },
});

/** The email about a change; undefined if the customer does not need to know about it. */
function changeMail(before: SubscriptionRecord, after: SubscriptionRecord): ChangeMail | undefined {
  if (after.startedAt === null) return undefined;
  if (before.endedAt === null && after.endedAt !== null)
    return { kind: 'ended', subject: 'Your subscription has ended', paragraphs: [] };
  if (after.failures > before.failures)
    return {
      kind: 'failed',
      subject: 'Your payment failed',
      paragraphs: ['Your bank declined the payment for the next month, or asked you to confirm it first.'],
    };
  if (!before.isEnding && after.isEnding)
    return {
      kind: 'ending',
      subject: 'Your subscription will end',
      paragraphs: [
        after.dueCents > 0
          ? 'Your subscription is cancelled. The payment that failed is still due. You can undo the cancellation until the subscription ends.'
          : 'Your subscription is cancelled. You can undo the cancellation until the subscription ends.',
      ],
    };
  if (before.isEnding && !after.isEnding)
    return {
      kind: 'kept',
      subject: 'Your subscription continues',
      paragraphs: ['Your cancellation has been undone.'],
    };
  if (before.resumesAt === null && after.resumesAt !== null)
    return { kind: 'paused', subject: 'Your subscription is paused', paragraphs: [] };
  if (before.resumesAt !== null && after.resumesAt === null)
    return { kind: 'resumed', subject: 'Your subscription is active again', paragraphs: [] };
  if (after.newPriceCents !== null && after.newPriceCents !== before.newPriceCents)
    return {
      kind: 'price',
      subject: 'The price of your subscription will change',
      paragraphs: [
        `The price will change from ${displayPrice(after.priceCents)} to ${displayPrice(after.newPriceCents)} per month. If you do not want to pay the new price, you can cancel before the first payment at that price.`,
      ],
    };
  if (before.newPriceCents !== null && after.newPriceCents === null && after.priceCents === before.priceCents)
    return {
      kind: 'price-kept',
      subject: 'The price of your subscription will not change',
      paragraphs: [`We will not change the price to ${displayPrice(before.newPriceCents)} after all.`],
    };
  return undefined;
}

/** For the business, when a subscription is cancelled and when that is undone. */
const businessMail = (env: Env, order: OrderRecord, row: SubscriptionRecord): MailContent => ({
  subject: `Subscription ${row.isEnding ? 'cancelled' : 'continues'}: ${displayNameOf(order)}, ${priceFact(env, row)}`,
  paragraphs: row.isEnding
    ? [whatNext(env, row), 'The customer can undo the cancellation until then.']
    : ['The cancellation has been undone.', whatNext(env, row)],
  facts: [...orderFacts(order), ['Customer', order.customerName], ['Email', order.customerEmail]],
  action: {
    label: 'Open the subscription',
    href: env.SITE_URL + linkTo('customerSubscription', row._id),
  },
});

/**
 * The statements that email the customer about a change, and the business about a cancellation and its undoing, for the
 * change's batch.
 * @param newest the newest order, which names the customer
 */
export function changeMails(
  context: Pick<PaymentContext, 'db' | 'env'>,
  newest: OrderRecord,
  before: SubscriptionRecord,
  after: SubscriptionRecord,
): Statement[] {
  const { db, env } = context;
  const told = changeMail(before, after);
  if (!told) return [];
  const toCustomer = notifyCustomer(context, newest, `subscription-${told.kind}`, (siteUrl, order) =>
    subscriptionMail(env, siteUrl, order, after, told),
  );
  if (!['ending', 'kept'].includes(told.kind) || isCustomerDeleted(newest)) return toCustomer;
  const toBusiness = queueMail(db, env, {
    to: env.NOTIFY_EMAIL,
    about: newest._id,
    kind: `subscription-${told.kind}-notice`,
    content: businessMail(env, newest, after),
  });
  return [...toCustomer, toBusiness];
}
