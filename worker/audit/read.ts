/** Reads the audit log, with the emails that its accounts have now. */
import { asc, desc, getTableColumns, gt, lte, max, min, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { auditEntry } from '#contract/audit.calls.ts';
import type { Output } from '#contract/call.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { readTogether, type Database } from '../db/client.ts';
import { readInChunks, type Page } from '../db/paging.ts';
import { auditEvents } from './schema.ts';

/** The query for the email of an account whose id a column holds; null where there is none. */
export type EmailOf = (accountId: SQLiteColumn) => SQL<string | null>;

export type AuditEntry = Output<typeof auditEntry>;

const readEntries = (db: Database, emailOf: EmailOf) =>
  db
    .select({ ...getTableColumns(auditEvents), email: emailOf(auditEvents.accountId) })
    .from(auditEvents)
    .$dynamic();

type StoredEntry = Awaited<ReturnType<typeof readEntries>>[number];

const toEntry = ({ at, email, ...event }: StoredEntry): AuditEntry => ({
  ...event,
  at: new Date(at).toISOString(),
  email: email ?? '',
});

/** One page, newest first, and how many there are: the sequence has no gaps, so a page is a range of keys. */
export async function readAuditLog(
  db: Database,
  emailOf: EmailOf,
  { page, pageSize }: PageQuery,
): Promise<Page<AuditEntry>> {
  const last = db.select({ sequence: max(auditEvents.sequence) }).from(auditEvents);
  const [[ends], rows] = await readTogether(db, [
    db.select({ first: min(auditEvents.sequence), last: max(auditEvents.sequence) }).from(auditEvents),
    readEntries(db, emailOf)
      .where(lte(auditEvents.sequence, sql`${last} - ${(page - 1) * pageSize}`))
      .orderBy(desc(auditEvents.sequence))
      .limit(pageSize),
  ]);
  const total = ends?.last == null ? 0 : ends.last - (ends.first ?? 1) + 1;
  return { total, rows: rows.map(toEntry) };
}

/** Every entry, oldest first, in chunks. */
export const readWholeAuditLog = (db: Database, emailOf: EmailOf): AsyncGenerator<AuditEntry[], void> =>
  readInChunks(
    (last: StoredEntry | undefined, limit) =>
      readEntries(db, emailOf)
        .where(last && gt(auditEvents.sequence, last.sequence))
        .orderBy(asc(auditEvents.sequence))
        .limit(limit),
    toEntry,
  );
