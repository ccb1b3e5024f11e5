/**
 * The audit log: security-relevant actions, with who did them, when, and from which network. Entries are only added,
 * never changed. They contain account ids; names are looked up when the log is shown. Responses do not wait for entries
 * to be written.
 */
import { sql, type SQL } from 'drizzle-orm';
import type { AuditAction } from '#contract/audit.ts';
import { writeBatch, type Database } from '../db/client.ts';
import { insertIf } from '../db/insert-if.ts';
import type { RequestDeps } from '../http/app.ts';
import { runInBackground } from '../http/run-in-background.ts';
import { clientAddress, coarseNetworkOf } from '../http/network-address.ts';
import { rateLimitFor, countOne, isBelow } from '../limits/rate-limits.ts';
import { auditEvents } from './schema.ts';

interface Audited {
  readonly action: AuditAction;
  /** Empty if there is no account. */
  readonly accountId: string | SQL<string>;
  readonly recordId?: string | SQL<string>;
  /** For actions on users: the account that was changed. */
  readonly subjectId?: string | SQL<string>;
  /** Empty if no request caused it, for example in a cron run. */
  readonly network?: string | undefined;
  /** What changed and by how much: one sentence without a period and without a person's name. */
  readonly details?: string | SQL<string>;
}

/** The statement that adds an entry. @param condition adds the entry only if it holds */
export const auditStatement = (
  db: Database,
  { action, accountId, recordId = '', subjectId = '', network = '', details = '' }: Audited,
  condition?: SQL,
) =>
  insertIf(
    db,
    auditEvents,
    { sequence: sql`null`, at: Date.now(), action, accountId, recordId, network, details, subjectId },
    condition,
  );

/**
 * Like `auditStatement`, with the network of the request. Changes by a cron run have no network. Put it in the same
 * batch as the change.
 */
export const auditOfRequest = (
  { db, clientIp }: { readonly db: Database; readonly clientIp?: string | undefined },
  audited: Omit<Audited, 'network'>,
  condition?: SQL,
) =>
  auditStatement(
    db,
    { ...audited, network: clientIp === undefined ? '' : coarseNetworkOf(clientIp) },
    condition,
  );

/** Adds an entry after the response. */
export function recordAudit(deps: RequestDeps, audited: Omit<Audited, 'network'>): void {
  runInBackground(
    deps,
    () => auditOfRequest(deps, audited),
    (failure) => deps.log('audit.write-failed', { action: audited.action, ...failure }),
  );
}

/**
 * Records and logs a rejected sign-in with Google or a passkey. These sign-ins have no rate limit of their own, so this
 * caps the entries per address at the limit for failed passwords.
 */
export function recordRefusedSignIn(
  deps: RequestDeps,
  { by, ...whose }: Pick<Audited, 'accountId' | 'recordId'> & { readonly by: 'google' | 'passkey' },
): void {
  const { db, env, log } = deps;
  const now = Date.now();
  const action = 'signInFailed';
  const limit = { ...rateLimitFor(env, 'signInAddress', clientAddress(deps)), kind: 'refusedSignIn' };
  log('sign-in.refused', { by });
  runInBackground(
    deps,
    () =>
      writeBatch(db, [
        auditOfRequest(deps, { action, ...whose }, isBelow(limit, limit.max, now)),
        countOne(db, limit, now),
      ]),
    (failure) => log('audit.write-failed', { action, ...failure }),
  );
}
