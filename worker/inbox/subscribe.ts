/**
 * Double opt-in. Anyone may enter an address, and the response does not show whether it is on the list. We email a link
 * to the address. The subscription is confirmed only when the button on the linked page is pressed, because mail
 * scanners open links. Unconfirmed subscriptions expire. The unsubscribe link contains the subscriber's unguessable id
 * instead of a signature, because it must still work in old newsletters after every key has been rotated.
 */
import { and, eq, isNull, not, sql } from 'drizzle-orm';
import { signInTexts } from '#contract/account-rules.ts';
import { callAddress } from '#contract/call-address.ts';
import { newId } from '#contract/ids.ts';
import { linkTo } from '#contract/screens.ts';
import { queueLimitedMail } from '../accounts/limited-mail.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { hasChanged } from '../db/insert-if.ts';
import { numberFrom, type Env } from '../env.ts';
import { invalid, idempotencyKeyReused } from '../http/errors.ts';
import { isSignatureOf, signatureOf } from '../http/signatures.ts';
import { isKeyUnused, recordKey } from '../limits/idempotency-keys.ts';
import {
  rateLimitFor,
  countOne,
  isBelow,
  countAttemptAndRead,
  type RateLimit,
} from '../limits/rate-limits.ts';
import { adjustCount } from './counts.ts';
import { confirmSubscriptionMail } from './mails.ts';
import { subscribers } from './schema.ts';

/** How many days a subscriber has to confirm. */
export const confirmationDays = (env: Env): number => numberFrom(env, 'LIMIT_UNCONFIRMED_SUBSCRIBER_DAYS', 7);

/** The unsubscribe link: a mail program sends it a single POST, and a person sees a page with a button. */
export const unsubscribeLink = ({ SITE_URL }: Pick<Env, 'SITE_URL'>, id: string): string =>
  SITE_URL + callAddress('POST /unsubscribe/:id', id);

/**
 * The signed text of a confirmation link. Only the email contains the signature, never the database or the staff's
 * screens.
 */
const signedText = (id: string, email: string): string => `subscription\n${id}\n${email}`;

/**
 * Adds an unconfirmed address to the list and emails it the link. A confirmed address stays unchanged.
 * @param subemail from `normalizeEmail`
 * @param ofCaller the caller's rate limit
 * @param formKey the form's idempotency key, which makes a repeated submit one request
 * @throws ApiError 429 that limit is used up, 422 the key came with a different address
 */
export async function subscribe(
  { db, env }: { readonly db: Database; readonly env: Env },
  subemail: string,
  ofCaller: RateLimit,
  formKey = '',
): Promise<void> {
  const isIt = eq(sql`lower(${subscribers.subemail})`, subemail);
  const once = `subscribe ${formKey} ${subemail}`;
  const ofKey = `subscribe ${formKey}`;
  const known = db.select({ _id: subscribers._id }).from(subscribers).where(isIt);
  const [found] = await countAttemptAndRead(
    db,
    [ofCaller],
    db
      .select({
        _id: sql<string | null>`(${known})`,
        isOther: sql<number>`(NOT ${isKeyUnused(ofKey)} AND ${isKeyUnused(once)})`,
      })
      .from(sql`(SELECT 1)`),
  );
  if (found?.isOther) throw idempotencyKeyReused('address');
  const _id = found?._id ?? newId();
  const now = Date.now();
  const limit = rateLimitFor(env, 'subscribeMail', subemail);
  const isFirst = formKey === '' ? sql`1` : isKeyUnused(once);
  const isWaiting = and(eq(subscribers._id, _id), isNull(subscribers.confirmedAt));
  await writeBatch(db, [
    adjustCount(db, 'subscribers', 1, not(hasRow(subscribers, isIt))),
    db.insert(subscribers).values({ _id, subemail, askedAt: now }).onConflictDoNothing(),
    ...queueLimitedMail(
      db,
      env,
      {
        accountId: '',
        to: subemail,
        kind: 'confirm-subscription',
        unsubscribe: unsubscribeLink(env, _id),
        onlyIf: sql`${hasRow(subscribers, isWaiting)} AND ${isBelow(limit, limit.max, now)} AND ${isFirst}`,
        content: confirmSubscriptionMail({
          link: `${env.SITE_URL}${linkTo('confirmSubscription')}?token=${_id}_${signatureOf(env, signedText(_id, subemail))}`,
          unsubscribe: unsubscribeLink(env, _id),
          days: confirmationDays(env),
        }),
      },
      'link for a stranger',
    ),
    // If an email was queued, the confirmation period starts over.
    countOne(db, limit, now, hasChanged),
    db.update(subscribers).set({ askedAt: now }).where(and(isWaiting, hasChanged)),
    ...(formKey === '' ? [] : [recordKey(db, once, now), recordKey(db, ofKey, now)]),
  ]);
}

/**
 * Confirms a subscription with its emailed link. Safe to repeat.
 * @throws ApiError 422 the link is not valid, or has expired
 */
export async function confirmSubscription(db: Database, env: Env, token: string): Promise<void> {
  const [id = ''] = token.split('_', 1);
  const signature = token.slice(id.length + 1);
  const found = await db.select().from(subscribers).where(eq(subscribers._id, id)).get();
  const isSigned = isSignatureOf(env, signedText(id, found?.subemail ?? ''), signature);
  if (!found || !isSigned) throw invalid({ token: signInTexts.linkOver });
  await db
    .update(subscribers)
    .set({ confirmedAt: Date.now() })
    .where(and(eq(subscribers._id, id), isNull(subscribers.confirmedAt)));
}
