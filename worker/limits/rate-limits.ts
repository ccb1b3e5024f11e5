/**
 * Rate limits. The database counts attempts in fixed windows, before any expensive work. A row contains a hash,
 * never an address. Cloudflare's own rate limit runs first and stops most of a flood.
 */
import { counted } from '#contract/counted.ts';
import { unpaidOrderDays } from '#contract/orders.ts';
import { and, eq, lt, sql, type SQL } from 'drizzle-orm';
import { numberFrom, type Env } from '../env.ts';
import type { LimitName } from '../settings.ts';
import type { BatchItem } from 'drizzle-orm/batch';
import { writeTogether, type Database, type Statement } from '../db/client.ts';
import { deleteSome } from '../db/delete-some.ts';
import { dayMs, hourMs, minuteMs } from '../http/clock.ts';
import { tooManyRequests } from '../http/errors.ts';
import { attempts } from './schema.ts';
import { hashSecret } from '../http/secrets.ts';
import { insertIf } from '../db/insert-if.ts';

/** All rate limits: the setting that changes each one, and its default. */
const rateLimits = {
  /** Failed sign-ins to one account by strangers, who use no known device. */
  signInAccount: { setting: 'LIMIT_SIGN_IN_ACCOUNT', max: 10, windowMs: 15 * minuteMs },
  /** Failed sign-ins from one address. */
  signInAddress: { setting: 'LIMIT_SIGN_IN_ADDRESS', max: 100, windowMs: 15 * minuteMs },
  /** Failed sign-ins from one known device, one session, or one emailed link. */
  signInKnown: { setting: 'LIMIT_SIGN_IN_KNOWN', max: 10, windowMs: 15 * minuteMs },
  /** Failed sign-ins to one account from all its known devices. */
  signInKnownAccount: { setting: 'LIMIT_SIGN_IN_KNOWN_ACCOUNT', max: 50, windowMs: 15 * minuteMs },
  signUpAddress: { setting: 'LIMIT_SIGN_UP_ADDRESS', max: 60, windowMs: hourMs },
  resetAddress: { setting: 'LIMIT_RESET_ADDRESS', max: 20, windowMs: hourMs },
  /**
   * Emails with links to one account. Strangers have a total limit and a limit per address. Known devices have a
   * total limit and a limit per device or session.
   */
  mailAccount: { setting: 'LIMIT_MAIL_ACCOUNT', max: 30, windowMs: hourMs },
  mailAddress: { setting: 'LIMIT_MAIL_ADDRESS', max: 5, windowMs: hourMs },
  mailKnownAccount: { setting: 'LIMIT_MAIL_KNOWN_ACCOUNT', max: 20, windowMs: hourMs },
  mailKnown: { setting: 'LIMIT_MAIL_KNOWN', max: 5, windowMs: hourMs },
  /** Emails to an unverified address. accounts/limited-mail.ts reserves some of them. */
  unverifiedMail: { setting: 'LIMIT_UNVERIFIED_MAIL', max: 20, windowMs: hourMs },
  /** Invitations that administrators send to one address. */
  invitationMail: { setting: 'LIMIT_INVITATION_MAIL', max: 10, windowMs: hourMs },
  setUpAddress: { setting: 'LIMIT_SET_UP_ADDRESS', max: 20, windowMs: hourMs },
  /** Emails that ask one address to confirm a subscription. */
  subscribeMail: { setting: 'LIMIT_SUBSCRIBE_MAIL', max: 3, windowMs: dayMs },
  /** Messages and subscriptions. */
  inboxAddress: { setting: 'LIMIT_INBOX_ADDRESS', max: 20, windowMs: hourMs },
  /** Unpaid orders of one account. An order stays unpaid no longer than the window. */
  unpaidOrders: { setting: 'LIMIT_UNPAID_ORDERS', max: 10, windowMs: unpaidOrderDays * dayMs },
  ordersAccount: { setting: 'LIMIT_ORDERS_ACCOUNT', max: 20, windowMs: hourMs },
  /** Coupon codes tried by one account, or by one address without an account. */
  couponCodes: { setting: 'LIMIT_COUPON_CODES', max: 30, windowMs: hourMs },
  /** PaymentIntents created at Stripe for one order, and from one address. */
  intentsOrder: { setting: 'LIMIT_INTENTS_ORDER', max: 5, windowMs: hourMs },
  intentsAddress: { setting: 'LIMIT_INTENTS_ADDRESS', max: 30, windowMs: hourMs },
  /** Declined cards for one order, and how long the order must then wait. */
  declines: { setting: 'LIMIT_DECLINES', max: 5, windowMs: 15 * minuteMs },
  /** Changes of the company and tax number of one order. */
  billingOrder: { setting: 'LIMIT_BILLING_ORDER', max: 20, windowMs: hourMs },
  /** Messages and uploads of one account on orders. */
  conversationMessages: { setting: 'LIMIT_CONVERSATION_MESSAGES', max: 100, windowMs: hourMs },
  conversationFiles: { setting: 'LIMIT_CONVERSATION_FILES', max: 300, windowMs: hourMs },
} as const satisfies Record<string, { setting: LimitName; max: number; windowMs: number }>;

