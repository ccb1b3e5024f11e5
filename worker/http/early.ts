/**
 * Calls that begin while their caller is still being looked up, so that the two do not take turns: reads, changes of
 * orders, which begin with a read, and saves of content, which render meanwhile. They begin as the account that the
 * session had when it was last looked up, and count only once that account is confirmed: until then nothing is
 * answered, and the database client holds writes back.
 */
import type { Context } from 'hono';
import type { Account } from '#contract/accounts.ts';
import { lackTextFor, lackTexts, may } from '#contract/audience.ts';
import type { Call } from '#contract/call.ts';
import type { ListedCall } from '#contract/calls/index.ts';
import { confirmExtension } from '#contract/problem.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from './app.ts';
import { ApiError, notAllowed, signInFirst } from './errors.ts';

/** How long a sign-in, or a password typed again, confirms the identity of the caller, in ms. */
const confirmedMs = ({ LIMIT_CONFIRMED_MINUTES: minutes }: Env): number =>
  (minutes ? Number(minutes) : 10) * 60_000;

/** Whether a caller has confirmed their identity recently enough. */
export const hasConfirmed = (env: Env, { confirmedAt }: Account): boolean =>
  confirmedAt >= Date.now() - confirmedMs(env);

/**
 * Whether that holds for a call: true for calls that do not require it, and for anonymous callers. Where the site
 * requires a passkey, a password alone confirms nothing for staff who have one: else a stolen one would be enough to add
 * a passkey, to delete their account or to give it another email.
 */
const isConfirmed = (env: Env, account: Account | undefined, { confirmed }: Call): boolean =>
  !confirmed || !account || (account.lacks !== 'passkeySignIn' && hasConfirmed(env, account));

/** Asks the browser to have the person confirm their identity, and to repeat the call. */
const confirmFirst = () => new ApiError(403, 'Please confirm that it is you.', { [confirmExtension]: true });

/**
 * @throws ApiError 401 or 403 unless the caller belongs to the audience of a call and, if it requires that, has
 *   confirmed their identity recently
 */
export function refuseUnlessAllowed(env: Env, account: Account | undefined, call: Call): void {
  const { who } = call;
  if (may(account, who)) {
    if (isConfirmed(env, account, call)) return;
    throw account?.lacks === 'passkeySignIn' ? notAllowed(lackTexts[account.lacks]) : confirmFirst();
  }
  if (!account) throw signInFirst();
  throw notAllowed(lackTextFor(account, who));
}

const isSame = (one: Account | undefined, other: Account | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Waits for the look-up of the caller, unless the call may begin before. */
export async function awaitCaller(c: Context<AppEnv>, call: ListedCall): Promise<void> {
  const { account: expected, db, lookUp } = c.var;
  if (!lookUp) return;
  const { begins = call.method === 'GET' ? 'early' : 'late' } = call;
  if (begins === 'late' || !may(expected, call.who) || !isConfirmed(c.env, expected, call)) {
    c.set('account', await lookUp());
    c.set('lookUp', undefined);
    return;
  }
  db.holdWrites(async () => {
    if (!isSame(await lookUp(), expected)) throw new Error('The caller is not who they were expected to be.');
  });
}

/**
 * Runs a handler, and answers only once the caller is confirmed. If it turns out to be another account than expected,
 * the result is discarded and the handler runs again; nothing was written.
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
