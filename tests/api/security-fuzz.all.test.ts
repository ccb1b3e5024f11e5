/**
 * Random requests to every call, made from the description of the API and sent by every role. None is a fault of ours,
 * and every answer has a shape that the description tells. `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` sets its length.
 */
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openCast,
  registerVerified,
  registerWithRole,
  roles,
  type Member,
  type Role,
} from '../support/cast.ts';
import { makeRequest, type Aim, type FuzzRequest, type Operation } from '../support/fuzz.ts';
import { fullSize } from '../support/limits.ts';
import { png } from '../support/pictures.ts';
import { below, pick, randomFrom } from '../support/random.ts';
import { openSystem, type InProcessSystem } from '../support/in-process-system.ts';
import { administrator } from '../support/system.ts';
import { newEmail, Visitor, type Answer } from '../support/visitor.ts';

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000);
const requests = Number(process.env['FUZZ_REQUESTS'] ?? (fullSize ? 100_000 : 700));
const atOnce = 4;
/** Requests from one run of the cron to the next, so that the site never reports that the cron has stopped. */
const cronEvery = 500;
const aims: readonly Aim[] = ['valid', 'near', 'hostile'];

let system: InProcessSystem;
let cast: Record<Role, Visitor>;
/** An administrator who stays signed in. */
let keeper: Visitor;
let operations: (readonly [string, string, Operation])[];
const picture = png(8, 8);
/** Ids that answers told; new ones replace old ones. */
const ids: string[] = [];
const mostIds = 2_000;

beforeAll(async () => {
  system = await openSystem();
  cast = await openCast(system.url);
  keeper = cast['an administrator'];
  cast['an administrator'] = await registerWithRole(system.url, keeper, 'Admin');
  const { paths } = (await new Visitor(system.url).get('/api/openapi.json')).json as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
  );
});
afterAll(() => system.stop());

/** What a 503 may say: that a line is full. It may not say that the database is away, because it is not. */
const busy =
  /^(Many people are (logging in|saving|working on this release) right now|Several pictures are being uploaded right now|This order is changing right now)\b/;

const isBusy = ({ status, headers, json }: Answer): boolean =>
  status === 503 &&
  headers.has('Retry-After') &&
  busy.test(String((json as { readonly detail?: unknown } | undefined)?.detail));

/** Sends a request with the cookies of a role, which the answer does not change. */
function sendAs(role: Role, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const visitor = new Visitor(system.url);
  for (const [name, value] of cast[role].cookies) visitor.cookies.set(name, value);
  return visitor.send(method, path, body, { headers });
}

/** Whether TCP reset the connection because the answer came before all of a refused body was read. */
const isReset = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(error.cause.code));

/** Somebody new for a role whose session or account a request has ended. */
async function replace(role: Role): Promise<Visitor> {
  if (role === 'an administrator') return registerWithRole(system.url, keeper, 'Admin');
  if (role === 'an editor') return registerWithRole(system.url, keeper, 'Editor');
  if (role === 'a support agent') return registerWithRole(system.url, keeper, 'Support');
  return registerVerified(system.url);
}

const inside =
  /SQLITE|SELECT |INSERT INTO|\bat \w+ \(|\.ts:\d|node_modules|TypeError|SyntaxError|ZodError|libsql|Drizzle/;

/** What is wrong with an answer, or undefined. */
function faultOf(answer: Answer): string | undefined {
  const { status, headers, text } = answer;
  if (isBusy(answer)) return undefined;
  if (status >= 500) return `answered ${String(status)}: ${text.slice(0, 300)}`;
  if (status >= 400 && inside.test(text)) return `told of the inside: ${text.slice(0, 300)}`;
  if (headers.get('Cache-Control') !== 'no-store')
    return `may be cached: ${String(headers.get('Cache-Control'))}`;
  return undefined;
}

/** Sends one request, which the seed and its number determine. @returns what was wrong, or undefined */
async function tryOne(index: number, counts: Map<number, number>): Promise<string | undefined> {
  const random = randomFrom(seed + index);
  const operation = operations[index % operations.length] ?? pick(random, operations);
  const aim = pick(random, aims);
  // Most calls are for administrators.
  const role = aim === 'valid' && random() < 0.5 ? 'an administrator' : pick(random, roles);
  const { email: own = administrator.email } = cast[role] as Partial<Member>;
  const emails = [own, own, administrator.email, newEmail('fuzz')];
  const request = makeRequest({ random, ids, emails }, aim, operation, picture);
  const what = `${operation[2].operationId}, ${aim}, ${role}, FUZZ_SEED=${String(seed)} (${String(index)})`;
  try {
    const answer = await sendAs(role, request).catch((error: unknown) => {
      if (isReset(error)) return sendAs(role, request);
      throw error;
    });
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    // The records of users stay unknown, so that no request takes the roles away.
    if (!/users?\b/.test(operation[1]))
      for (const [, id = ''] of answer.text.matchAll(/"_id":"([\w-]+)"/g)) {
        if (ids.length < mostIds) ids.push(id);
        else ids[below(random, mostIds)] = id;
      }
    if (
      role !== 'an anonymous visitor' &&
      answer.status === 401 &&
      answer.text.includes('"Please log in first."')
    )
      cast[role] = await replace(role);
    const fault = faultOf(answer);
    return fault && `${what}, ${fault}`;
  } catch (error) {
    // The comparison with the description throws, and so does a connection that is cut.
    return `${what}: ${inspect(error).slice(0, 500)}`;
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
  // A run in which every request is refused, or none is, has tried nothing.
  for (const status of [200, 401, 403, 404, 422])
    expect(counts.get(status), String(status)).toBeGreaterThan(0);
});
