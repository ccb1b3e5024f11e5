/**
 * Sends random requests to every call, in every role. None may break the site, and every response has a shape from the
 * description of the API, which `Visitor` checks. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` sets its length.
 */
import { inspect } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { allCalls, type ListedCall } from '#contract/all-calls.ts';
import { newId } from '#contract/ids.ts';
import { callPath } from '../support/calls.ts';
import { openCast, registerWithRole, roles, staffRoleOf, type Role } from '../support/cast.ts';
import { openSystem } from '../support/in-process-system.ts';
import { fullSize } from '../support/limits.ts';
import { below, pick, randomFrom, type Random } from '../support/random.ts';
import { administrator } from '../support/system.ts';
import { registerCustomer, Visitor, type Answer } from '../support/visitor.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const requests = Number(process.env['FUZZ_REQUESTS'] ?? (fullSize ? 100_000 : 500));
/** The number of requests between two cron runs, so that the site never reports a stopped cron. */
const cronEvery = 500;

/** Ids from responses. */
const ids: string[] = [];

const system = await openSystem();
const cast = await openCast(system.url);
/** An administrator who stays signed in. */
const keeper = cast['an administrator'];
cast['an administrator'] = await registerWithRole(system.url, keeper, 'Admin');
afterAll(() => system.stop());

/** Values that many fields accept, and values that often break code. */
const values: readonly unknown[] = [
  ...['499', '12', 'Basic', 'Paid', '2026-11-22', 'https://images.example/a.png', 'a text of a few words'],
  ...[administrator.email, true, false, 1, 'x'.repeat(300), null],
  ...['', '\0', '\ud800', 'x'.repeat(60_000), "'; DROP TABLE orders; --", '<script>alert(1)</script>'],
  ...['../../etc/passwd', 'a@b.example\nBcc: c@d.example', '1'.repeat(400), '2026-02-30T25:61:61Z'],
  ...['__proto__', 0, -1, 1e308, 2 ** 53 + 2, [], {}, { toString: 'x' }, { $ne: null }],
];
const hostileBodies = ['', '[]', '['.repeat(20_000), `{"a":"${'x'.repeat(70_000)}"}`] as const;
const hostileHeaders: readonly Readonly<Record<string, string>>[] = [
  { 'If-Match': '"1e999"' },
  { 'Idempotency-Key': '\u00e9'.repeat(500) },
  { 'X-Request-Id': '"},{"event":"forged' },
  { 'Sec-Fetch-Site': 'cross-site' },
];

const valueFor = (random: Random) =>
  ids.length > 0 && random() < 0.3 ? pick(random, ids) : pick(random, values);

/** The fields that the body of a call names. */
const fieldsOf = ({ body }: ListedCall): readonly string[] => {
  if (!body) return [];
  const { properties = {} } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' });
  return Object.keys(properties);
};

function bodyFor(random: Random, call: ListedCall): string {
  if (random() < 0.1) return pick(random, hostileBodies);
  const fields = fieldsOf(call).filter(() => random() < 0.9);
  const odd = random() < 0.2 ? ['userRole'] : [];
  return JSON.stringify(Object.fromEntries([...fields, ...odd].map((field) => [field, valueFor(random)])));
}

/** A full queue asks people to try again. */
const isBusy = ({ status, headers, text }: Answer) =>
  status === 503 && headers.has('Retry-After') && /right now/.test(text);
const inside =
  /SQLITE|SELECT |INSERT INTO|\bat \w+ \(|\.ts:\d|node_modules|TypeError|SyntaxError|ZodError|libsql|Drizzle/;

function faultOf(answer: Answer): string | undefined {
  const { status, headers, text } = answer;
  if (isBusy(answer)) return undefined;
  if (status >= 500) return `answered ${String(status)}: ${text.slice(0, 300)}`;
  if (status >= 400 && inside.test(text)) return `told of the inside: ${text.slice(0, 300)}`;
  if (headers.get('Cache-Control') !== 'no-store') return 'may be cached';
  return undefined;
}

/** A new person for a role whose session or account a request has ended. */
const replace = (role: Role): Promise<Visitor> => {
  const userRole = staffRoleOf(role);
  return userRole ? registerWithRole(system.url, keeper, userRole) : registerCustomer(system.url);
};

/**
 * Sends one request, which the seed and its number determine.
 * @returns what was wrong, or undefined
 */
async function tryOne(index: number, counts: Map<number, number>): Promise<string | undefined> {
  const random = randomFrom(seed + index);
  const call = allCalls[index % allCalls.length] ?? pick(random, allCalls);
  const role = random() < 0.4 ? 'an administrator' : pick(random, roles);
  const id = ids.length > 0 && random() < 0.8 ? pick(random, ids) : newId();
  const asked = encodeURIComponent(
    JSON.stringify([valueFor(random)])
      .slice(1, 400)
      .toWellFormed(),
  );
  const query = random() < 0.3 ? `?${pick(random, ['q', 'page', 'from', 'sort'])}=${asked}` : '';
  const path =
    callPath(call.path, call.path.includes(':revision') ? String(1 + below(random, 5)) : id) + query;
  const visitor = new Visitor(system.url);
  for (const [name, value] of cast[role].cookies) visitor.cookies.set(name, value);
  const headers = { 'Content-Type': 'application/json', ...(random() < 0.2 && pick(random, hostileHeaders)) };
  const what = `${call.name}, ${role}, FUZZ_SEED=${String(seed)} (${String(index)})`;
  try {
    const answer = await visitor.send(
      call.method,
      path,
      call.method === 'GET' ? undefined : bodyFor(random, call),
      { headers },
    );
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    // The ids of users stay unknown, so that no request removes the roles.
    if (!/users?\b/.test(call.path))
      for (const [, found = ''] of answer.text.matchAll(/"_id":"([\w-]+)"/g))
        if (ids.length < 2_000) ids.push(found);
    if (
      role !== 'an anonymous visitor' &&
      answer.status === 401 &&
      answer.text.includes('"Please log in first."')
    )
      cast[role] = await replace(role);
    const fault = faultOf(answer);
    return fault && `${what}, ${fault}`;
  } catch (error) {
    // A mismatch with the description throws, and so does a closed connection.
    return `${what}: ${inspect(error).slice(0, 500)}`;
  }
}

test('Whatever anybody sends to any call, nothing breaks, and the description of the API covers every response', async () => {
  const faults: string[] = [];
  const counts = new Map<number, number>();
  for (let index = 0; index < requests && faults.length < 40; index += 1) {
    if (index % cronEvery === 0) await system.worker.tick();
    const fault = await tryOne(index, counts);
    if (fault !== undefined) faults.push(fault);
  }
  expect(faults).toEqual([]);
  // A run in which every request is refused, or none is, proves nothing.
  for (const status of [200, 401, 403, 404, 422])
    expect(counts.get(status), String(status)).toBeGreaterThan(0);
});
