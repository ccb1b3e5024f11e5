import type { Hono } from 'hono';
import { auditTexts } from '#contract/audit.ts';
import { auditCalls } from '#contract/audit.calls.ts';
import type { AppEnv } from '../http/app.ts';
import { csvResponse, type CsvColumns } from '../http/csv.ts';
import { answerList, mount } from '../http/mount.ts';
import { readAuditLog, readWholeAuditLog, type AuditEntry, type AccountQueries } from './read.ts';

const columns: CsvColumns<AuditEntry> = [
  ['No.', ({ sequence }) => String(sequence)],
  ['Date', ({ at }) => at],
  ['What', ({ action }) => auditTexts[action]],
  ['Details', ({ details }) => details],
  ['User', ({ subjectEmail }) => subjectEmail],
  ['Account', ({ accountId }) => accountId],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Record', ({ recordId }) => recordId],
  ['Network', ({ network }) => network],
];

/** @param queries look up the owner of an account */
export function mountAudit(app: Hono<AppEnv>, queries: AccountQueries): void {
  mount(app, auditCalls, {
    'GET /audit-log': async ({ c, query }) => answerList(c, await readAuditLog(c.var.db, queries, query)),
    'GET /audit-log.csv': ({ c }) =>
      csvResponse('audit-log.csv', columns, readWholeAuditLog(c.var.db, queries)),
  });
}
