/** The publishable key, through its API calls. */
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startStripeEmulator } from '#dev/stripe/server.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { auditEvents, settingEvents } from '#worker/audit/schema.ts';
import { newId } from '#contract/ids.ts';
import { mountPayments } from '#worker/payments/routes.ts';
import { readAttention } from '#worker/attention/attention.ts';
import { openPaymentContext } from '#worker/payments/context.ts';
import { checkKeyWhenDue } from '#worker/payments/key-check.ts';
import { paymentIntents, stripeKeys } from '#worker/payments/schema.ts';
import { contentHistory, publications } from '#worker/content/schema.ts';
import { fullSize } from '../support/limits.ts';
import type { Visitor } from '../support/visitor.ts';
import { type AccountsApp, openAccountsApp } from './accounts-app.ts';

const setupToken = 'the-token-of-the-first-run';
const [one, two] = ['pk_test_one', 'pk_test_two'];

interface Listed {
  readonly _id: string;
  readonly stripeKey: string;
}

let app: AccountsApp;
let administrator: Visitor;

const add = (json: object, browser = administrator) => browser.post('/api/add-stripe-key', json);
const list = async (browser = administrator) =>
  (await browser.get('/api/stripe-keys')).json as readonly Listed[];
const change = (id: string, json: object, headers: Record<string, string> = {}) =>
  administrator.put(`/api/stripe-key/${id}`, json, { headers });
const remove = (id: string, browser = administrator) => browser.delete(`/api/stripe-key/${id}`);

async function setUp() {
  const json = { userEmail: 'owner@example.com', setupToken, password: 'a-password-of-an-owner' };
  expect((await administrator.post('/api/add-user', json)).status).toBe(201);
}

const stripeSecretKey = 'sk_test_of_the_site';
const emulator = await startStripeEmulator({
  secretKey: stripeSecretKey,
  publishableKey: one,
  webhookSecret: 'whsec_of_the_site',
});
afterAll(() => emulator.close());
beforeEach(async () => {
  emulator.controls.setPublishableKeys({ own: [one, two], foreign: ['pk_test_of_another_account'] });
  const settings = {
    SETUP_TOKEN: setupToken,
    STRIPE_SECRET_KEY: stripeSecretKey,
    STRIPE_API_URL: emulator.url,
  };
  app = await openAccountsApp(settings, mountPayments);
  administrator = app.openBrowser();
});
afterEach(() => app.close());

test('Before the first administrator exists, only the setup token adds the key', async () => {
  const visitor = app.openBrowser();
  expect((await add({ stripeKey: one }, visitor)).status).toBe(403);
  expect((await add({ stripeKey: one, setupToken: 'a-guess' }, visitor)).status).toBe(403);
  expect((await add({ stripeKey: one, setupToken }, visitor)).status).toBe(201);
  expect(await list(visitor)).toMatchObject([{ stripeKey: one }]);
  await setUp();
  const [key] = await list();
  for (const sent of [{}, { stripeKey: two }, { stripeKey: two, setupToken }])
    expect((await add(sent, visitor)).status).toBe(401);
  expect((await remove(key?._id ?? '', visitor)).status).toBe(401);
  expect(await app.db.select().from(settingEvents)).toContainEqual(
    expect.objectContaining({ setting: 'paymentKey', action: 'added', by: '' }),
  );
});

test('If several keys are added at the same time, only one is stored', async () => {
  await setUp();
  const rivals = fullSize ? 50 : 5;
  const racing = await Promise.all(Array.from({ length: rivals }, () => add({ stripeKey: one })));
  expect(racing.map(({ status }) => status).toSorted()).toEqual([
    201,
    ...Array<number>(rivals - 1).fill(409),
  ]);
  const [key] = await list();
  expect((await remove(key?._id ?? '')).status).toBe(200);
  expect(await list()).toEqual([]);
  expect((await add({ stripeKey: two })).status).toBe(201);
});

test('An administrator changes the key, a stale change is refused, and nothing is published', async () => {
  await setUp();
  const added = await add({ stripeKey: one });
  const { _id } = added.json as Listed;
  expect(added.headers.get('ETag')).toBe('"1"');
  const changed = await change(_id, { stripeKey: ` ${two} ` }, { 'If-Match': '"1"' });
  expect([changed.status, changed.headers.get('ETag'), changed.json]).toEqual([
    200,
    '"2"',
    { _id, stripeKey: two },
  ]);
  const again = await change(_id, { stripeKey: two });
  expect([again.status, again.headers.get('ETag')]).toEqual([200, '"2"']);
  expect(changed.headers.has('X-Content-Revision')).toBe(false);
  const stale = await change(_id, { stripeKey: one }, { 'If-Match': '"1"' });
  expect([stale.status, stale.json]).toMatchObject([412, { current: { _id, stripeKey: two } }]);
  const read = await app.openBrowser().get(`/api/stripe-key/${_id}`);
  expect([read.headers.get('ETag'), read.json]).toEqual(['"2"', { _id, stripeKey: two }]);
  expect((await change(newId(), { stripeKey: one })).status).toBe(404);
  expect((await remove(newId())).status).toBe(404);
  expect(await app.db.$count(publications)).toBe(0);
  expect(await app.db.$count(contentHistory)).toBe(0);
  const events = await app.db.select().from(settingEvents).orderBy(settingEvents.id);
  const [account] = await app.db.select().from(accounts);
  expect(events.slice(-1)).toMatchObject([
    {
      action: 'updated',
      by: account?.id,
      before: JSON.stringify({ stripeKey: one }),
      after: JSON.stringify({ stripeKey: two }),
    },
  ]);
  expect(events.find(({ setting, action }) => setting === 'paymentKey' && action === 'added')?.by).toBe(
    account?.id,
  );
  expect((await remove(_id)).status).toBe(200);
  await app.settle();
  const audited = await app.db.select().from(auditEvents).where(eq(auditEvents.recordId, _id));
  expect(audited.map(({ details, accountId }) => [details, accountId])).toEqual([
    [`Added the payment key …${one.slice(-4)}`, account?.id],
    [`Changed the payment key from …${one.slice(-4)} to …${two.slice(-4)}`, account?.id],
    [`Removed the payment key …${two.slice(-4)}`, account?.id],
  ]);
});

