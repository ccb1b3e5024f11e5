/** What staff read about an open dispute. */
import { expect, test } from 'vitest';
import type { Env } from '../env.ts';
import { disputeToAnswer, refundObstacle } from './open-disputes.ts';
import type { DisputeRecord } from './schema.ts';

const disputeWith = (dispute: Partial<DisputeRecord>): DisputeRecord => ({
  _id: 'a',
  disputeId: 'du_1',
  orderId: 'order',
  paymentIntentId: 'pi_1',
  amountCents: 49_900,
  reason: 'nonsense',
  status: 'needs_response',
  evidenceDueAt: Date.UTC(2100, 0, 2),
  openedAt: 5,
  closedAt: null,
  ...dispute,
});
const lineOf = (dispute: Partial<DisputeRecord>, settings: Partial<Env> = {}) =>
  disputeToAnswer({ STRIPE_SECRET_KEY: 'sk_test_a', SITE_TIMEZONE: 'UTC', ...settings } as Env, {
    number: 1042,
    dispute: disputeWith(dispute),
  });
const taken =
  "The customer's bank has taken back a card payment of $499 for order #1042: the bank gave no reason.";

test.each<[Partial<DisputeRecord>, string]>([
  [
    {},
    `${taken} Send your evidence in Stripe, or accept the dispute there. The last day for evidence is 01/02/2100.`,
  ],
  [
    { evidenceDueAt: Date.UTC(2020, 0, 2) },
    `${taken} The last day for evidence was 01/02/2020; the bank decides without it.`,
  ],
  [{ evidenceDueAt: null }, `${taken} Check in Stripe what you can do.`],
  [
    { status: 'under_review' },
    `${taken} The bank is reviewing your evidence. There is nothing to do right now.`,
  ],
  [
    { status: 'warning_under_review' },
    "The customer's bank is asking about a card payment of $499 for order #1042, which it has not taken back: the bank gave no reason. The bank is reviewing your evidence. There is nothing to do right now.",
  ],
])('The text of a dispute that is %o says what to do, and by when', (dispute, text) => {
  expect(lineOf(dispute)).toEqual({
    _id: 'a',
    kind: 'dispute',
    text,
    orderId: 'order',
    stripeUrl: 'https://dashboard.stripe.com/test/disputes/du_1',
    at: '1970-01-01T00:00:00.005Z',
  });
});

test('The last day is in the site’s time zone, and the link opens the dashboard in the mode of the key', () => {
  const line = lineOf({}, { SITE_TIMEZONE: 'America/New_York', STRIPE_SECRET_KEY: 'sk_live_a' });
  expect(line.text).toContain('01/01/2100');
  expect(line.stripeUrl).toBe('https://dashboard.stripe.com/disputes/du_1');
});

test('A dispute blocks a refund, but an inquiry or a won dispute does not', () => {
  const obstacleOf = (status: string, closedAt: number | null = null) =>
    refundObstacle([disputeWith({ status, closedAt })]);
  expect(obstacleOf('needs_response')).toContain('until it is decided');
  expect(obstacleOf('lost', 6)).toContain('nothing left to refund');
  expect([obstacleOf('warning_needs_response'), obstacleOf('won', 6)]).toEqual(['', '']);
});
