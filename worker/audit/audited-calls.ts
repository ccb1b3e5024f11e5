/**
 * Audits calls. A call is recorded if its entry in the contract says so and it succeeds. This is for calls that
 * always change something. A call that may change nothing, for example when it is repeated, records the change in
 * its batch instead. Sign-ins record their own entries, with the account.
 */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { depsOf, type AppEnv } from '../http/app.ts';
import { recordAudit } from './audit.ts';

/** For handlers of audited calls: sets the details, such as an amount. */
export const setAuditDetails = (
  c: Context<AppEnv>,
  facts: NonNullable<AppEnv['Variables']['audited']>,
): void => c.set('audited', facts);

/** Middleware that runs after the guard. Records successful calls whose entries say so. */
export const auditMiddleware = createMiddleware<AppEnv>(async (c, next) => {
  const action = c.var.call?.audited;
  await next();
  if (!action || c.res.status >= 400) return;
  const [recordId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(c.req.path) ?? [];
  const [, exported] = /\/([\w-]+)\.csv$/.exec(c.req.path) ?? [];
  recordAudit(depsOf(c), {
    action,
    accountId: c.var.account?.id ?? '',
    recordId: recordId ?? '',
    details: exported === undefined ? '' : `Exported ${exported.replace('-', ' ')}`,
    ...c.var.audited,
  });
});
