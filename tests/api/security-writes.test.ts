/**
 * Writes that must fail, with forged signatures or invalid bodies. Each is refused without internal details, and the
 * database does not change. `guard.test.ts` proves that writes from other sites are refused, and `call-bodies.test.ts`
 * that a body has no other fields.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { allScreens } from '#contract/all-screens.ts';
import { defaultMaxBodyBytes, type CallName } from '#contract/call.ts';
import { allCalls } from '#contract/all-calls.ts';
import { newId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { shellNames } from '#contract/screens.ts';
import { buildCanary, secretNames } from '../support/canaries.ts';
import { addressOf, callNamed, callPath } from '../support/calls.ts';
import { registerVerified } from '../support/cast.ts';
import { dumpDatabase } from '../support/database.ts';
import { openSystem, secretsOfCopies, workerLogs } from '../support/in-process-system.ts';
import { newEmail, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

/** All responses, which the last test searches for secrets. */
const answered: string[] = [];

class Recorder extends Visitor {
  override async send(...request: Parameters<Visitor['send']>): Promise<Answer> {
    const answer = await super.send(...request);
    answered.push(answer.text, JSON.stringify([...answer.headers]));
    return answer;
  }
}

/** Secrets that a copy does not create for itself. Nothing listens at the URL of Turnstile. */
const givenSecrets = {
  GOOGLE_CLIENT_SECRET: 'canary-of-google',
  RESEND_API_KEY: 're_canary_of_resend',
  TURNSTILE_SECRET_KEY: 'canary-of-turnstile',
};

const system = await openSystem({
  vars: {
    ...givenSecrets,
    GOOGLE_CLIENT_ID: 'our-client',
    TURNSTILE_SITE_KEY: 'our-widget',
    TURNSTILE_VERIFY_URL: 'http://127.0.0.1:9/',
    REGISTER_LOGO_URL: '/images/another-logo.svg',
  },
});
const administrator = new Recorder(system.url);
for (const [name, value] of (await signInAdministrator(system.url)).cookies)
  administrator.cookies.set(name, value);
const customer = await registerVerified(system.url);
// The first visitor after a start causes the pages to be rendered and stored.
await administrator.get('/');
await system.worker.settle();
const before = await dumpDatabase(system);
afterAll(() => system.stop());

