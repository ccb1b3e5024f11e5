/** What counts as a response from Stripe, and what counts as an outage. The test controls the network. */
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  cancelIntent,
  findIntent,
  findModeProblem,
  idOf,
  isKeyInUse,
  isLiveKey,
  isReceiptRefused,
  isRefusal,
  openStripe,
  orUndefinedIf404,
  verifyEvent,
} from './stripe.ts';

const answers: (() => Response)[] = [];
const asked: { method: string; url: string; key: string | null; body: string }[] = [];
const fetched = vi.fn(async (input: RequestInfo | URL, init?: RequestInit) => {
  const request = new Request(input, init);
  asked.push({
    method: request.method,
    url: request.url,
    key: request.headers.get('Idempotency-Key'),
    body: await request.text(),
  });
  const answer = answers.shift();
  if (!answer) throw new TypeError('The network is down.');
  return answer();
});
const json =
  (body: unknown, status = 200) =>
  () =>
    new Response(JSON.stringify(body), { status });
const intent = (status: string) => json({ id: 'pi_1', object: 'payment_intent', status, metadata: {} });
const refusal = (code: string, status = 400) =>
  json({ error: { type: 'invalid_request_error', code, message: 'No.' } }, status);

const settings = { STRIPE_SECRET_KEY: 'sk_test_a' };
const stripe = openStripe(settings);

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  vi.unstubAllGlobals();
  [answers.length, asked.length] = [0, 0];
});

test('The client calls Stripe unless the settings name another API with its protocol and port', async () => {
  for (const address of [undefined, 'http://127.0.0.1:4242', 'https://stripe.test:8443']) {
    answers.push(intent('canceled'));
    await findIntent(openStripe({ ...settings, ...(address && { STRIPE_API_URL: address }) }), 'pi_1');
  }
  expect(asked.map(({ url }) => new URL(url).origin)).toEqual([
    'https://api.stripe.com',
    'http://127.0.0.1:4242',
    'https://stripe.test:8443',
  ]);
});

test('An intent is retrieved with its charge, which contains the payment method and Stripe’s fee', async () => {
  answers.push(intent('succeeded'));
  expect(await findIntent(stripe, 'pi_1')).toMatchObject({ id: 'pi_1', status: 'succeeded' });
  expect(new URL(asked[0]?.url ?? '').search).toBe('?expand[0]=latest_charge.balance_transaction');
});

test('A restricted key that may not read fees gets the intent without them', async () => {
  const denied = { error: { type: 'invalid_request_error', message: 'The key may not.' } };
  answers.push(json(denied, 403), intent('succeeded'));
  expect(await findIntent(stripe, 'pi_1')).toMatchObject({ status: 'succeeded' });
  expect(asked.map(({ url }) => new URL(url).search)).toEqual([
    '?expand[0]=latest_charge.balance_transaction',
    '?expand[0]=latest_charge',
  ]);
});

test.each([
  ['the page of a proxy', () => new Response('<html>Please log in</html>')],
  ['half an answer', () => new Response('{"id":"pi_1","obj')],
  ['nothing', () => new Response('null')],
  ['a text', () => new Response('"ok"')],
  ['an unknown object', () => new Response('{"ok":true}')],
])(
  'A success with %s counts as a lost connection and is retried once under the same key',
  async (_, answer) => {
    const create = () => stripe.refunds.create({ payment_intent: 'pi_1' }, { idempotencyKey: 'once' });
    answers.push(answer, json({ id: 're_1', object: 'refund' }));
    expect(await create()).toMatchObject({ id: 're_1' });
    expect(asked.map(({ key }) => key)).toEqual(['once', 'once']);
    answers.push(answer, answer, json({ id: 're_1', object: 'refund' }));
    await expect(create()).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(asked).toHaveLength(4);
  },
);

test('A refusal keeps Stripe’s code and message', async () => {
  answers.push(refusal('charge_disputed'));
  const error: unknown = await stripe.refunds
    .create({ payment_intent: 'pi_1' })
    .catch((thrown: unknown) => thrown);
  expect([isRefusal(error, 'charge_disputed'), isRefusal(error, 'resource_missing')]).toEqual([true, false]);
  expect(isRefusal(Object.assign(new Error('No.'), { code: 'charge_disputed' }), 'charge_disputed')).toBe(
    false,
  );
});

