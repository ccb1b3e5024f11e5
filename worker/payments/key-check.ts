/**
 * Tests the payment key at Stripe: before it is saved, and from the cron trigger, because it can be revoked later.
 * A token made with the key proves that Stripe knows the key. If the secret key can read that token, both belong to
 * one account. https://docs.stripe.com/api/tokens/create_pii
 */
import { eq, isNotNull, max, sql } from 'drizzle-orm';
import Stripe from 'stripe';
import type { PaymentKeyChange } from '#contract/payments.calls.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { dayMs, remainingMs } from '../http/clock.ts';
import type { RequestDeps } from '../http/app.ts';
import { invalid } from '../http/errors.ts';
import { recordRun, runQuery, type JobRun } from '../operations/jobs.ts';
import { jobRuns } from '../operations/schema.ts';
import { attentionQueries } from '../operations/attention-line.ts';
import type { PaymentContext } from './context.ts';
import { paymentIntents, stripeKeys } from './schema.ts';
import { findModeProblem, isRefusal, openStripe } from './stripe.ts';

/** Why a key cannot take payments: Stripe does not know it, or it belongs to another account than the secret key. */
type Refusal = 'unknown' | 'otherAccount';

const refusalTexts: Readonly<Record<Refusal, string>> = {
  unknown:
    'Stripe does not recognize this key. Copy the publishable key again from the Stripe dashboard, Developers, API keys.',
  otherAccount:
    "This key belongs to another Stripe account than the site's secret key. Use the publishable key of the same account.",
};

/** The example number from Stripe's reference; the token is never used. */
const example = { pii: { id_number: '000000000' } };

type StripeSettings = Pick<Env, 'STRIPE_SECRET_KEY' | 'STRIPE_API_URL'>;

/**
 * Returns why a key cannot take payments; undefined if it can.
 * @throws StripeError Stripe gives no answer
 */
async function findRefusal(env: StripeSettings, key: string): Promise<Refusal | undefined> {
  let token: Stripe.Token;
  try {
    token = await openStripe({ ...env, STRIPE_SECRET_KEY: key }).tokens.create(example);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return 'unknown';
    // Stripe knows the key, but does not accept such tokens from this account.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
    throw error;
  }
  try {
    await openStripe(env).tokens.retrieve(token.id);
    return undefined;
  } catch (error) {
    if (isRefusal(error, 'resource_missing')) return 'otherAccount';
    // A restricted secret key may lack the permission to read tokens.
    if (error instanceof Stripe.errors.StripePermissionError) return undefined;
    throw error;
  }
}

/**
 * Why Stripe refuses a key, in sentences; undefined if it accepts it.
 * @throws StripeError Stripe gives no answer
 */
export async function describeRefusal(env: StripeSettings, key: string): Promise<string | undefined> {
  const refusal = await findRefusal(env, key);
  return refusal && refusalTexts[refusal];
}

/**
 * Checks a key before it is saved.
 * @throws ApiError 422 its mode differs from the secret key's, or Stripe refuses it, StripeError Stripe does not answer
 */
export async function checkKey(
  { env }: Pick<RequestDeps, 'env'>,
  { stripeKey }: PaymentKeyChange,
): Promise<void> {
  if (stripeKey === undefined) return;
  const problem = findModeProblem(env, stripeKey) ?? (await describeRefusal(env, stripeKey));
  if (problem !== undefined) throw invalid({ stripeKey: problem });
}

/**
 * How often we test the key while there are no open payments and Stripe accepts it, in ms. Each test makes two
 * calls to Stripe.
 */
const idleMs = dayMs;
/** The shortest time between tests while a payment is open or Stripe refuses the key, in ms. */
const watchfulMs = 15 * 60_000;

/** @param openedAt when the newest open payment was started, in ms */
function isTryDue(last: JobRun | undefined, openedAt: number | null | undefined): boolean {
  if (!last) return true;
  const isWatchful = last.failure !== null || (openedAt ?? 0) > last.ranAt;
  return remainingMs(last.ranAt, isWatchful ? watchfulMs : idleMs) === 0;
}

/** @throws if the database or Stripe does not answer; the next run tests again */
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
  await recordRun(db, 'paymentKey', key && refusal ? `${refusal} ${key._id} ${key.version}` : null);
}

/** Whether Stripe refused the current key in the last test. A key saved since then was tested when it was saved. */
export const isKeyRefused = sql<boolean>`EXISTS (
  SELECT 1 FROM ${jobRuns} WHERE ${jobRuns.name} = 'paymentKey'
    AND ${jobRuns.failure} LIKE '% ' || ${stripeKeys._id} || ' ' || ${stripeKeys.version})`;

/** A key that needs attention; there is at most one. */
export const refusedKeys = (db: Database) =>
  attentionQueries(db, {
    rows: () =>
      db
        .select({ key: stripeKeys, run: jobRuns })
        .from(stripeKeys)
        .innerJoin(jobRuns, eq(jobRuns.name, 'paymentKey'))
        .where(isKeyRefused),
    since: jobRuns.ranAt,
    toLine({ key, run }) {
      const refusal: Refusal = run.failure?.startsWith('otherAccount') === true ? 'otherAccount' : 'unknown';
      return {
        _id: key._id,
        text: `Nobody can pay by card: Stripe rejects the payment key. ${refusalTexts[refusal]}`,
        time: run.succeededAt ?? run.ranAt,
      };
    },
  });
