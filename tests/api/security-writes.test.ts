/**
 * Writes that must not happen: from other sites, in other forms, with more than a form may say. Whatever is sent, the
 * answer is a refusal that tells nothing of the inside, and the database stays as it was.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { sectionCalls } from '#contract/section-calls.ts';
import { usualBodyBytes, type CallName } from '#contract/call.ts';
import { allCalls, type ListedCall } from '#contract/calls/index.ts';
import { addressOf, callNamed, callPath } from '../support/calls.ts';
import { newId } from '#contract/ids.ts';
import { allScreens } from '#contract/all-screens.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { registerVerified, type Member } from '../support/cast.ts';
import { fullSize, untilMs } from '../support/limits.ts';
import { placeOrder } from '../support/orders.ts';
import { buildCanary, secretNames } from '../support/canaries.ts';
import { dumpDatabase } from '../support/database.ts';
import { sampleOf } from '../support/samples.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { fetchAlone, newEmail, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

let system: TestSystem;
let administrator: Visitor;
let customer: Member;
let orderId: string;
/** Everything that was answered, to look through for secrets at the end. */
const answered: string[] = [];

class Recorder extends Visitor {
  override async send(...request: Parameters<Visitor['send']>): Promise<Answer> {
    const answer = await super.send(...request);
    answered.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  }
}

/** Secrets that a copy does not make for itself. Nothing listens where Turnstile would be asked. */
const givenSecrets = {
  GOOGLE_CLIENT_SECRET: 'canary-of-google',
  RESEND_API_KEY: 're_canary_of_resend',
  TURNSTILE_SECRET_KEY: 'canary-of-turnstile',
};

beforeAll(async () => {
  system = await startTestSystem({
    vars: {
      ...givenSecrets,
      GOOGLE_CLIENT_ID: 'our-client',
      TURNSTILE_SITE_KEY: 'our-widget',
      TURNSTILE_VERIFY_URL: 'http://127.0.0.1:9/',
    },
  });
  const signedIn = await signInAdministrator(system.url);
  administrator = new Recorder(system.url);
  for (const [name, value] of signedIn.cookies) administrator.cookies.set(name, value);
  customer = await registerVerified(system.url);
  orderId = (await placeOrder(customer))._id;
  // What it has mailed is sent before the database is looked at.
  await vi.waitFor(async () => expect((await dumpDatabase(system))['mails']).toEqual([]), untilMs);
  // The first visitor after a start has the pages rendered and stored.
  await administrator.get('/');
});
afterAll(() => system.stop());

/** The sections are mounted by one loop over the registry; the short form tries one of each kind. */
const triedSections: readonly SectionName[] = ['banner', 'serviceItem', 'pricingPackage'];
const isLeftOut = new Set<string>(
  sectionNames
    .filter((name) => !triedSections.includes(name))
    .flatMap((name) => Object.values(sectionCalls(name))),
);
const tried = fullSize ? allCalls : allCalls.filter(({ name }) => !isLeftOut.has(name));
const unsigned: readonly ListedCall[] = tried.filter(
  ({ method, accepts }) => method !== 'GET' && accepts !== 'signed' && accepts !== 'one-click',
);
const pathOf = ({ path }: ListedCall) => callPath(path, path.includes(':revision') ? '1' : newId());
const titled = (list: readonly ListedCall[]) =>
  list.map((call) => [`${call.method} ${call.path}`, call] as const);
