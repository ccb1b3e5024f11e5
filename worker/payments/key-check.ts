/**
 * The payment key, tried at Stripe: before it is saved, and by the cron trigger, because it may be revoked there. A token
 * that the key makes shows that Stripe knows the key, and that the secret key can read the token shows that both belong
 * to one account. https://docs.stripe.com/api/tokens/create_pii
 */
import { and, count, eq, isNotNull, max, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { remainingMs } from '../http/clock.ts';
import { invalid } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { noteRun, runQuery, type JobRun } from '../operations/jobs.ts';
import { jobRuns } from '../operations/schema.ts';
import type { AttentionLine } from '../operations/attention-line.ts';
import type { PaymentContext } from './context.ts';
import { paymentIntents, stripeKeys } from './schema.ts';
import { askStripe, isRefusal, openStripe } from './stripe.ts';

/** Why no payment can be made with a key: Stripe does not know it, or it is of another account than the secret key. */
type Refusal = 'unknown' | 'otherAccount';

const refusalTexts: Readonly<Record<Refusal, string>> = {
  unknown:
    'Stripe does not know this key. Copy the publishable key once more from the Stripe dashboard, Developers, API keys.',
  otherAccount:
    "This key belongs to another Stripe account than the site's secret key. Use the publishable key of the same account.",
};

/** The number of the example in Stripe's reference: the token is never used. */
const example = { pii: { id_number: '000000000' } };

type StripeSettings = Pick<Env, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>;

/** What keeps a key from taking payments; undefined where nothing does. @throws StripeError where Stripe does not tell */
async function findRefusal(env: StripeSettings, key: string): Promise<Refusal | undefined> {
  let token: Stripe.Token;
  try {
    token = await openStripe({ ...env, STRIPE_SECRET_KEY: key }).tokens.create(example);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return 'unknown';
    // Stripe knows the key, and only takes no such token from this account.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
    throw error;
  }
  try {
    await openStripe(env).tokens.retrieve(token.id);
    return undefined;
  } catch (error) {
    if (isRefusal(error, 'resource_missing')) return 'otherAccount';
    // A restricted secret key may not read tokens.
    if (error instanceof Stripe.errors.StripePermissionError) return undefined;
    throw error;
  }
}

/** Why Stripe refuses a key, in sentences; undefined where it takes it. @throws StripeError where Stripe does not tell */
export async function describeRefusal(env: StripeSettings, key: string): Promise<string | undefined> {
  const refusal = await findRefusal(env, key);
  return refusal && refusalTexts[refusal];
}

/** @throws ApiError 422 Stripe refuses the key, 503 Stripe does not answer */
export async function checkKeyAtStripe(env: Env, log: Log, stripeKey: string | undefined): Promise<void> {
  if (stripeKey === undefined) return;
  const refusal = await askStripe(log, () => describeRefusal(env, stripeKey));
  if (refusal !== undefined) throw invalid({ stripeKey: refusal });
}

/** How often the key is tried while nobody pays and Stripe takes it, in ms: each try is two calls to Stripe. */
const idleMs = 24 * 3_600_000;
/** How often it is tried at most while somebody pays or Stripe refuses it, in ms. */
const watchfulMs = 15 * 60_000;

/** @param openedAt when the newest payment that is still open was begun, in ms */
function isTryDue(last: JobRun | undefined, openedAt: number | null | undefined): boolean {
  if (!last) return true;
  const isWatchful = last.failure !== null || (openedAt ?? 0) > last.ranAt;
  return remainingMs(last.ranAt, isWatchful ? watchfulMs : idleMs) === 0;
}

/** Tries the key where that is due. @throws when the database or Stripe does not answer; the next run tries again */
export async function checkKeyWhenDue({ db, env, log }: PaymentContext): Promise<void> {
  const [[last], [newest]] = await readTogether(db, [
    runQuery(db, 'paymentKey'),
    db
      .select({ openedAt: max(paymentIntents.startedAt) })
      .from(paymentIntents)
      .where(isNotNull(paymentIntents.checkAt)),
  ]);
  if (!isTryDue(last, newest?.openedAt)) return;
  const [key] = await db.select().from(stripeKeys);
  const refusal = key && (await findRefusal(env, key.stripeKey));
  if (key && refusal !== undefined) log('payment-key.refused', { key: key._id, refusal });
  await noteRun(db, 'paymentKey', key && refusal ? `${refusal} ${key._id} ${key.version}` : null);
}

/** Whether the last try found that Stripe refuses the key as it is now; a key that was saved since was tried then. */
export const isKeyRefused = sql<boolean>`EXISTS (
  SELECT 1 FROM ${jobRuns} WHERE ${jobRuns.name} = 'paymentKey'
    AND ${jobRuns.failure} LIKE '% ' || ${stripeKeys._id} || ' ' || ${stripeKeys.version})`;

/** The queries for a key that needs a person: there is one at most. */
export function refusedKey(db: Database) {
  const isRefused = and(eq(jobRuns.name, 'paymentKey'), isKeyRefused);
  return {
    count: db
      .select({ count: count() })
      .from(stripeKeys)
      .innerJoin(jobRuns, sql`true`)
      .where(isRefused),
    first: () =>
      db
        .select({ key: stripeKeys, run: jobRuns })
        .from(stripeKeys)
        .innerJoin(jobRuns, sql`true`)
        .where(isRefused),
  };
}

type RefusedKey = Awaited<ReturnType<ReturnType<typeof refusedKey>['first']>>[number];

/** It as a line of what needs a person. */
export function paymentKeyLine({ key, run }: RefusedKey): AttentionLine {
  const refusal: Refusal = run.failure?.startsWith('otherAccount') === true ? 'otherAccount' : 'unknown';
  return {
    _id: key._id,
    kind: 'paymentKey',
    text: `Nobody can pay by card: Stripe refuses the payment key. ${refusalTexts[refusal]}`,
    time: run.succeededAt ?? run.ranAt,
  };
}
