/** Who may do what: every call and every page there is, tried by everybody, as the table beside this file expects. */
import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { allScreens } from '#contract/all-screens.ts';
import type { CreationOptions } from '#contract/accounts.ts';
import { splitCallName, type CallName } from '#contract/call.ts';
import { allCalls } from '#contract/calls/index.ts';
import { newId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { shellNames } from '#contract/screens.ts';
import {
  openCast,
  registerAdministrator,
  registerVerified,
  roles,
  type Member,
  type Role,
} from '../support/cast.ts';
import { addressOf } from '../support/calls.ts';
import { Authenticator } from '../support/authenticator.ts';
import { findPackage, placeOrder, sendFile } from '../support/orders.ts';
import {
  newEmail,
  registerCustomer,
  signInAdministrator,
  type Answer,
  type Visitor,
} from '../support/visitor.ts';
import {
  belongsToo,
  callAudiences,
  confirmedCalls,
  pageAudiences,
  type ExpectedAudience,
} from './access-table.ts';

const url = inject('systemUrl');
let cast: Record<Role, Visitor>;
beforeAll(async () => {
  cast = await openCast(url);
});

/** What the contract says of an audience that the table expects. */
const declared = (expected: ExpectedAudience) => (expected === 'first run' ? 'anyone' : expected);
const asDeclared = (table: Readonly<Record<string, ExpectedAudience>>) =>
  Object.fromEntries(Object.entries(table).map(([name, expected]) => [name, declared(expected)]));

test('The contract opens each call to whom the table expects, and has no other call', () => {
  const entries = allCalls.map(({ method, path, who }) => [`${method} ${path}`, who] as const);
  expect(Object.fromEntries(entries)).toEqual(asDeclared(callAudiences));
  expect(entries).toHaveLength(Object.keys(callAudiences).length);
});

test('The contract asks anew who is there for the calls that the table names, and for no other', () => {
  const asking = allCalls.filter(({ confirmed }) => confirmed).map(({ method, path }) => `${method} ${path}`);
  expect(asking.toSorted()).toEqual(confirmedCalls);
});

test('The contract opens each page to whom the table expects, and has no other page', () => {
  const entries = allScreens.map(({ pattern, who }) => [pattern, who] as const);
  expect(Object.fromEntries(entries)).toEqual(asDeclared(pageAudiences));
  expect(entries).toHaveLength(Object.keys(pageAudiences).length);
});

/** The status with which somebody outside an audience is refused, or undefined for who belongs to it. */
function refusalOf(expected: ExpectedAudience, role: Role): 401 | 403 | undefined {
  if (expected === 'anyone' || role === 'an administrator') return undefined;
  if (role === 'an anonymous visitor') return 401;
  if (expected === 'account') return undefined;
  return belongsToo[expected].some((one) => one === role) ? undefined : 403;
}

/** What a call with an empty body and an id that names nothing may answer to somebody who may make it. */
function allowedStatuses(method: string, path: string): readonly number[] {
  if (path.startsWith('/auth/google') && !path.endsWith('/link')) return [404];
  // Nothing calls the cron of the copy that the tests share, and after a while a monitor is told so.
  if (path === '/health') return [200, 503];
  // A link in a mail, which leads to the page with its button whatever it names.
  if (path === '/unsubscribe/:id' && method === 'GET') return [302];
  if (method === 'GET') return path.includes(':') ? [200, 404] : [200];
  return [200, 202, 204, 400, 404, 409, 422];
}

const idFor = (path: string) => (path.includes(':revision') ? '999999999' : newId());

/** How a call with nothing in it is answered to somebody. */
async function statusFor(call: string, role: Role): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const address = addressOf(call as CallName, idFor(path));
  return (await cast[role].send(method, address, method === 'GET' ? undefined : {})).status;
}

/** Calls that end sessions, the one with which they are made included: they are made by nobody whom other tests need. */
const endsSessions = new Set(['POST /auth/logout', 'DELETE /auth/sessions', 'DELETE /auth/account']);
const expectedCalls = Object.entries(callAudiences).filter(([call]) => !endsSessions.has(call));
const isForEverybody = (expected: ExpectedAudience) => expected === 'anyone' || expected === 'account';

