/** The payment key: the one publishable key with which the payment page reaches Stripe. */
import { and, desc, eq, getTableColumns, isNotNull } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { newPaymentKey } from '#contract/payments.calls.ts';
import { cardsNotSetUp } from '#contract/payments.ts';
import type { NewPaymentKey, PaymentKey, PaymentKeyChange, SavedKey } from '#contract/payments.calls.ts';
import { actorId } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { settingEvents } from '../audit/schema.ts';
import { saveWithRetry, settingEvent, hasVersion, type SettingChange } from '../audit/setting-events.ts';
import { assert } from '../db/assert.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { conflict, notFound, unavailable } from '../http/errors.ts';
import type { Log } from '../http/log.ts';
import { checkVersion } from '../http/conditional.ts';
import { isKeyRefused } from './key-check.ts';
import { stripeKeys } from './schema.ts';
import { findModeProblem } from './stripe.ts';

type StoredKey = typeof stripeKeys.$inferSelect;

export const toPaymentKey = ({ _id, stripeKey }: StoredKey): PaymentKey => ({ _id, stripeKey });

const valuesOf = ({ stripeKey }: NewPaymentKey) => ({ stripeKey });

/** The query for the key, as a list of one or none. */
export const keysQuery = (db: Database) =>
  db.select({ ...getTableColumns(stripeKeys), isRefused: isKeyRefused }).from(stripeKeys);

/** The maximum number of keys that the history shows. */
const maxKeys = 20;

/** The saved publishable keys, newest first, with who saved them. */
export async function readKeyHistory(db: Database): Promise<SavedKey[]> {
  const rows = await db
    .select({ event: settingEvents, email: accounts.email })
    .from(settingEvents)
    .leftJoin(accounts, eq(accounts.id, settingEvents.by))
    .where(and(eq(settingEvents.setting, 'paymentKey'), isNotNull(settingEvents.after)))
    .orderBy(desc(settingEvents.id))
    .limit(maxKeys);
  return rows.map(({ event, email }) => ({
    _id: event.id,
    ...newPaymentKey.parse(JSON.parse(event.after ?? '')),
    at: new Date(event.at).toISOString(),
    by: email ?? '',
  }));
}

/**
 * Refuses to start a payment that the page could not finish. The secret key may have changed since the payment key
 * was saved.
 * @param keys the result of `keysQuery`
 * @throws ApiError 503 the keys are of different modes
 */
export function refuseMixedModes([key]: readonly StoredKey[], env: Env, log: Log): void {
  const problem = key && findModeProblem(env, key.stripeKey);
  if (problem === undefined) return;
  log('payment-key.mode', { problem });
  throw unavailable(cardsNotSetUp);
}

/**
 * Refuses to start a payment with a key that Stripe refuses, before anyone types a card number.
 * @throws ApiError 503
 */
export function refuseRejectedKey([key]: Awaited<ReturnType<typeof keysQuery>>): void {
  if (key?.isRefused) throw unavailable(cardsNotSetUp);
}

/** @throws ApiError 404 */
export async function findKey(db: Database, id: string): Promise<StoredKey> {
  const key = await db.select().from(stripeKeys).where(eq(stripeKeys._id, id)).get();
  if (!key) throw notFound('We could not find this payment key.');
  return key;
}

type KeyDeps = Pick<RequestDeps, 'db' | 'clientIp'>;

/** The end of a key, by which people recognize it. */
const endOf = ({ stripeKey }: StoredKey): string => `…${stripeKey.slice(-4)}`;

/** The statements that record a change of the key in its history and in the audit log. */
const recordStatements = (
  deps: KeyDeps,
  caller: Account | undefined,
  { _id: recordId, version }: StoredKey,
  change: Pick<SettingChange, 'action' | 'before' | 'after'>,
  details: string,
): Statement[] => [
  settingEvent(
    deps.db,
    { ...change, setting: 'paymentKey', recordId, version },
    caller ? actorId(caller.id) : '',
  ),
  auditOfRequest(deps, { action: 'setting', accountId: caller?.id ?? '', recordId, details }),
];

/**
 * @param caller undefined for a request with the setup token
 * @throws ApiError 409 there is already a key
 */
export function addKey(
  deps: KeyDeps,
  caller: Account | undefined,
  values: NewPaymentKey,
): Promise<StoredKey> {
  const { db } = deps;
  const key = { _id: newId(), version: 1, position: 0, ...valuesOf(values) };
  const change = { action: 'added', after: valuesOf(key) } as const;
  return saveWithRetry(db, async () => {
    if ((await db.$count(stripeKeys)) > 0)
      throw conflict('There is already a payment key. Edit it instead of adding another.');
    return {
      statements: [
        db.insert(stripeKeys).values(key),
        ...recordStatements(deps, caller, key, change, `Added the payment key ${endOf(key)}`),
      ],
      answer: key,
    };
  });
}

/**
 * Changes the key.
 * @param ifMatch the ETag that the change is based on
 * @throws ApiError 404, 412
 */
export function updateKey(
  deps: KeyDeps,
  caller: Account,
  id: string,
  { values, ifMatch }: { readonly values: PaymentKeyChange; readonly ifMatch: string | undefined },
): Promise<StoredKey> {
  const { db } = deps;
  return saveWithRetry(db, async () => {
    const before = await findKey(db, id);
    checkVersion(ifMatch, before, toPaymentKey(before));
    const { stripeKey = before.stripeKey } = values;
    if (stripeKey === before.stripeKey) return { statements: [], answer: before };
    const after = { ...before, version: before.version + 1, stripeKey };
    const change = { action: 'updated', before: valuesOf(before), after: valuesOf(after) } as const;
    const details = `Changed the payment key from ${endOf(before)} to ${endOf(after)}`;
    return {
      statements: [
        assert(db, hasVersion(stripeKeys, before)),
        ...recordStatements(deps, caller, after, change, details),
        db.update(stripeKeys).set(after).where(eq(stripeKeys._id, id)),
      ],
      answer: after,
    };
  });
}

/** @throws ApiError 404 */
export function removeKey(deps: KeyDeps, caller: Account, id: string): Promise<StoredKey> {
  const { db } = deps;
  return saveWithRetry(db, async () => {
    const key = await findKey(db, id);
    const change = { action: 'removed', before: valuesOf(key) } as const;
    return {
      statements: [
        assert(db, hasVersion(stripeKeys, key)),
        ...recordStatements(deps, caller, key, change, `Removed the payment key ${endOf(key)}`),
        db.delete(stripeKeys).where(eq(stripeKeys._id, id)),
      ],
      answer: key,
    };
  });
}
