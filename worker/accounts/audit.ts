/**
 * The audit log: security-relevant actions, with who did them, when, and from which network. Entries are only ever
 * added; they hold account ids, and names are looked up when they are shown. A call is audited when its entry in the
 * contract says so; sign-ins record whose account it was themselves. No answer waits for an entry to be written.
 */
import { asc, desc, eq, gt, lte, max, min, sql, type SQL } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { auditTexts, type AuditAction } from '#contract/audit.ts';
import type { Output } from '#contract/call.ts';
import { auditCalls, type auditEntry } from '#contract/audit.calls.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { readTogether, writeBatch, type Database } from '../db/client.ts';
import { insertIf } from '../db/insert-if.ts';
import { answerPage } from '../http/answer-page.ts';
import type { AppEnv } from '../http/app.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { csvResponse } from '../http/csv.ts';
import { findCall } from '../http/guard.ts';
import { mount } from '../http/mount.ts';
import { rateLimitFor, clientAddress, clientIp, countOne, isBelow } from '../limits/rate-limits.ts';
import { coarseNetworkOf } from '../limits/address.ts';
import { accounts, auditEvents } from './schema.ts';
import { readInChunks, type Page } from '../db/paging.ts';

export interface Audited {
  readonly action: AuditAction;
  /** Empty for nobody. */
  readonly accountId: string | SQL<string>;
  readonly recordId?: string | SQL<string>;
  /** Empty where no request caused it, such as for the cron trigger. */
  readonly network?: string;
  /** What and how much, in a sentence without a full stop that names no person. */
  readonly details?: string | SQL<string>;
}

/** The statement that adds an entry. @param condition added only if it holds */
export const auditStatement = (
  db: Database,
  { action, accountId, recordId = '', network = '', details = '' }: Audited,
  condition?: SQL,
) =>
  insertIf(
    db,
    auditEvents,
    { sequence: sql`null`, at: Date.now(), action, accountId, recordId, network, details },
    condition,
  );

/** The network that a request came from, as the log keeps it. */
export const networkOf = (c: Context<AppEnv>): string => coarseNetworkOf(clientIp(c));

/**
 * The same for what a request did, with the network it came from. Put it in the batch of the change that it records.
 */
export const auditOfRequest = (c: Context<AppEnv>, audited: Omit<Audited, 'network'>, condition?: SQL) =>
  auditStatement(c.var.db, { ...audited, network: networkOf(c) }, condition);

/** Adds an entry, beside the answer. */
export function noteAudit(c: Context<AppEnv>, audited: Omit<Audited, 'network'>): void {
  runInBackground(
    c,
    () => auditOfRequest(c, audited),
    (failure) => c.var.log('audit.not-noted', { action: audited.action, ...failure }),
  );
}

/**
 * Records and logs that a sign-in by Google or a passkey was refused. Such sign-ins have no limit of their own, so the
 * entries of one address are limited like its failed passwords.
 */
export function noteRefusedSignIn(
  c: Context<AppEnv>,
  { by, ...whose }: Pick<Audited, 'accountId' | 'recordId'> & { readonly by: 'google' | 'passkey' },
): void {
  const { db } = c.var;
  const now = Date.now();
  const action = 'signInFailed';
  const limit = { ...rateLimitFor(c.env, 'signInAddress', clientAddress(c)), kind: 'refusedSignIn' };
  c.var.log('sign-in.refused', { by });
  runInBackground(
    c,
    () =>
      writeBatch(db, [
        auditOfRequest(c, { action, ...whose }, isBelow(limit, limit.max, now)),
        countOne(db, limit, now),
      ]),
    (failure) => c.var.log('audit.not-noted', { action, ...failure }),
  );
}

/** For handlers of audited calls: names the account or record when it is neither the caller nor the id in the path. */
export const tellAudit = (c: Context<AppEnv>, facts: NonNullable<AppEnv['Variables']['audited']>): void =>
  c.set('audited', { ...c.var.audited, ...facts });

/** After the guard: notes the calls whose entries say so, once they have succeeded. */
export const auditCallsMade = createMiddleware<AppEnv>(async (c, next) => {
  const action = findCall(c.req.method, c.req.path)?.audited;
  await next();
  if (!action || c.res.status >= 400) return;
  const [recordId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(c.req.path) ?? [];
  const [, exported] = /\/([\w-]+)\.csv$/.exec(c.req.path) ?? [];
  noteAudit(c, {
    action,
    accountId: c.var.account?.id ?? '',
    recordId: recordId ?? '',
    details: exported === undefined ? '' : `Exported ${exported.replace('-', ' ')}`,
    ...c.var.audited,
  });
});

type AuditEntry = Output<typeof auditEntry>;

const readEntries = (db: Database) =>
  db
    .select({ event: auditEvents, email: accounts.email })
    .from(auditEvents)
    .leftJoin(accounts, eq(accounts.id, auditEvents.accountId))
    .$dynamic();

const shown = ({ event, email }: Awaited<ReturnType<typeof readEntries>>[number]): AuditEntry => ({
  ...event,
  at: new Date(event.at).toISOString(),
  email: email ?? '',
});

/** One page, newest first, and how many there are: the sequence has no gaps, so a page is a range of keys. */
async function readAuditLog(db: Database, { page, pageSize }: PageQuery): Promise<Page<AuditEntry>> {
  const last = db.select({ sequence: max(auditEvents.sequence) }).from(auditEvents);
  const [[ends], rows] = await readTogether(db, [
    db.select({ first: min(auditEvents.sequence), last: max(auditEvents.sequence) }).from(auditEvents),
    readEntries(db)
      .where(lte(auditEvents.sequence, sql`${last} - ${(page - 1) * pageSize}`))
      .orderBy(desc(auditEvents.sequence))
      .limit(pageSize),
  ]);
  const total = ends?.last == null ? 0 : ends.last - (ends.first ?? 1) + 1;
  return { total, rows: rows.map(shown) };
}

const readWholeAuditLog = (db: Database): AsyncGenerator<AuditEntry[], void> =>
  readInChunks(
    (last: Awaited<ReturnType<typeof readEntries>>[number] | undefined, limit) =>
      readEntries(db)
        .where(last && gt(auditEvents.sequence, last.event.sequence))
        .orderBy(asc(auditEvents.sequence))
        .limit(limit),
    shown,
  );

const columns: readonly (readonly [string, (entry: AuditEntry) => string])[] = [
  ['No.', ({ sequence }) => String(sequence)],
  ['Date', ({ at }) => at],
  ['What', ({ action }) => auditTexts[action]],
  ['Details', ({ details }) => details],
  ['Account', ({ accountId }) => accountId],
  ['Email', ({ email }) => email],
  ['Record', ({ recordId }) => recordId],
  ['Network', ({ network }) => network],
];

export function mountAudit(app: Hono<AppEnv>): void {
  mount(app, auditCalls, {
    'GET /audit-log': async ({ c, query }) => answerPage(c, await readAuditLog(c.var.db, query)),
    'GET /audit-log.csv': ({ c }) => csvResponse('audit-log.csv', columns, readWholeAuditLog(c.var.db)),
  });
}