async function expectAnswers(call: string, expected: ExpectedAudience): Promise<void> {
  const [method = '', path = ''] = call.split(' ');
  await Promise.all(
    roles.map(async (role) => {
      const refusal = refusalOf(expected, role);
      expect(
        refusal === undefined ? allowedStatuses(method, path) : [refusal],
        `${call} for ${role}`,
      ).toContain(await statusFor(call, role));
    }),
  );
}

test.each(expectedCalls.filter(([, expected]) => !isForEverybody(expected)))(
  '%s is refused to everybody whose role does not open it',
  expectAnswers,
);

test.each(expectedCalls.filter(([, expected]) => isForEverybody(expected)))(
  '%s is answered to whom it is meant for, and refused to everybody else',
  expectAnswers,
);

test.each([...endsSessions])('%s ends the session with which it is made', async (call) => {
  const [method = '', path = ''] = call.split(' ');
  const member = await registerCustomer(url, newEmail('leaving'));
  expect((await member.send(method, `/api${path}`)).status).toBe(204);
  expect((await member.get('/api/auth/sessions')).status).toBe(401);
  const stranger = await cast['an anonymous visitor'].send(method, `/api${path}`);
  expect(stranger.status).toBe(callAudiences[call] === 'anyone' ? 204 : 401);
});

describe('What the manifest does not list', () => {
  test.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['GET', '/api/orders/'],
    ['GET', '/api//orders'],
    ['GET', '/api/ORDERS'],
    ['DELETE', '/api/orders'],
    ['PUT', '/api/messages'],
    ['PATCH', '/api/orders'],
    ['OPTIONS', '/api/orders'],
    ['POST', '/api/publication'],
    ['GET', '/api/order/not-an-id'],
    ['GET', `/api/order/${newId()}/x`],
    ['GET', '/api/users/../messages/x'],
    ['GET', '/pricings'],
    ['GET', '/nothing'],
    ['GET', '/not-an-id'],
    ['GET', '/admin/nothing'],
    ['GET', '/.env'],
    ['GET', '/wrangler.toml'],
    ['GET', '/_headers'],
    ['GET', '/404'],
    ['GET', '/404.html'],
    ...shellNames.flatMap((name) =>
      [
        `/shell/${name}`,
        `/shell/${name}.html`,
        `/shell/${name}/`,
        `/SHELL/${name}`,
        `/%73hell/${name}`,
        `/shell%2F${name}`,
        `/.//shell/${name}`,
        `/${name}.html`,
      ].map((path) => ['GET', path]),
    ),
    ['GET', '/shell/denied'],
    ['GET', '/shell'],
    ['GET', '/shell/'],
  ])('%s %s is not there for an administrator either', async (method = '', path = '') => {
    for (const role of ['an anonymous visitor', 'an administrator'] as const)
      expect((await cast[role].send(method, path)).status, role).toBe(404);
  });

  test('Pages take nothing', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect((await cast['an administrator'].send(method, '/contact')).status).toBe(405);
  });
});

