/** When an order must wait after declined cards, based on Stripe's charges. */
import Stripe from 'stripe';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Env } from '../env.ts';
import type { PaymentContext } from './context.ts';
import { refuseWhileWaiting, reviewDeclines } from './declines.ts';

const now = 1_800_000_000_000;
const minute = 60_000;

beforeEach(() => void vi.useFakeTimers({ now }));

const intentOf = (status: string, latest_charge: string | null = 'ch_1') =>
  ({ id: 'pi_1', status, latest_charge }) as Stripe.PaymentIntent;
const failed = (minutesAgo: number) => ({ status: 'failed', created: (now - minutesAgo * minute) / 1_000 });

/**
 * Reviews an intent with these charges.
 * @returns the result, and the calls to Stripe
 */
async function review(intent: Stripe.PaymentIntent, charges: readonly object[], isGone = false) {
  const asked: unknown[] = [];
  const gone = Stripe.errors.StripeError.generate({
    type: 'invalid_request_error',
    statusCode: 404,
    code: 'resource_missing',
  });
  const context = {
    env: { LIMIT_DECLINES: '3' } as Partial<Env> as Env,
    beforeStep: (step: string) => Promise.resolve(void asked.push(step)),
    stripe: {
      charges: {
        list: (params: object) => {
          asked.push(params);
          return Promise.resolve({ data: charges });
        },
      },
      paymentIntents: {
        cancel: () => (isGone ? Promise.reject(gone) : Promise.resolve(intentOf('canceled'))),
      },
    },
  } as unknown as PaymentContext;
  return { ...(await reviewDeclines(context, intent)), asked };
}

test.each([
  ['nobody has tried', intentOf('requires_payment_method', null)],
  ['has succeeded', intentOf('succeeded')],
  ['the bank works on', intentOf('processing')],
])('A payment that %s is not reviewed', async (_, intent) => {
  expect(await review(intent, [])).toEqual({ intent, waitsUntil: 0, asked: [] });
});

test('Below the limit a payment continues, whatever the outcome of its other charges', async () => {
  const intent = intentOf('requires_payment_method');
  const charges = [
    failed(1),
    failed(2),
    { status: 'succeeded', created: 0 },
    { status: 'pending', created: 0 },
  ];
  expect(await review(intent, charges)).toEqual({
    intent,
    waitsUntil: 0,
    asked: [{ payment_intent: 'pi_1', limit: 100 }],
  });
});

test('At the limit the payment is cancelled, and its order waits from the last decline', async () => {
  const charges = [failed(9), failed(2), failed(5)];
  const listed = { payment_intent: 'pi_1', limit: 100 };
  const waitsUntil = now + 13 * minute;
  expect(await review(intentOf('requires_payment_method'), charges)).toEqual({
    intent: intentOf('canceled'),
    waitsUntil,
    asked: [listed, 'close intent'],
  });
  const cancelled = intentOf('canceled');
  expect(await review(cancelled, charges)).toEqual({ intent: cancelled, waitsUntil, asked: [listed] });
  const open = intentOf('requires_action');
  expect((await review(open, charges, true)).intent).toBe(open);
});

test('A payer who returns too early sees how long to wait, and can pay after that', () => {
  expect(() => refuseWhileWaiting(0)).not.toThrow();
  expect(() => refuseWhileWaiting(now)).not.toThrow();
  expect(() => refuseWhileWaiting(now + 1)).toThrow(
    expect.objectContaining({ status: 429, headers: { 'Retry-After': '1' } }),
  );
  expect(() => refuseWhileWaiting(now + 90_001)).toThrow(
    expect.objectContaining({
      headers: { 'Retry-After': '91' },
      message: expect.stringContaining(
        'Too many cards were declined for this order. Please wait 2 minutes',
      ) as string,
    }),
  );
});