function expectRefusal(answer: Answer, statuses: readonly number[], what: string): void {
  expect(statuses, `${what}: ${answer.text.slice(0, 300)}`).toContain(answer.status);
  expect(answer.headers.get('Content-Type'), what).toContain('application/problem+json');
  expect(answer.text, what).not.toMatch(
    /SQLITE|SELECT |INSERT |at \w+ \(|\.ts:\d|node_modules|TypeError|SyntaxError|ZodError|libsql|Drizzle/i,
  );
}

/** Whichever bodies the tests of a group send, the database stays as it was. */
function leavesNoTrace(): void {
  let before: Record<string, string[]>;
  beforeAll(async () => {
    before = await dumpDatabase(system);
  });
  afterAll(async () => {
    expect(await dumpDatabase(system)).toEqual(before);
  });
}

describe('A write from another site', () => {
  leavesNoTrace();

  test.each(titled(unsigned))('%s is refused', async (what, call) => {
    const json = { 'Content-Type': 'application/json' };
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const foreign: Record<string, string>[] = [
      { ...json, Origin: 'https://evil.example' },
      { ...json, Origin: 'null' },
      { ...json, Origin: `${system.url}.evil.example` },
      { ...json, 'Sec-Fetch-Site': 'cross-site' },
      { ...json, 'Sec-Fetch-Site': 'same-site' },
      { ...json, 'Sec-Fetch-Site': 'cross-site', Origin: system.url },
      { ...json, 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
      { 'Content-Type': 'text/plain' },
      ...(call.accepts === 'file' ? [] : [{ 'Content-Type': 'multipart/form-data; boundary=x' }]),
      { 'Content-Type': 'application/jsonx' },
      ...(call.accepts === 'form'
        ? [
            { ...form, Origin: 'https://evil.example' },
            { ...form, Origin: 'null' },
            { ...form, 'Sec-Fetch-Site': 'cross-site', Origin: system.url },
            { ...form, 'Sec-Fetch-Site': 'same-site' },
          ]
        : [form]),
    ];
    await Promise.all(
      foreign.map(async (headers) =>
        expectRefusal(
          await administrator.send(call.method, pathOf(call), '{}', { headers }),
          [403],
          `${what} ${JSON.stringify(headers)}`,
        ),
      ),
    );
    // Without either header nobody says where it comes from: no browser, or one too old to be trusted.
    const silent = await fetchAlone(new URL(pathOf(call), system.url), {
      method: call.method,
      headers: { ...json, Cookie: Array.from(administrator.cookies, (pair) => pair.join('=')).join('; ') },
      body: '{}',
    });
    expect(silent.status, await silent.text()).toBe(403);
  });

  test("Stripe's deliveries come from another origin, and count by their signature", async () => {
    const event = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };
    for (const signature of [
      undefined,
      '',
      't=1,v1=00',
      `t=${String(Math.floor(Date.now() / 1_000))},v1=${'0'.repeat(64)}`,
    ])
      expectRefusal(
        await administrator.post('/api/stripe/webhook', event, {
          headers: {
            Origin: 'https://stripe.com',
            'Sec-Fetch-Site': 'cross-site',
            ...(signature !== undefined && { 'Stripe-Signature': signature }),
          },
        }),
        [400],
        'webhook',
      );
  });
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const mostBytes = Math.max(...allCalls.map(({ maxBodyBytes = usualBodyBytes }) => maxBodyBytes));
const badBodies: readonly (readonly [
  name: string,
  body: string | Uint8Array,
  statuses: readonly number[],
])[] = [
  ['nothing', '', [400]],
  ['a brace', '{', [400]],
  ['two values', '{}{}', [400]],
  ['an array', '[]', [400]],
  ['an array of objects', '[{}]', [400]],
  ['null', 'null', [400]],
  ['a text', '"text"', [400]],
  ['a number', '1e999', [400]],
  ['deep nesting', nested(10_000), [400, 422]],
  ['deep arrays', '['.repeat(30_000), [400]],
  ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), [400]],
  ['more than any call takes', JSON.stringify({ a: 'x'.repeat(mostBytes) }), [413]],
  ['an unknown field', '{"noSuchField":"x"}', [401, 403, 404, 422]],
  [
    'a prototype',
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
    [400, 401, 403, 404, 422],
  ],
  ['an id', `{"_id":"${newId()}","version":99}`, [401, 403, 404, 422]],
];

describe('A body that does not hold', () => {
  leavesNoTrace();

  test.each(titled(unsigned.filter(({ body }) => body !== undefined)))(
    '%s is refused',
    async (what, call) => {
      await Promise.all(
        badBodies.map(async ([name, body, statuses]) =>
          expectRefusal(await sendRaw(call, body), statuses, `${what} with ${name}`),
        ),
      );
      // Chunked: no length header tells of its size.
      const chunk = new TextEncoder().encode('x'.repeat(8_192));
      let left = (call.maxBodyBytes ?? usualBodyBytes) / chunk.length + 1;
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          left -= 1;
          if (left < 0) controller.close();
          else controller.enqueue(chunk);
        },
      });
      expectRefusal(await sendRaw(call, stream), [413], `${what} in chunks`);
    },
  );

  /** Sends bytes as JSON, signed in as administrator. */
  async function sendRaw(call: ListedCall, body: string | Uint8Array | ReadableStream): Promise<Answer> {
    const response = await fetch(new URL(pathOf(call), system.url), {
      method: call.method,
      headers: {
        Origin: system.url,
        'Content-Type': 'application/json',
        Cookie: Array.from(administrator.cookies, (pair) => pair.join('=')).join('; '),
      },
      body: body as BodyInit,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    });
    const text = await response.text();
    answered.push(text);
    return { status: response.status, headers: response.headers, text, json: undefined };
  }
});