test.each(Object.entries(pageAudiences))(
  'The page %s opens for whom it is meant for',
  async (pattern, expected) => {
    const path = fillPath(pattern, newId());
    await Promise.all(
      roles.map(async (role) => {
        const answer = await cast[role].get(`${path}?tab=1`);
        const refusal = refusalOf(expected, role);
        if (refusal === 401) {
          expect(answer.status, role).toBe(302);
          expect(answer.headers.get('Location')).toBe(`/login?next=${encodeURIComponent(`${path}?tab=1`)}`);
          expect(answer.text).toBe('');
        } else if (refusal === 403) {
          expect(answer.status, role).toBe(403);
          expect(answer.text).toMatch(/You don(&#39;|&#x27;|'|’)t have any permission/);
        } else if (pattern === '/login' && role !== 'an anonymous visitor') {
          expect([answer.status, answer.headers.get('Location')], role).toEqual([302, '/dashboard']);
        } else {
          expect(answer.status, role).toBe(200);
          expect(answer.headers.get('Content-Type')).toContain('text/html');
          expect(answer.text).toContain('</html>');
        }
      }),
    );
  },
);

test('A page of the administration leads to the account while the password is short, and is opened by a longer one', async () => {
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

  test('An order is whole for its owner and an administrator, and what paying needs for who holds the link', async () => {
    const whole = (await a.get(`/api/order/${orderId}`)).json;
    expect(whole).toMatchObject({ customerEmail: a.email, customerName: 'Ada Broker' });
    expect((await cast['an administrator'].get(`/api/order/${orderId}`)).json).toEqual(whole);
    for (const stranger of [b, cast['an anonymous visitor'], cast['a demoted administrator']])
      expect(Object.keys((await stranger.get(`/api/order/${orderId}`)).json as object).toSorted()).toEqual([
        '_id',
        'packageName',
        'packagePrice',
        'paymentStatus',
      ]);
  });

  test('Nobody else lists, follows, cancels or changes it', async () => {
    const before = (await a.get(`/api/order/${orderId}`)).json;
    expect((await b.get('/api/orders')).text).not.toContain(orderId);
    expect((await b.get(`/api/orders?own=true&q=${orderId}`)).text).not.toContain(a.email);
    expect([403, 404]).toContain((await b.get(`/api/order/${orderId}/timeline`)).status);
    expect((await b.put(`/api/order-cancelled/${orderId}`, { paymentStatus: 'Cancelled' })).status).toBe(403);
    for (const caller of [a, b, cast['an anonymous visitor']]) {
      expect((await caller.put(`/api/order/${orderId}`, { paymentStatus: 'UnPaid' })).status).toBe(403);
      expect(
        (await caller.put(`/api/order/${orderId}`, { paymentStatus: 'Paid' })).status,
      ).toBeGreaterThanOrEqual(400);
      expect(
        (await caller.put(`/api/order-status/${orderId}`, { orderStatus: 'Delivered' })).status,
      ).toBeGreaterThanOrEqual(401);
    }
    expect((await a.get(`/api/order/${orderId}`)).json).toEqual(before);
  });

  /** One of everything that an account has and a call names, by the beginning of that call's path. */
  async function ownThings(owner: Member): Promise<Readonly<Record<string, string>>> {
    const administrator = cast['an administrator'];
    const idOf = (answer: Answer) => z.object({ _id: z.string() }).parse(answer.json)._id;
    const { _id: order } = await placeOrder(owner);
    await administrator.put(`/api/order/${order}`, { paymentStatus: 'Paid' });
    const { steps } = z
      .object({ steps: z.array(z.object({ _id: z.string() })) })
      .parse((await owner.get(`/api/order/${order}/work`)).json);
    const refund = await administrator.post(`/api/order/${order}/refunds`, { amount: '1' });
    const options = (await owner.post('/api/auth/passkeys/options')).json as CreationOptions;
    const credential = new Authenticator(new URL(url).origin).create(options);
    const { passkey } = z
      .object({ passkey: z.object({ _id: z.string() }) })
      .parse((await owner.post('/api/auth/passkeys', { credential })).json);
    const [session] = z
      .array(z.object({ _id: z.string() }))
      .parse((await owner.get('/api/auth/sessions')).json);
    return {
      '/order/': order,
      '/order-cancelled/': order,
      '/order-file/': idOf(await sendFile(owner, order, 'words')),
      '/order-step/': steps[0]?._id ?? '',
      '/credit-note/': idOf(refund),
      '/auth/passkeys/': passkey._id,
      '/auth/sessions/': session?._id ?? '',
      '/users/': idOf(
        await administrator.post('/api/add-user', { userEmail: owner.email, userRole: 'User' }),
      ),
    };
  }

  /** What holds in calls that look at their body before they look for what they name. */
  const bodies: Partial<Record<CallName, object>> = {
    'PUT /auth/passkeys/:id': { name: 'Mine' },
    'PUT /order-step/:id/answer': { isApproved: true, doneAt: new Date(0).toISOString() },
    'POST /order/:id/messages': { kind: 'message', text: 'Hello', files: [] },
    'PUT /order/:id/messages': { readTo: 1 },
  };

  const endsWhat = (name: CallName) =>
    name === 'DELETE /auth/sessions/:id' ? 2 : Number(name.startsWith('DELETE'));

  test('What is their own is there for them and for no other customer, by whichever call it is named', async () => {
    const owner = await registerVerified(url);
    const own = await ownThings(owner);
    const calls = Object.entries(callAudiences)
      .filter(([call, expected]) => expected === 'account' && call.includes(':id'))
      .map(([call]) => call as CallName)
      // What ends a thing comes late, and last what ends the session.
      .toSorted((one, other) => endsWhat(one) - endsWhat(other));
    for (const name of calls) {
      const [method, path] = splitCallName(name);
      const [, id = ''] = Object.entries(own).find(([beginning]) => path.startsWith(beginning)) ?? [];
      expect(id, `A thing for ${name}`).not.toBe('');
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

  test('A `users` record is seen by its own account and by administrators', async () => {
    const record = { userEmail: a.email, userRole: 'User' };
    const added = await cast['an administrator'].post('/api/add-user', record);
    const { _id } = added.json as { readonly _id: string };
    expect((await a.get(`/api/users/${_id}`)).json).toEqual({ _id, ...record });
    expect((await a.get('/api/users')).json).toEqual([{ _id, ...record }]);
    expect((await b.get(`/api/users/${_id}`)).status).toBe(404);
    expect((await b.get('/api/users')).json).toEqual([]);
    expect((await cast['an anonymous visitor'].get('/api/users')).json).toEqual([]);
    expect((await a.put(`/api/upadete-users/${_id}`, { userRole: 'Admin' })).status).toBe(403);
    expect((await cast['an administrator'].delete(`/api/users/${_id}`)).status).toBe(200);
  });

  test('An order cannot be placed in another name', async () => {
    const { packageName, packagePrice } = await findPackage(b, 'Basic');
    const answer = await b.post('/api/new-order', {
      packageName,
      packagePrice,
      customerEmail: a.email,
      customerName: 'Somebody else',
      customerAddress: '1 Main Street',
      customerCountry: 'United States',
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect((await a.get('/api/orders')).json).toHaveLength(1);
  });
});

test.each([
  ['POST /add-user', 'GET /users', { userEmail: 'intruder@agency.example', userRole: 'Admin' }],
  ['POST /add-stripe-key', 'GET /stripe-keys', { stripeKey: 'pk_test_of_an_intruder' }],
] as const)(
  'After the first run only an administrator may %s, with a set-up token or without',
  async (add, list, sample) => {
    const before = (await cast['an administrator'].get(addressOf(list))).json;
    for (const role of roles) {
      if (role === 'an administrator') continue;
      const withToken = {
        setupToken: inject('setupToken'),
        ...(add === 'POST /add-user' && { password: 'a-long-enough-password' }),
      };
      for (const extra of [{}, withToken]) {
        const answer = await cast[role].post(addressOf(add), { ...sample, ...extra });
        expect(answer.status, role).toBe(role === 'an anonymous visitor' ? 401 : 403);
      }
    }
    const later = (await cast['an administrator'].get(addressOf(list))).json as readonly unknown[];
    expect(later).toEqual(expect.arrayContaining(before as unknown[]));
    expect(later).toHaveLength((before as readonly unknown[]).length);
  },
);

test.each([...endsSessions])(
  '%s is answered to whom it is meant for, and then nobody is signed in',
  async (call) => {
    // The first administrator is other tests' too, and stays signed in.
    const another = await registerAdministrator(url, await signInAdministrator(url));
    cast = { ...(await openCast(url)), 'an administrator': another };
    await expectAnswers(call, callAudiences[call] ?? 'administrator');
    for (const role of roles)
      expect((await cast[role].get('/api/auth/session')).json, role).toEqual({ account: null });
  },
);
