/**
 * Who may do what. The contract is compared with a table written by hand, and one call and page of each kind is tried.
 */
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import * as z from 'zod';
import type { Order } from '#contract/orders.calls.ts';
import { allScreens } from '#contract/all-screens.ts';
import type { CreationOptions } from '#contract/passkeys.calls.ts';
import { splitCallName, type CallName } from '#contract/call.ts';
import { allCalls } from '#contract/all-calls.ts';
import { newId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { shellNames } from '#contract/screens.ts';
import { sectionNamed, sectionNames } from '#contract/sections/index.ts';
import { orders, subscriptions } from '#worker/orders/schema.ts';
import { openCast, registerVerified, roles, type Member } from '../support/cast.ts';
import { addressOf, callPath } from '../support/calls.ts';
import { Authenticator } from '../support/authenticator.ts';
import { expectedCalls, refusalOf } from '../support/expected-access.ts';
import { placeOrder, sendFile } from '../support/orders.ts';
import { newEmail, registerCustomer, type Answer, type Visitor } from '../support/visitor.ts';
import { confirmedCalls, pageAudiences, type ExpectedAudience } from './access-table.ts';

const url = sharedSystem.url;
const cast = await openCast(url);

/** The contract's name for an audience, if it differs from the table's. */
const declared = (expected: ExpectedAudience) => (expected === 'first run' ? 'anyone' : expected);
const asDeclared = (table: Readonly<Record<string, ExpectedAudience>>) =>
  Object.fromEntries(Object.entries(table).map(([name, expected]) => [name, declared(expected)]));

test('The contract opens each call to the audience that the table expects, and has no other call', () => {
  const entries = allCalls.map(({ name, who }) => [name, who] as const);
  expect(Object.fromEntries(entries)).toEqual(asDeclared(expectedCalls));
  expect(entries).toHaveLength(Object.keys(expectedCalls).length);
});

test('The contract requires a confirmed identity for the calls that the table names, and for no other', () => {
  const asking = allCalls.filter(({ confirmed }) => confirmed).map(({ name }) => name);
  expect(asking.toSorted()).toEqual(confirmedCalls);
});

test('The contract opens each page to the audience that the table expects, and has no other page', () => {
  const ofSections = sectionNames.flatMap((name) => {
    const { home, edit, editAliases = [] } = sectionNamed(name).screen;
    return [home, edit, ...editAliases].map((pattern) => [pattern, 'content'] as const);
  });
  const entries = allScreens.map(({ pattern, who }) => [pattern, who] as const);
  const expected = { ...Object.fromEntries(ofSections), ...asDeclared(pageAudiences) };
  expect(Object.fromEntries(entries)).toEqual(expected);
  expect(entries).toHaveLength(Object.keys(expected).length);
});

/** One call per audience, reads and writes, which changes nothing if its body is empty and its id does not exist. */
const tried: readonly CallName[] = [
  ...(['GET /setup', 'POST /auth/reset', 'GET /orders', 'PUT /order/:id/brief'] as const),
  ...(['GET /publications', 'PUT /update-banner/:id', 'GET /sales', 'PUT /order-status/:id'] as const),
  ...(['GET /messages', 'PUT /message/:id', 'GET /customers', 'POST /customer/:id/notes'] as const),
  ...(['GET /audit-log', 'PUT /users', 'POST /add-user', 'POST /add-stripe-key'] as const),
];
test.each(tried)('%s is answered for its audience and refused to everybody else', async (name) => {
  const [method] = splitCallName(name);
  for (const role of roles) {
    const body = method === 'GET' ? undefined : {};
    const { status } = await cast[role].send(method, addressOf(name, newId()), body);
    const refusal = refusalOf(expectedCalls[name] ?? 'administrator', role);
    if (refusal === undefined) expect([200, 404, 422], role).toContain(status);
    else expect(status, role).toBe(refusal);
  }
});

test('Every call that is not for anyone is refused to an anonymous visitor', async () => {
  const closed = allCalls.filter(({ who }) => who !== 'anyone');
  expect(closed.length).toBeGreaterThan(200);
  const visitor = cast['an anonymous visitor'];
  for (const { name, method, path } of closed) {
    const address = callPath(path, path.includes(':revision') ? '999999999' : newId());
    const { status } = await visitor.send(method, address, method === 'GET' ? undefined : {});
    expect(status, name).toBe(401);
  }
});

const unlisted: readonly (readonly [method: string, path: string])[] = [
  ['GET', '/api'],
  ['GET', '/api/nothing'],
  ['GET', '/api/orders/'],
  ['GET', '/api//orders'],
  ['GET', '/api/ORDERS'],
  ['DELETE', '/api/orders'],
  ['OPTIONS', '/api/orders'],
  ['GET', '/api/order/not-an-id'],
  ['GET', `/api/order/${newId()}/x`],
  ['GET', '/api/users/../messages/x'],
  ['GET', '/nothing'],
  ['GET', '/admin/nothing'],
  ['GET', '/.env'],
  ['GET', '/_headers'],
  ['GET', '/404.html'],
  ...shellNames.flatMap((name) =>
    [`/shell/${name}`, `/shell/${name}.html`, `/SHELL/${name}`, `/%73hell/${name}`, `/.//shell/${name}`].map(
      (path) => ['GET', path] as const,
    ),
  ),
  ['GET', '/shell/'],
];

test('Paths that the contract does not list are not found, not even by an administrator', async () => {
  for (const [method, path] of unlisted)
    for (const role of ['an anonymous visitor', 'an administrator'] as const)
      expect((await cast[role].send(method, path)).status, `${method} ${path} for ${role}`).toBe(404);
});

/** A page of each kind and audience. */
const triedPages = [
  ...['/', '/order-now/:id', '/pay-now/:id', '/my-order', '/admin', '/publications'],
  ...['/total-orders', '/view/:id', '/customers', '/ledger', '/add-user', '/preview'],
];

test.each(triedPages)('The page %s opens for its audience', async (pattern) => {
  const expected = pageAudiences[pattern] ?? 'administrator';
  const path = `${fillPath(pattern, newId())}?tab=1`;
  for (const role of roles) {
    const answer = await cast[role].get(path);
    const led = [answer.status, answer.headers.get('Location')];
    const refusal = refusalOf(expected, role);
    if (refusal === 401) {
      expect(led, role).toEqual([302, `/login?next=${encodeURIComponent(path)}`]);
      expect(answer.text).toBe('');
    } else if (refusal === 403) {
      expect(answer.status, role).toBe(403);
      expect(answer.text).toMatch(/You don(&#39;|&#x27;|'|’)t have any permission/);
    } else {
      expect(answer.status, role).toBe(200);
      expect(answer.text).toContain('</html>');
    }
  }
});

test("An administrator's page leads to the account while the password is short, and opens after a longer one is chosen", async () => {
  const member = await registerCustomer(url, newEmail('short'), 'eleven-char', true);
  const record = { userEmail: member.email, userRole: 'Editor' };
  expect((await cast['an administrator'].post('/api/add-user', record)).status).toBe(201);
  const led = await member.get('/admin');
  expect([led.status, led.headers.get('Location')]).toEqual([302, '/account']);
  expect((await member.get('/total-orders')).status).toBe(403);
  const changed = { currentPassword: member.password, newPassword: 'a-long-enough-password' };
  expect((await member.put('/api/auth/password', changed)).status).toBe(204);
  const opened = await member.get('/admin');
  expect([opened.status, /data-role="(\w+)"/.exec(opened.text)?.[1]]).toEqual([200, 'Editor']);
});

describe('What belongs to a customer', () => {
  let a: Member;
  let b: Member;
  let orderId: string;
  beforeAll(async () => {
    [a, b] = await Promise.all([registerVerified(url), registerVerified(url)]);
    orderId = (await placeOrder(a))._id;
  });

  test('An order is shown in full to its owner and the staff; anybody with the link sees only what paying requires', async () => {
    const whole = (await a.get(`/api/order/${orderId}`)).json;
    expect(whole).toMatchObject({ customerEmail: a.email, customerName: 'Ada Broker' });
    expect((await cast['an administrator'].get(`/api/order/${orderId}`)).json).toEqual(whole);
    const { _id, billing, displayName, number, packageName, packagePrice, paymentStatus } = whole as Order;
    const basics = { _id, billing, displayName, number, packageName, packagePrice, paymentStatus };
    for (const stranger of [b, cast['an anonymous visitor'], cast['a demoted administrator']])
      expect((await stranger.get(`/api/order/${orderId}`)).json).toEqual({ ...basics, orderedFor: 'Ada' });
  });

  /**
   * Creates one of everything that calls refer to by id.
   * @returns the ids by the beginning of the calls' paths
   */
  async function ownThings(owner: Member): Promise<Readonly<Record<string, string>>> {
    const administrator = cast['an administrator'];
    const withId = z.object({ _id: z.string() });
    const idOf = (answer: Answer) => withId.parse(answer.json)._id;
    const { _id: order } = await placeOrder(owner);
    await administrator.put(`/api/order/${order}`, { paymentStatus: 'Paid' });
    const work = await owner.get(`/api/order/${order}/work`);
    const { steps } = z.object({ steps: z.array(withId) }).parse(work.json);
    const refund = await administrator.post(`/api/order/${order}/refunds`, { amount: '1' });
    const subscriptionId = newId();
    await sharedSystem.db
      .insert(subscriptions)
      .values({ _id: subscriptionId, firstOrderId: order, packageName: 'Basic', priceCents: 49_900 });
    await sharedSystem.db.update(orders).set({ subscriptionId }).where(eq(orders._id, order));
    const options = (await owner.post('/api/auth/passkeys/options')).json as CreationOptions;
    const credential = new Authenticator(new URL(url).origin).create(options);
    const added = await owner.post('/api/auth/passkeys', { credential });
    const { passkey } = z.object({ passkey: withId }).parse(added.json);
    const [session] = z.array(withId).parse((await owner.get('/api/auth/sessions')).json);
    return {
      '/order/': order,
      '/order-cancelled/': order,
      '/order-file/': idOf(await sendFile(owner, order, 'words')),
      '/order-step/': steps[0]?._id ?? '',
      '/credit-note/': idOf(refund),
      '/subscription/': subscriptionId,
      '/auth/passkeys/': passkey._id,
      '/auth/sessions/': session?._id ?? '',
      '/users/': idOf(
        await administrator.post('/api/add-user', { userEmail: owner.email, userRole: 'User' }),
      ),
    };
  }

  /** Bodies for calls that check their body before they look for the record. */
  const bodies: Partial<Record<CallName, object>> = {
    'PUT /auth/passkeys/:id': { name: 'Mine' },
    'PUT /order-step/:id/answer': { isApproved: true, doneAt: new Date(0).toISOString() },
    'POST /order/:id/messages': { kind: 'message', text: 'Hello', files: [] },
    'PUT /order/:id/messages': { readTo: 1 },
    'POST /subscription/:id/pause': { months: 1 },
  };

  const endsWhat = (name: CallName) =>
    name === 'DELETE /auth/sessions/:id' ? 2 : Number(name.startsWith('DELETE'));

  test('Every call about something that a customer owns works for that customer and for no other', async () => {
    const owner = await registerVerified(url);
    const own = await ownThings(owner);
    const calls = Object.entries(expectedCalls)
      .filter(([call, expected]) => expected === 'account' && call.includes(':id'))
      .map(([call]) => call as CallName)
      // Calls that delete something come late, and the call that ends the session comes last.
      .toSorted((one, other) => endsWhat(one) - endsWhat(other));
    for (const name of calls) {
      const [method, path] = splitCallName(name);
      const [, id = ''] = Object.entries(own).find(([beginning]) => path.startsWith(beginning)) ?? [];
      expect(id, `an id for ${name}`).not.toBe('');
      const body = method === 'GET' ? undefined : (bodies[name] ?? {});
      const send = (by: Visitor) =>
        name === 'POST /order/:id/files'
          ? sendFile(by, id, 'words')
          : by.send(method, addressOf(name, id), body);
      const [refused, answered] = [await send(b), await send(owner)];
      expect([403, 404], `${name}: ${refused.text}`).toContain(refused.status);
      expect([403, 404], `${name}: ${answered.text}`).not.toContain(answered.status);
    }
  });
});
