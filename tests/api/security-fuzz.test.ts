/**
 * Requests of every call, made at random from the description of the API, by everybody who may use the site: such as
 * hold, such as nearly hold, hostile ones. Nothing of them is our fault, and every answer has the shape that the
 * description tells of. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` says how many.
 */
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCast, roles, type Role } from '../support/cast.ts';
import { makeRequest, type Aim, type FuzzRequest, type Operation } from '../support/fuzz.ts';
import { fullSize } from '../support/limits.ts';
import { png } from '../support/pictures.ts';
import { below, pick, randomFrom } from '../support/random.ts';
import { administrator, startTestSystem, type TestSystem } from '../support/system.ts';
import { newEmail, Visitor, type Answer } from '../support/visitor.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const requests = Number(process.env['FUZZ_REQUESTS'] ?? (fullSize ? 100_000 : 700));
const atOnce = 4;
/** Requests from one run of the cron to the next: so many take less than the minutes after which it counts as stopped. */
const cronEvery = 500;
const aims: readonly Aim[] = ['valid', 'near', 'hostile'];

let system: TestSystem;
let cast: Record<Role, Visitor>;
let operations: (readonly [string, string, Operation])[];
const picture = png(8, 8);
/** Ids that answers told of, the newest in the place of the oldest. */
const ids: string[] = [];
const mostIds = 2_000;

beforeAll(async () => {
  system = await startTestSystem();
  cast = await openCast(system.url);
  const { paths } = (await new Visitor(system.url).get('/api/openapi.json')).json as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );
});
afterAll(() => system.stop());

/** Calls that sign their caller out where they hold. */
const endsSession = /^\w+ \/auth\/(logout|sessions|account|password)/;

/** What may answer 503 with a word of when to come back: a full line before a hash, an upload, a save; never a read. */
const mayBeBusy = /^(POST|PUT|DELETE) /;

/** Somebody with the cookies of a role, which nothing that is answered changes. */
function sendAs(role: Role, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const visitor = new Visitor(system.url);
  for (const [name, value] of cast[role].cookies) visitor.cookies.set(name, value);
  return visitor.send(method, path, body, { headers });
}

const resetCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/**
 * Whether a connection was reset, as TCP does where the answer comes, and the connection ends, before all of a body that is
 * refused has been read: the answer may be lost on the way. A Worker that has fallen down answers no second request either.
 */
const isReset = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  resetCodes.includes(error.cause.code);

async function signInAgain(role: Role): Promise<void> {
  const known = cast[role];
  const credentials =
    'password' in known && 'email' in known
      ? { email: known.email, password: known.password }
      : role === 'an administrator'
        ? administrator
        : undefined;
  if (credentials) await known.post('/api/auth/login', credentials);
}

const inside =
  /SQLITE|SELECT |INSERT INTO|\bat \w+ \(|\.ts:\d|node_modules|TypeError|SyntaxError|ZodError|libsql|Drizzle/;

/** What is wrong with an answer, or undefined. */
function faultOf(name: string, { status, headers, text }: Answer): string | undefined {
  if (status === 503 && mayBeBusy.test(name) && headers.has('Retry-After')) return undefined;
  if (status >= 500) return `answered ${String(status)}: ${text.slice(0, 300)}`;
  if (status >= 400 && inside.test(text)) return `told of the inside: ${text.slice(0, 300)}`;
  if (headers.get('Cache-Control') !== 'no-store')
    return `may be cached: ${String(headers.get('Cache-Control'))}`;
  return undefined;
}

/** One request, which the seed and its number make. @returns what was wrong, or undefined */
async function tryOne(index: number, counts: Map<number, number>): Promise<string | undefined> {
  const random = randomFrom(seed + index);
  const operation = operations[index % operations.length] ?? pick(random, operations);
  const role = roles[below(random, roles.length)] ?? 'an anonymous visitor';
  const aim = pick(random, aims);
  const emails = [administrator.email, newEmail('fuzz'), 'somebody@customers.example'];
  const request = makeRequest({ random, ids, emails }, aim, operation, picture);
  const { operationId: name } = operation[2];
  try {
    const answer = await sendAs(role, request).catch((error: unknown) => {
      if (isReset(error)) return sendAs(role, request);
      throw error;
    });
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    for (const [, id = ''] of answer.text.matchAll(/"_id":"([\w-]+)"/g))
      if (ids.length < mostIds) ids.push(id);
      else ids[below(random, mostIds)] = id;
    if (answer.status < 300 && endsSession.test(name)) await signInAgain(role);
    const fault = faultOf(name, answer);
    return fault && `${name}, ${aim}, ${role}, FUZZ_SEED=${String(seed)} (${String(index)}), ${fault}`;
  } catch (error) {
    // The check of the shape throws, and so does a connection that is cut.
    return `${name}, ${aim}, ${role}, FUZZ_SEED=${String(seed)} (${String(index)}): ${inspect(error).slice(0, 500)}`;
  }
}

test('Whatever anybody sends to any call, nothing breaks, and every answer is one that is described', async () => {
  const faults: string[] = [];
  const counts = new Map<number, number>();
  let next = 0;
  const sender = async () => {
    while (next < requests && faults.length < 40) {
      if (next % cronEvery === 0) await system.worker.tick();
      const fault = await tryOne(next++, counts);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  expect(faults).toEqual([]);
  // A run in which nothing held, or nothing was refused, would have tried nothing.
  for (const status of [200, 401, 403, 404, 422])
    expect(counts.get(status), String(status)).toBeGreaterThan(0);
});