const oddValues: readonly unknown[] = [
  0,
  -1,
  true,
  null,
  [],
  ['x'],
  {},
  { $ne: '' },
  'a\u0000b',
  '\ud800',
  "' OR 1=1 --",
  '{{7*7}}',
  'x'.repeat(20_000),
  ...(fullSize ? [1e308, '\u202e', '../../etc/passwd', '%00', '1e3', Number.MIN_VALUE, [[[]]], ' '] : []),
];

describe('Values of the wrong type', () => {
  leavesNoTrace();

  const shapes: readonly (readonly [CallName, Record<string, unknown>])[] = [
    ['POST /auth/register', { email: newEmail(), password: 'a customer password' }],
    ['POST /auth/login', { email: newEmail(), password: 'a customer password' }],
    ['POST /auth/verify', { token: 'no-such-token', password: 'a customer password' }],
    ['POST /auth/reset/confirm', { token: 'no-such-token', password: 'a customer password' }],
    ['PUT /auth/password', { currentPassword: 'not-the-password', newPassword: 'another-long-password' }],
    ['POST /create-payment-intent', { amount: 1, orderId: newId() }],
    ['PUT /order/:id', { paymentStatus: 'Paid' }],
    ['PUT /order-status/:id', { orderStatus: 'Delivered' }],
    ['PUT /message/:id', { messageStatus: 'Read' }],
    ['DELETE /messages', { ids: [newId()] }],
    ['POST /history/:id/restore', { version: 1 }],
  ];
  test.each(shapes.map(([name, body]) => [name, callNamed(name), body] as const))(
    '%s never fails on them',
    async (what, call, body) => {
      for (const field of Object.keys(body))
        for (const value of oddValues) {
          // A password may be any text; with it this body would be a right one.
          if (call.name === 'POST /auth/register' && field === 'password' && typeof value === 'string')
            continue;
          expectRefusal(
            await administrator.send(call.method, pathOf(call), { ...body, [field]: value }),
            [400, 401, 404, 409, 422],
            `${what} ${field} ${JSON.stringify(value).slice(0, 40)}`,
          );
        }
    },
  );
});

