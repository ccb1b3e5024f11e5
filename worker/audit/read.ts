/** Reads the audit log, with the current names and emails of its accounts. */
import { asc, desc, getTableColumns, gt, lte, max, min, sql, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { auditEntry } from '#contract/audit.calls.ts';
import type { Output } from '#contract/call.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { readTogether, type Database } from '../db/client.ts';
import { readInChunks, type Page } from '../db/paging.ts';
import { auditEvents } from './schema.ts';

/** The queries for the email and name of an account whose id is in a column; null if there is none. */
export interface AccountQueries {
  readonly emailOf: (accountId: SQLiteColumn) => SQL<string | null>;
  readonly nameOf: (accountId: SQLiteColumn) => SQL<string | null>;
}

export type AuditEntry = Output<typeof auditEntry>;

const readEntries = (db: Database, { emailOf, nameOf }: AccountQueries) =>
  db
    .select({
      ...getTableColumns(auditEvents),
      email: emailOf(auditEvents.accountId),
      name: nameOf(auditEvents.accountId),
      subjectEmail: emailOf(auditEvents.subjectId),
    })
    .from(auditEvents)
    .$dynamic();

type StoredEntry = Awaited<ReturnType<typeof readEntries>>[number];

const toEntry = ({ at, email, name, subjectEmail, ...event }: StoredEntry): AuditEntry => ({
  ...event,
  at: new Date(at).toISOString(),
  email: email ?? '',
  name: name ?? '',
  subjectEmail: subjectEmail ?? '',
});

/** Reads one page of entries, newest first, with the total. The sequence has no gaps, so a page is a range of keys. */
export async function readAuditLog(
  db: Database,
  queries: AccountQueries,
  { page, pageSize }: PageQuery,
): Promise<Page<AuditEntry>> {
  const last = db.select({ sequence: max(auditEvents.sequence) }).from(auditEvents);
  const [[ends], rows] = await readTogether(db, [
    db.select({ first: min(auditEvents.sequence), last: max(auditEvents.sequence) }).from(auditEvents),
    readEntries(db, queries)
      .where(lte(auditEvents.sequence, sql`${last} - ${(page - 1) * pageSize}`))
      .orderBy(desc(auditEvents.sequence))
      .limit(pageSize),
  ]);
  const total = ends?.last == null ? 0 : ends.last - (ends.first ?? 1) + 1;
  return { total, rows: rows.map(toEntry) };
}

/** Reads every entry, oldest first, in chunks. */
export const readWholeAuditLog = (
  db: Database,
  queries: AccountQueries,
): AsyncGenerator<AuditEntry[], void> =>
  readInChunks(
    (last: StoredEntry | undefined, limit) =>
      readEntries(db, queries)
        .where(last && gt(auditEvents.sequence, last.sequence))
        .orderBy(asc(auditEvents.sequence))
        .limit(limit),
    toEntry,
  );