test('A text that is not a publishable key is refused and not stored', async () => {
  await setUp();
  const { _id } = (await add({ stripeKey: one })).json as Listed;
  const long = `pk_test_${'x'.repeat(300)}`;
  for (const stripeKey of ['', 'sk_live_secret', 'pk_live_', 'pk_test_\u0000', long, 5])
    for (const answer of [await change(_id, { stripeKey }), await add({ stripeKey })]) {
      const { errors = {} } = answer.json as { errors?: object };
      expect([answer.status, Object.keys(errors)], String(stripeKey)).toEqual([422, ['stripeKey']]);
    }
  // The secret key is in test mode.
  const ofOtherMode = await change(_id, { stripeKey: 'pk_live_one' });
  expect(ofOtherMode.json).toMatchObject({
    status: 422,
    errors: {
      stripeKey: expect.stringContaining(
        "This is a live key, and the site's secret key is a test key.",
      ) as string,
    },
  });
  expect((await add({ stripeKey: 'pk_live_one' })).status).toBe(422);
  expect((await add({ stripeKey: one, setupToken })).status).toBe(422);
  expect((await change(_id, { other: 'x' })).status).toBe(422);
  expect(await app.db.select().from(stripeKeys)).toMatchObject([{ _id, version: 1, stripeKey: one }]);
});

test('A key that Stripe refuses is not saved, and every saved key can be used again', async () => {
  await setUp();
  const { _id } = (await add({ stripeKey: one })).json as Listed;
  for (const [stripeKey, why] of [
    ['pk_test_onf', 'Stripe does not recognize this key.'],
    ['pk_test_of_another_account', 'This key belongs to another Stripe account'],
  ] as const)
    expect((await change(_id, { stripeKey })).json).toMatchObject({
      status: 422,
      errors: { stripeKey: expect.stringContaining(why) as string },
    });
  emulator.controls.planFault({ path: '/v1/tokens', kind: 'error-before' });
  expect((await change(_id, { stripeKey: two })).status).toBe(503);
  // Nor does the other request about the key find that it belongs to another account.
  emulator.controls.planFault({ method: 'GET', path: '/v1/tokens', kind: 'error-before', count: 2 });
  expect((await change(_id, { stripeKey: two })).status).toBe(503);
  expect((await change(_id, { stripeKey: two })).status).toBe(200);
  const history = () => administrator.get('/api/stripe-key-history');
  expect((await history()).json).toMatchObject([
    { stripeKey: two, by: 'owner@example.com' },
    { stripeKey: one },
  ]);
  expect((await app.openBrowser().get('/api/stripe-key-history')).status).toBe(401);

  // Some accounts cannot create such tokens, and some restricted keys cannot read them. Their keys are accepted.
  for (const [stripeKey, method, status] of [
    [one, 'POST', 400],
    [two, 'GET', 403],
  ] as const) {
    emulator.controls.planFault({ method, path: '/v1/tokens', kind: 'error-before', status });
    expect((await change(_id, { stripeKey })).status, method).toBe(200);
  }
});

test('A key that Stripe no longer knows needs attention: immediately if somebody is paying, otherwise within a day', async () => {
  await setUp();
  const { _id } = (await add({ stripeKey: one })).json as Listed;
  vi.useFakeTimers({ toFake: ['Date'] });
  const linesAfter = async (minutes: number) => {
    vi.setSystemTime(Date.now() + minutes * 60_000);
    await checkKeyWhenDue(openPaymentContext(app.env, () => undefined, app.db));
    return (await readAttention(app.db, app.env)).rows;
  };
  const refused = [
    { _id, kind: 'paymentKey', text: expect.stringContaining('Nobody can pay by card') as string },
  ];
  const setKnown = (key: string) => emulator.controls.setPublishableKeys({ own: [key] });
  expect(await linesAfter(0)).toEqual([]);

  setKnown(two);
  expect(await linesAfter(16)).toEqual([]);
  const startedAt = Date.now();
  const payment = { paymentIntentId: 'pi_open', orderId: newId(), startedAt, checkAt: startedAt };
  await app.db.insert(paymentIntents).values({ _id: newId(), ...payment });
  expect(await linesAfter(1)).toMatchObject(refused);
  expect((await change(_id, { stripeKey: two })).status).toBe(200);
  expect((await readAttention(app.db, app.env)).rows).toEqual([]);

  // While Stripe refuses the key, it is checked every quarter of an hour.
  setKnown(one);
  expect(await linesAfter(15)).toMatchObject(refused);
  setKnown(two);
  expect(await linesAfter(14)).toMatchObject(refused);
  expect(await linesAfter(1)).toEqual([]);

  setKnown(one);
  expect(await linesAfter(23 * 60)).toEqual([]);
  expect(await linesAfter(60)).toMatchObject(refused);
  emulator.controls.setPublishableKeys({ own: [one], foreign: [two] });
  const [line] = await linesAfter(15);
  expect(line?.text).toContain('This key belongs to another Stripe account');
});