describe('More than a form may say', () => {
  leavesNoTrace();

  const extras = {
    paymentStatus: 'Paid',
    userRole: 'Admin',
    _id: newId(),
    isAdmin: true,
    emailVerified: true,
    version: 9,
  };

  test.each(sectionNames)('A record of %s takes its own fields alone', async (name) => {
    const section = sectionNamed(name);
    const { add, update, list } = sectionCalls(name);
    const [record] = (await administrator.get(list ? addressOf(list) : '')).json as readonly {
      readonly _id: string;
    }[];
    for (const [field, value] of Object.entries(extras)) {
      if (field in section.fields) continue;
      const body = { ...sampleOf(section), [field]: value };
      if (add) expectRefusal(await administrator.post(addressOf(add), body), [422], `${name} ${field}`);
      if (update && record)
        expectRefusal(
          await administrator.put(addressOf(update, record._id), body),
          [422],
          `${name} ${field}`,
        );
    }
  });

  test('Signing up makes nobody an administrator', async () => {
    for (const [field, value] of Object.entries(extras))
      expectRefusal(
        await new Recorder(system.url).post('/api/auth/register', {
          email: newEmail(),
          password: 'a customer password',
          [field]: value,
        }),
        [422],
        field,
      );
  });

  test('A customer cannot mark an order Paid or Delivered, nor change whose it is', async () => {
    for (const [path, body] of [
      [`/api/order/${orderId}`, { paymentStatus: 'Paid' }],
      [`/api/order/${orderId}`, { paymentStatus: 'Paid', transactionId: 'pi_1' }],
      [`/api/order/${orderId}`, { paymentStatus: 'Paid', packagePrice: '1' }],
      [`/api/order/${orderId}`, { customerEmail: newEmail() }],
      [`/api/order-status/${orderId}`, { orderStatus: 'Delivered' }],
      [`/api/order-cancelled/${orderId}`, { paymentStatus: 'Paid' }],
    ] as const)
      expectRefusal(await customer.put(path, body), [403, 409, 422], path);
  });
});

/** Every file below a folder, as text. */
async function readFiles(folder: string): Promise<[name: string, text: string][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry): Promise<[string, string]> => {
        const file = join(entry.parentPath, entry.name);
        return [file, await readFile(file, 'latin1')];
      }),
  );
}

test('No secret is in the built site, in an answer or in a log', async () => {
  const { stripePublishableKey, ...made } = JSON.parse(
    await readFile(join(system.dataDir, 'secrets.json'), 'utf8'),
  ) as Record<string, string>;
  const secrets: Readonly<Record<string, string | undefined>> = {
    ...givenSecrets,
    TURSO_AUTH_TOKEN: made['databaseToken'],
    STRIPE_SECRET_KEY: made['stripeSecretKey'],
    STRIPE_WEBHOOK_SECRET: made['stripeWebhookSecret'],
    SETUP_TOKEN: made['setupToken'],
    SEALING_KEYS: made['sealingKey'],
    TOKEN_SIGNING_KEY: made['tokenSigningKey'],
  };
  expect(Object.keys(secrets).toSorted()).toEqual(secretNames);
  const canaries = [
    ...secretNames.map((name) => z.string().min(12).parse(secrets[name])),
    ...secretNames.map(buildCanary),
    customer.password,
  ];
  for (const caller of [new Recorder(system.url), administrator]) {
    for (const { method, path } of allCalls) if (method === 'GET') await caller.get(callPath(path, newId()));
    for (const { pattern } of allScreens) await caller.get(fillPath(pattern, newId()));
  }
  const log = await readFile(join(system.dataDir, 'worker.log'), 'utf8');
  const built = await readFiles(join(import.meta.dirname, '../../node_modules/.cache/site-build'));
  expect(built.length).toBeGreaterThan(50);
  for (const kind of ['.html', '.js', '.map'])
    expect(
      built.some(([file]) => file.endsWith(kind)),
      kind,
    ).toBe(true);
  expect(log).toContain('"event":"request.answered"');
  expect(answered.length).toBeGreaterThan(500);
  expect(answered.join('\n')).toContain(stripePublishableKey);
  for (const canary of canaries) {
    expect(log.includes(canary)).toBe(false);
    expect(answered.filter((text) => text.includes(canary))).toEqual([]);
    expect(built.filter(([, text]) => text.includes(canary)).map(([file]) => file)).toEqual([]);
  }
  expect(log).not.toContain(customer.email);
});