test('Only an error that names the email counts as a refused receipt', async () => {
  const thrown = (error: object, status = 400): Promise<unknown> => {
    answers.push(json({ error: { message: 'No.', ...error } }, status));
    return stripe.paymentIntents.create({ amount: 50, currency: 'usd' }).catch((one: unknown) => one);
  };
  const type = 'invalid_request_error';
  expect([
    isReceiptRefused(await thrown({ type, code: 'email_invalid' })),
    isReceiptRefused(await thrown({ type, param: 'receipt_email' })),
    isReceiptRefused(await thrown({ type, param: 'amount' })),
    isReceiptRefused(await thrown({ type: 'card_error', param: 'receipt_email' }, 402)),
    isKeyInUse(Object.assign(new Error('No.'), { code: 'idempotency_key_in_use' })),
  ]).toEqual([true, true, false, false, false]);
});

test('A missing object is undefined, and any other refusal is thrown', async () => {
  answers.push(refusal('resource_missing', 404), refusal('resource_missing', 404));
  const findDispute = () => orUndefinedIf404(stripe.disputes.retrieve('du_1'));
  expect([await findIntent(stripe, 'pi_1'), await findDispute()]).toEqual([undefined, undefined]);
  answers.push(refusal('account_invalid', 403));
  await expect(findDispute()).rejects.toMatchObject({ code: 'account_invalid' });
  expect(await orUndefinedIf404(Promise.resolve(7))).toBe(7);
});

test('Cancelling returns an intent that can no longer be cancelled unchanged, and undefined for a missing one', async () => {
  answers.push(intent('canceled'));
  expect(await cancelIntent(stripe, 'pi_1')).toMatchObject({ status: 'canceled' });
  answers.push(refusal('payment_intent_unexpected_state'), intent('succeeded'));
  expect(await cancelIntent(stripe, 'pi_1')).toMatchObject({ status: 'succeeded' });
  answers.push(refusal('resource_missing', 404));
  expect(await cancelIntent(stripe, 'pi_1')).toBeUndefined();
  answers.push(refusal('lock_timeout', 400), intent('requires_payment_method'));
  await expect(cancelIntent(stripe, 'pi_1')).rejects.toMatchObject({ code: 'lock_timeout' });
});

test('Cancelling the first payment of a subscription leaves the subscription alone once the payment is over', async () => {
  for (const status of ['succeeded', 'processing', 'canceled']) {
    const metadata = { subscription: 'sub_1' };
    answers.push(refusal('of_an_invoice'), json({ id: 'pi_1', object: 'payment_intent', status, metadata }));
    expect(await cancelIntent(stripe, 'pi_1')).toMatchObject({ status });
  }
});

test('The prefix distinguishes test keys from live keys', () => {
  const live = ['sk_live_a', 'rk_live_a', 'pk_live_a'];
  const others = ['sk_test_a', 'pk_test_live_', 'xsk_live_a', 'whsec_live_a'];
  expect([live.map(isLiveKey), others.map(isLiveKey)]).toEqual([
    [true, true, true],
    [false, false, false, false],
  ]);
  expect(findModeProblem(settings, 'pk_test_b')).toBeUndefined();
  expect(findModeProblem({ STRIPE_SECRET_KEY: 'rk_live_a' }, 'pk_live_b')).toBeUndefined();
  expect(findModeProblem(settings, 'pk_live_b')).toBe(
    "This is a live key, and the site's secret key is a test key. Use the publishable key that begins with pk_test_.",
  );
});

test('An event is accepted if one of the secrets signed it recently', async () => {
  const body = JSON.stringify({ id: 'evt_1', object: 'event' });
  const sign = (secret: string, timestamp?: number) =>
    Stripe.webhooks.generateTestHeaderStringAsync({ payload: body, secret, ...(timestamp && { timestamp }) });
  const verify = async (secrets: string, signature: Promise<string>, text = body) =>
    (await verifyEvent(stripe, secrets, text, await signature))?.id;
  expect(await verify('whsec_new, whsec_old', sign('whsec_old'))).toBe('evt_1');
  expect(await verify('whsec_new', sign('whsec_new'))).toBe('evt_1');
  expect(await verify('whsec_new', sign('whsec_old'))).toBeUndefined();
  expect(await verify('whsec_new', sign('whsec_new'), `${body} `)).toBeUndefined();
  expect(await verify('whsec_new', sign('whsec_new', Math.floor(Date.now() / 1_000) - 301))).toBeUndefined();
});

test('A reference yields its id, expanded or not', () => {
  expect([idOf('pi_1'), idOf({ id: 'pi_1' }), idOf(null), idOf(undefined)]).toEqual([
    'pi_1',
    'pi_1',
    undefined,
    undefined,
  ]);
});
