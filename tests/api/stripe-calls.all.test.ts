/**
 * How often the site calls Stripe in a day, by every cron job and every request. docs/operations.md ("Calls to Stripe")
 * lists the same figures.
 */
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectStripe, untilDelivered } from '#dev/stripe/testing.ts';
import { cronTriggers } from '#worker/operations/jobs.ts';
import { registerVerified, type Member } from '../support/cast.ts';
import { openSystem, secretsOfCopies, type InProcessSystem } from '../support/in-process-system.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';

let system: InProcessSystem;
let customer: Member;
/** The site's calls, such as `GET /v1/events`. The payer's browser confirms the payment, which is not counted. */
let calls: string[] = [];
let isAway = false;

/** Moves the database's own clock along with the test's: the response to `SELECT unixepoch() AS seconds`. */
async function moveSeconds(answer: Response): Promise<Response> {
  const text = await answer.text();
  const moved = text.includes('"name":"seconds"')
    ? text.replace(/(?<="value":")\d{10}(?=")/, String(Math.floor(Date.now() / 1_000)))
    : text;
  return new Response(moved, answer);
}

beforeAll(async () => {
  system = await openSystem();
  customer = await registerVerified(system.url);
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { origin, pathname } = new URL(input instanceof Request ? input.url : input);
    if (origin === new URL(system.database.url).origin) return moveSeconds(await fetch(input, init));
    if (origin !== system.stripe.url) return fetch(input, init);
    if (!pathname.endsWith('/confirm'))
      calls.push(`${init?.method ?? 'GET'} ${pathname.replace(/\/(pi|pii|dp|ch)_\w+/, '/:id')}`);
    return isAway ? Promise.reject(new TypeError('The connection is closed.')) : fetch(input, init);
  });
  // The client's pause before its second attempt.
  vi.spyOn(Stripe.prototype, 'getInitialNetworkRetryDelay').mockReturnValue(0);
  vi.spyOn(Stripe.prototype, 'getMaxNetworkRetryDelay').mockReturnValue(0);
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterAll(() => system.stop());

const untilStripeIsDone = async () => {
  await untilDelivered(connectStripe(system.stripe.port, secretsOfCopies.STRIPE_SECRET_KEY));
  await system.worker.settle();
};

/**
 * Fires the cron triggers.
 * @param everyMinutes the pause between two runs of the every-minute trigger. Even with 60, a job that calls Stripe at
 *   every run would be far above its figure.
 */
async function passMinutes(minutes: number, everyMinutes = 1): Promise<void> {
  for (let passed = 0; passed < minutes; passed += everyMinutes) {
    vi.setSystemTime(Date.now() + everyMinutes * 60_000);
    await system.worker.tick();
    if (passed % 60 === 0) await system.worker.tick(cronTriggers.hourly);
    if (passed % 1_440 === 180) await system.worker.tick(cronTriggers.nightly);
  }
  if (!isAway) await untilStripeIsDone();
}

/** How often each call was made since the last count. */
function countCalls(): Readonly<Record<string, number>> {
  const counted = Object.fromEntries(
    Object.entries(Object.groupBy(calls, (call) => call)).map(([call, all]) => [call, all?.length ?? 0]),
  );
  calls = [];
  return counted;
}

const passDay = () => passMinutes(1_440, 60);

const sumOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

test('Calls to Stripe stay within the documented figures when idle, during a sale, a dispute and an outage', async () => {
  await passMinutes(60, 60);
  countCalls();
  await passMinutes(60);
  expect(countCalls()).toEqual({ 'GET /v1/events': 6 });
  await passDay();
  const idle = { 'GET /v1/events': 24, 'POST /v1/tokens': 1, 'GET /v1/tokens/:id': 1 };
  expect(countCalls()).toEqual(idle);

  const order = await placeOrder(customer);
  const secret = await clientSecretFor(customer, order);
  // A person who looks for their card.
  await passMinutes(1);
  const { id } = await confirmCard(customer, system.stripe.url, secret);
  await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  await untilStripeIsDone();
  expect((await customer.get(`/api/order/${order._id}`)).json).toMatchObject({ paymentStatus: 'Paid' });
  const sale = countCalls();
  expect(sumOf(sale), JSON.stringify(sale)).toBeLessThanOrEqual(6);
  await passDay();
  expect(countCalls()).toEqual({ ...idle, 'GET /v1/payment_intents/:id': 1 });

  system.stripe.controls.dispute({ paymentIntent: id });
  await untilStripeIsDone();
  const dispute = countCalls();
  expect(sumOf(dispute), JSON.stringify(dispute)).toBeLessThanOrEqual(6);
  await passDay();
  expect(countCalls()).toEqual({ ...idle, 'GET /v1/disputes/:id': 4 });

  isAway = true;
  await passMinutes(30);
  isAway = false;
  const away = countCalls();
  expect(sumOf(away), JSON.stringify(away)).toBeLessThanOrEqual(8);
  await passMinutes(30);
  expect(sumOf(countCalls())).toBeLessThanOrEqual(7);
});
