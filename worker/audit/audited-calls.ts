/**
 * Records successful calls in the audit log if their entry in the contract is `audited`. This is for calls that always
 * change something. A call that may change nothing, such as a repeated one, records the change in its own batch
 * instead. Sign-ins record their own entries, with the account.
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

/** Records successful `audited` calls. Runs after the guard. */
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
