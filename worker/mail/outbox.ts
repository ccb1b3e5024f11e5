/**
 * The outbox. An email is queued in the batch of the change that it reports, and sent immediately after the response.
 * The cron trigger retries failed emails with growing delays. An email therefore never fails a request, and no email is
 * lost.
 */
import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  lte,
  not,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import type { Database, Statement } from '../db/client.ts';
import { sealingKeys, type Env } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { hourMs, jobLimitMs } from '../http/clock.ts';
import { describeError, type Log } from '../http/log.ts';
import { numberPlaceholder, oneLine, renderMail, type MailContent } from './layout.ts';
import { brandQuery, mailBrandOf } from './brand.ts';
import { MailError } from './mail-service.ts';
import { mails } from './schema.ts';
import { seal, unseal } from './seal.ts';
import { openTransport, senderOf } from './transport.ts';
import { hasRow } from '../db/has-row.ts';
import { insertIf } from '../db/insert-if.ts';

export interface Mail {
  readonly to: string;
  readonly content: MailContent;
  /**
   * The account that the email is for. Deleting the account deletes the queued email. Absent for emails to the
   * business.
   */
  readonly accountId?: string;
  /**
   * The id of the record that the email is about, for `cancelMailsAbout`: the order or message of an email to the
   * business, or the user record of an invitation.
   */
  readonly about?: string;
  /** The kind of the email, such as 'order-placed'. */
  readonly kind: string;
  /** A query for the number that replaces `numberPlaceholder`, run in the batch that queues the email. */
  readonly number?: SQLWrapper;
  /**
   * Where replies go, if not to the address that sends our email. In emails to the business, that is the sender of a
   * message. In emails to a customer, it is the conversation (reply-address.ts) or the business. Only emails to the
   * business may direct replies to an address that a person typed.
   */
  readonly replyTo?: string;
  /** For a newsletter: the URL that unsubscribes the reader with one POST (RFC 8058). */
  readonly unsubscribe?: string;
  /**
   * The email is queued only if no email with this topic is waiting for its first attempt, so that one email reports
   * several events.
   */
  readonly topic?: string;
  /** The delay before the first attempt, in ms, so that one email can report several events. */
  readonly delayMs?: number;
}

/** After this many attempts, over three days, an email waits for a person. */
export const maxTries = 44;
/** How long a sender's claim on an email lasts, in ms. */
const claimMs = 2 * 60_000;
/**
 * How long after a response its request may start sending emails, in ms. Cloudflare ends background work 30 s after the
 * response (https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil), and the last email may need 20
 * s. The cron sends the rest.
 */
const backgroundMs = 8_000;
/** The maximum number of emails that one run sends. */
const runLength = 25;

/** The encrypted part of an email, as JSON. */
type SealedPart = Pick<Mail, 'content' | 'replyTo' | 'unsubscribe'>;

/**
 * Identifies the requests that have queued an email without a delay, by their database, because each request opens its
 * own. `queueMail` adds to it, and `deliverQueued` then sends the emails after the response.
 */
const haveQueued = new WeakSet<Database>();

/** The delay after a failed attempt, in ms: 30 s, doubled each time, at most two hours. */
export const retryDelayMs = (tries: number): number => Math.min(30_000 * 2 ** (tries - 1), 2 * hourMs);

/**
 * The statement that queues an email. Put it into the batch of the change that the email reports. The app sends the
 * email after the response (`deliverQueued`).
 * @param condition queues it only if it holds
 */
export function queueMail(
  db: Database,
  env: Pick<Env, 'SEALING_KEYS'>,
  { to, accountId, about, kind, number, topic, delayMs = 0, content, replyTo, unsubscribe }: Mail,
  condition: SQL = sql`1`,
): Statement {
  if (delayMs === 0) haveQueued.add(db);
  const _id = newId();
  const now = Date.now();
  const sealed = { content, replyTo, unsubscribe };
  const mail = {
    _id,
    kind,
    recipient: to,
    accountId: accountId ?? null,
    about: about ?? null,
    subject: oneLine(content.subject),
    body: seal(sealingKeys(env), _id, JSON.stringify(sealed)),
    number: number ?? null,
    createdAt: now,
    dueAt: now + delayMs,
    tries: 0,
    failure: null,
    topic: topic ?? null,
  };
  const isFirst = topic === undefined ? undefined : not(hasRow(mails, isUntried(topic)));
  return insertIf(db, mails, mail, and(condition, isFirst));
}

/**
 * Makes an email due now, whether it was waiting for a retry or for a person. An email that is due within the length of
 * a claim stays unchanged, because a sender may have claimed it, and a second sender would send it twice.
 * @returns whether the email exists
 */
export async function retryMail(db: Database, id: string): Promise<boolean> {
  haveQueued.add(db);
  const now = Date.now();
  const isFree = or(isNull(mails.dueAt), gt(mails.dueAt, now + claimMs));
  const ifFree = (value: number | null, column: SQLWrapper) =>
    sql`CASE WHEN ${isFree} THEN ${value} ELSE ${column} END`;
  const found = await db
    .update(mails)
    .set({
      dueAt: ifFree(now, mails.dueAt),
      tries: ifFree(0, mails.tries),
      failure: ifFree(null, mails.failure),
    })
    .where(eq(mails._id, id))
    .returning({ _id: mails._id });
  return found.length > 0;
}

