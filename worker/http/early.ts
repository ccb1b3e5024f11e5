/**
 * Calls that begin while their caller is still being looked up, so that nobody waits for one after the other: reads,
 * changes of orders, which read first, and saves of content, which render meanwhile. They begin as the account that the session had when it was last looked up,
 * and what they come to counts only once that is confirmed: until then nothing is answered, and the database holds
 * writes back.
 */
import type { Context } from 'hono';
import type { Account } from '#contract/accounts.ts';
import { lackTextFor, may } from '#contract/audience.ts';
import type { Call, CallName } from '#contract/call.ts';
import type { ListedCall } from '#contract/calls/index.ts';
import { sectionCalls } from '#contract/section-calls.ts';
import { sectionNames } from '#contract/sections/index.ts';
import { confirmExtension } from '#contract/problem.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from './app.ts';
import { ApiError, notAllowed, signInFirst } from './errors.ts';

const ofSections = new Set<CallName>(sectionNames.flatMap((name) => Object.values(sectionCalls(name))));

/** Changes of orders that ask nobody but the database. */
const ofOrders = new Set<CallName>([
  'POST /new-order',
  'POST /add-order',
  'PUT /order-status/:id',
  'PUT /order/:id/billing',
]);

/** A read that also asks another service for what it gives once: it is made once, for a caller who is known. */
const asksOnce = new Set<CallName>(['GET /auth/google/callback']);

/** For how long a sign-in, or a password typed again, confirms that the caller is there. */
const confirmedMs = ({ LIMIT_CONFIRMED_MINUTES: minutes }: Env): number =>
  (minutes ? Number(minutes) : 10) * 60_000;

/** Whether a caller has shown of late that they are there. */
export const hasConfirmed = (env: Env, { confirmedAt }: Account): boolean =>
  confirmedAt >= Date.now() - confirmedMs(env);

/** The same, where a call wants it of a caller who is signed in. */
const isConfirmed = (env: Env, account: Account | undefined, { confirmed }: Call): boolean =>
  !confirmed || !account || hasConfirmed(env, account);

/** Asks the browser to have its owner confirm that they are there, and to call again. */
const confirmFirst = () => new ApiError(403, 'Please confirm that it is you.', { [confirmExtension]: true });

/**
 * @throws ApiError 401 or 403 unless somebody belongs to the audience of a call, and has confirmed of late that they
 *   are there where it wants that
 */
export function refuseUnlessAllowed(env: Env, account: Account | undefined, call: Call): void {
  const { who } = call;
  if (may(account, who)) {
    if (!isConfirmed(env, account, call)) throw confirmFirst();
    return;
  }
  if (!account) throw signInFirst();
  throw notAllowed(lackTextFor(account, who));
}

const isSame = (one: Account | undefined, other: Account | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Waits until the caller is known for sure, unless the call may begin before. */
export async function awaitCaller(c: Context<AppEnv>, call: ListedCall): Promise<void> {
  const { account: expected, db, lookUp } = c.var;
  if (!lookUp) return;
  const isGet = call.method === 'GET';
  const mayBegin =
    (isGet && !asksOnce.has(call.name)) || ofSections.has(call.name) || ofOrders.has(call.name);
  if (!mayBegin || !may(expected, call.who) || !isConfirmed(c.env, expected, call)) {
    c.set('account', await lookUp());
    c.set('lookUp', undefined);
    return;
  }
  // What a call reads takes the look-up along; a save has all it reads in memory as a rule.
  if (ofSections.has(call.name) && !isGet) db.sendWaiting();
  db.holdWrites(async () => {
    if (!isSame(await lookUp(), expected)) throw new Error('The caller is not who they were expected to be.');
  });
}

/**
 * What a handler answers to a caller who is known for sure. What it came to for another one than was expected is thrown
 * away, and it begins again; nothing was written.
 */
export async function answerCaller<T>(
  c: Context<AppEnv>,
  call: Call,
  answer: () => T | Promise<T>,
): Promise<T> {
  const { account: expected, db, lookUp } = c.var;
  if (!lookUp) return answer();
  const [outcome] = await Promise.allSettled([(async () => answer())()]);
  const account = await lookUp();
  c.set('account', account);
  c.set('lookUp', undefined);
  db.holdWrites(() => Promise.resolve());
  refuseUnlessAllowed(c.env, account, call);
  if (!isSame(account, expected)) return answer();
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