type RateLimitKind = keyof typeof rateLimits;

export interface RateLimit {
  readonly kind: string;
  /** The email, address or account that is limited. */
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

/** The rate limit of one account or address, according to the settings. */
export function rateLimitFor(env: Env, kind: RateLimitKind, key: string): RateLimit {
  const { setting, max, windowMs } = rateLimits[kind];
  return { kind, key, windowMs, max: numberFrom(env, setting, max) };
}

/** The id of the row of a limit, or of a used idempotency key. */
export const rowId = ({ kind, key }: Pick<RateLimit, 'kind' | 'key'>) => hashSecret(`${kind}\n${key}`);

export function describeWait(seconds: number): string {
  return seconds < 60 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');
}

/**
 * The condition that a window has not ended. A window that ends too far in the future was opened by a machine with a
 * fast clock, so it is ignored. Clocks differ, so "too far" means two window lengths.
 */
const isCurrent = ({ windowMs }: Pick<RateLimit, 'windowMs'>, now: number): SQL =>
  sql`(${attempts.windowEndsAt} > ${now} AND ${attempts.windowEndsAt} <= ${now + 2 * windowMs})`;

/**
 * The statement that counts one attempt in the current window.
 * @param condition counts it only if it holds
 */
export function countOne(db: Database, limit: RateLimit, now: number, condition: SQL = sql`1`) {
  const isOpen = isCurrent(limit, now);
  const row = { id: rowId(limit), count: 1, windowEndsAt: now + limit.windowMs };
  return insertIf(db, attempts, row, condition).onConflictDoUpdate({
    target: attempts.id,
    set: {
      count: sql`CASE WHEN ${isOpen} THEN ${attempts.count} + 1 ELSE 1 END`,
      windowEndsAt: sql`CASE WHEN ${isOpen} THEN ${attempts.windowEndsAt} ELSE excluded.windowEndsAt END`,
    },
  });
}

export const isBelow = (whose: Omit<RateLimit, 'max'>, max: number, now: number): SQL =>
  sql`coalesce((SELECT ${attempts.count} FROM ${attempts} WHERE ${attempts.id} = ${rowId(whose)} AND ${isCurrent(whose, now)}), 0) < ${max}`;

/** @throws ApiError 429 with Retry-After if a rate limit is used up */
function refuseUsedUp(
  taken: typeof attempts.$inferSelect | undefined,
  { max, windowMs }: RateLimit,
  now: number,
): void {
  // The request that opened the window may have read the clock slightly later than this request.
  if (taken && taken.count > max) throw usedUp(Math.min(taken.windowEndsAt - now, windowMs));
}

/**
 * Counts one attempt in a single statement, so that concurrent calls cannot exceed the limit.
 * @param key the email, address or account that is limited
 * @throws ApiError 429 with Retry-After if the limit is used up
 */
export async function countAttempt(
  { db, env }: { readonly db: Database; readonly env: Env },
  kind: RateLimitKind,
  key: string,
): Promise<void> {
  const now = Date.now();
  const limit = rateLimitFor(env, kind, key);
  refuseUsedUp(await countOne(db, limit, now).returning().get(), limit, now);
}

/**
 * Counts one attempt against a rate limit, and against a second one unless the first is used up. Runs a query in the
 * same batch.
 * @returns the result of the query
 * @throws ApiError 429 with Retry-After if one of the limits is used up
 */
export async function countAttemptAndRead<Q extends BatchItem<'sqlite'>>(
  db: Database,
  [first, second]: readonly [first: RateLimit, second?: RateLimit],
  query: Q,
): Promise<Q['_']['result']> {
  const now = Date.now();
  const isFirstLeft = isBelow(first, first.max + 1, now);
  const [read, [ofFirst], ...[ofSecond]] = await writeTogether(db, [
    query,
    countOne(db, first, now).returning(),
    ...(second ? [countOne(db, second, now, isFirstLeft).returning()] : []),
  ]);
  refuseUsedUp(ofFirst, first, now);
  if (second) refuseUsedUp(ofSecond?.[0], second, now);
  return read;
}

/** @param waitMs how long until the next attempt is allowed */
export function usedUp(waitMs: number) {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return tooManyRequests(
    `You have tried this too many times. Please wait ${describeWait(seconds)} and try again.`,
    seconds,
  );
}

/** The statement that uncounts one attempt. @param condition uncounts it only if it holds */
export const releaseAttempt = (db: Database, limit: RateLimit, condition: SQL = sql`1`): Statement =>
  db
    .update(attempts)
    .set({ count: sql`max(${attempts.count} - 1, 0)` })
    .where(and(eq(attempts.id, rowId(limit)), condition));

export const resetLimit = (db: Database, whose: Pick<RateLimit, 'kind' | 'key'>): Statement =>
  db.delete(attempts).where(eq(attempts.id, rowId(whose)));

/** Deletes expired windows, a limited number per run. @returns the number of deleted windows */
export const sweepAttempts = (db: Database): Promise<number> =>
  deleteSome(db, attempts, lt(attempts.windowEndsAt, Date.now()));