/** Whether an email has failed for good. It is retried only if someone asks for it. */
export const isGivenUp = isNull(mails.dueAt);

/** The statement that deletes an email that failed for good, after someone has handled it. */
export const deleteFailedMail = (db: Database, id: string): Statement =>
  db.delete(mails).where(and(eq(mails._id, id), isGivenUp));

/** The headers that make mail clients show an unsubscribe button (RFC 2369, RFC 8058). */
const listHeaders = (unsubscribe: string) => ({
  'List-Unsubscribe': `<${unsubscribe}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** The condition that an email of a topic is waiting for its first attempt. */
export const isUntried = (topic: string): SQL => sql`(${mails.topic} = ${topic} AND ${mails.tries} = 0)`;

/**
 * The statement that deletes the email of a topic that is waiting for its first attempt. @param condition deletes it only
 * if it holds
 */
export const cancelUntriedMail = (db: Database, topic: string, condition: SQL): Statement =>
  db.delete(mails).where(and(isUntried(topic), condition));

/** The statement that deletes all unsent emails of a topic, including those that were tried before. */
export const cancelMails = (db: Database, topic: string): Statement =>
  db.delete(mails).where(eq(mails.topic, topic));

/** The statement that deletes the queued emails about some records. @param ids a query for their ids */
export const cancelMailsAbout = (db: Database, ids: SQLWrapper): Statement =>
  db.delete(mails).where(inArray(mails.about, ids));

/**
 * The condition that a queued email is for an address. It excludes emails to the business, because someone may have
 * signed up with the business's own mailbox.
 */
export const isAddressedTo = (email: string): SQL =>
  sql`(${mails.accountId} IS NOT NULL AND lower(${mails.recipient}) = ${email})`;

/**
 * Claims the email that has been due longest, and reads the brand. Both are one statement, so that two senders never
 * claim the same email.
 */
async function claimMail(db: Database, now: number) {
  const due = db
    .select({ _id: mails._id })
    .from(mails)
    .where(lte(mails.dueAt, now))
    .orderBy(asc(mails.dueAt))
    .limit(1);
  const [claimed] = await db
    .update(mails)
    .set({ dueAt: now + claimMs, tries: sql`${mails.tries} + 1` })
    .where(inArray(mails._id, due))
    .returning({ ...getTableColumns(mails), brand: brandQuery });
  return claimed;
}

/** @returns whether the service accepts more emails now */
async function sendClaimed(
  db: Database,
  env: Env,
  log: Log,
  mail: typeof mails.$inferSelect & { readonly brand: string },
): Promise<boolean> {
  const { _id, kind, recipient, subject, number, tries } = mail;
  try {
    const brand = mailBrandOf(mail.brand, env.SITE_URL);
    const sealed = unseal(sealingKeys(env), _id, mail.body);
    const { content, replyTo, unsubscribe } = JSON.parse(
      number === null ? sealed : sealed.replaceAll(numberPlaceholder, String(number)),
    ) as SealedPart;
    await openTransport(env)({
      id: _id,
      from: senderOf(env, brand),
      to: recipient,
      replyTo,
      headers: unsubscribe ? listHeaders(unsubscribe) : undefined,
      subject,
      ...renderMail(content, brand),
    });
  } catch (error) {
    const { code: failure, fate } =
      error instanceof MailError ? error : { code: describeError(error).error, fate: 'failed' };
    log('mail.failed', { mail: _id, kind, tries, failure });
    const isTriedAgain = fate !== 'refused' && tries < maxTries;
    await db
      .update(mails)
      .set({ failure, dueAt: isTriedAgain ? Date.now() + retryDelayMs(tries) : null })
      .where(and(eq(mails._id, _id), eq(mails.tries, tries)));
    return fate !== 'exhausted';
  }
  await db.delete(mails).where(eq(mails._id, _id));
  return true;
}

/**
 * Sends the emails that are due, oldest first. Failed emails are retried later. Stops when the time is up, or when the
 * service accepts no emails for now.
 * @param limitMs how long new emails may be started, in ms; by default the time that a request has after its response
 */
export async function deliverMail(
  env: Env,
  log: Log,
  db: Database,
  limitMs: number = backgroundMs,
): Promise<void> {
  const until = Date.now() + limitMs;
  for (let sent = 0; sent < runLength && Date.now() < until; sent += 1) {
    const mail = await claimMail(db, Date.now());
    if (!mail || !(await sendClaimed(db, env, log, mail))) return;
  }
}

/** Sends due emails from the cron trigger. It reads first, because most runs find none. */
export async function deliverDueMail(env: Env, log: Log, db: Database): Promise<void> {
  const due = await db.select({ _id: mails._id }).from(mails).where(lte(mails.dueAt, Date.now())).limit(1);
  if (due.length > 0) await deliverMail(env, log, db, jobLimitMs);
}

type DeliveryDeps = Pick<RequestDeps, 'db' | 'env' | 'log' | 'waitUntil'>;

/** Sends the emails that a request has queued without a delay. Its response does not wait for them. */
export function deliverQueued(deps: DeliveryDeps): void {
  const { db, env, log } = deps;
  if (!haveQueued.has(db)) return;
  runInBackground(
    deps,
    () => deliverMail(env, log, db),
    (failure) => log('mail.delivery-failed', failure),
  );
}