function expectRefusal(answer: Answer, statuses: readonly number[], what: string): void {
  expect(statuses, `${what}: ${answer.text.slice(0, 300)}`).toContain(answer.status);
  expect(answer.headers.get('Content-Type'), what).toContain('application/problem+json');
  expect(answer.text, what).not.toMatch(
    /SQLITE|SELECT |INSERT |at \w+ \(|\.ts:\d|node_modules|TypeError|SyntaxError|ZodError|libsql|Drizzle/i,
  );
}

/** Calls of three kinds: one that a plain form also makes, one that only takes JSON, and one of a section. */
const writes: readonly CallName[] = ['POST /auth/login', 'PUT /order/:id', 'PUT /faq-item/:id'];

test('Stripe delivers from another origin, and only its signature counts', async () => {
  const event = {
    id: 'evt_1',
    livemode: false,
    type: 'payment_intent.succeeded',
    data: { object: { id: 'pi_1' } },
  };
  const origin = { Origin: 'https://stripe.com', 'Sec-Fetch-Site': 'cross-site' };
  const forged = `t=${String(Math.floor(Date.now() / 1_000))},v1=${'0'.repeat(64)}`;
  for (const signature of [{}, { 'Stripe-Signature': '' }, { 'Stripe-Signature': forged }])
    expectRefusal(
      await administrator.post('/api/stripe/webhook', event, { headers: { ...origin, ...signature } }),
      [400],
      'webhook',
    );
});

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const mostBytes = Math.max(...allCalls.map(({ maxBodyBytes = defaultMaxBodyBytes }) => maxBodyBytes));
/** Bodies that no call accepts, and how they are refused. */
const badBodies: readonly (readonly [
  name: string,
  body: string | Uint8Array,
  statuses: readonly number[],
])[] = [
  ['nothing', '', [400]],
  ['a brace', '{', [400]],
  ['two values', '{}{}', [400]],
  ['an array', '[]', [400]],
  ['null', 'null', [400]],
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

/** Sends bytes as JSON. */
async function sendRaw(name: CallName, body: string | Uint8Array | ReadableStream): Promise<Answer> {
  const response = await fetch(new URL(addressOf(name, newId()), system.url), {
    method: callNamed(name).method,
    headers: {
      Origin: system.url,
      'Content-Type': 'application/json',
      ...administrator.cookies.header,
    },
    body: body as BodyInit,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
  const text = await response.text();
  answered.push(text);
  return { status: response.status, headers: response.headers, text, json: undefined };
}

test('A body that is malformed, too large or of another shape is refused', async () => {
  for (const name of writes) {
    for (const [what, body, statuses] of badBodies)
      expectRefusal(await sendRaw(name, body), statuses, `${name} with ${what}`);
    // A chunked body has no header that states its size.
    const chunk = new TextEncoder().encode('x'.repeat(8_192));
    let left = (callNamed(name).maxBodyBytes ?? 64 * 1024) / chunk.length + 1;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(chunk);
      },
    });
    expectRefusal(await sendRaw(name, stream), [413], `${name} in chunks`);
  }
});

const oddValues: readonly unknown[] = [
  ...[0, -1, true, null, [], ['x'], {}, { $ne: '' }],
  ...['a\u0000b', '\ud800', "' OR 1=1 --", '{{7*7}}', 'x'.repeat(20_000)],
];

test('A value of the wrong type is refused, and never causes a fault', async () => {
  const shapes: readonly (readonly [CallName, Record<string, unknown>])[] = [
    ['POST /auth/login', { email: newEmail(), password: 'a customer password' }],
    ['POST /auth/reset/confirm', { token: 'no-such-token', password: 'a customer password' }],
    ['POST /create-payment-intent', { amount: 1, orderId: newId() }],
    ['PUT /order/:id', { paymentStatus: 'Paid' }],
    ['DELETE /messages', { ids: [newId()] }],
    ['POST /history/:id/restore', { version: 1 }],
  ];
  for (const [name, body] of shapes)
    for (const field of Object.keys(body))
      for (const value of oddValues)
        expectRefusal(
          await administrator.send(callNamed(name).method, addressOf(name, newId()), {
            ...body,
            [field]: value,
          }),
          [400, 401, 404, 409, 422],
          `${name} ${field} ${JSON.stringify(value).slice(0, 40)}`,
        );
});

test('After all these refusals, the database is unchanged', async () => {
  expect(await dumpDatabase(system)).toEqual(before);
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

test('No secret is in the built site, in a response or in a log', async () => {
  const secrets: Readonly<Record<string, string | undefined>> = {
    ...givenSecrets,
    ...secretsOfCopies,
  };
  expect(Object.keys(secrets).toSorted()).toEqual(secretNames);
  const canaries = [
    ...secretNames.map((name) => z.string().min(12).parse(secrets[name])),
    ...secretNames.map(buildCanary),
    customer.password,
  ];
  const screens = shellNames.flatMap((name) => allScreens.find(({ kind }) => kind === name) ?? []);
  for (const caller of [new Recorder(system.url), administrator]) {
    for (const { method, path } of allCalls) if (method === 'GET') await caller.get(callPath(path, newId()));
    for (const { pattern } of screens) await caller.get(fillPath(pattern, newId()));
  }
  const log = workerLogs.join('\n');
  const built = await readFiles(join(import.meta.dirname, '../../node_modules/.cache/site-build'));
  expect(built.length).toBeGreaterThan(50);
  const kinds = new Set(built.map(([file]) => extname(file)));
  for (const kind of ['.html', '.js', '.map']) expect(kinds).toContain(kind);
  expect(log).toContain('"event":"request.answered"');
  expect(answered.length).toBeGreaterThan(300);
  expect(answered.join('\n')).toContain(system.publishableKey);
  for (const canary of canaries) {
    expect(log.includes(canary)).toBe(false);
    expect(answered.filter((text) => text.includes(canary))).toEqual([]);
    expect(built.filter(([, text]) => text.includes(canary)).map(([file]) => file)).toEqual([]);
  }
  expect(log).not.toContain(customer.email);
});

test('The sign-up screen shows the logo from its setting', async () => {
  const { text } = await new Visitor(system.url).get('/register');
  const [logo = ''] = /<img[^>]*data-register-logo[^>]*>/.exec(text) ?? [];
  expect(logo).toContain('src="/images/another-logo.svg"');
  expect(logo).not.toContain('hidden');
});
