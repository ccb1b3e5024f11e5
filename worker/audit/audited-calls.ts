/**
 * Audits calls. A call is recorded when its entry in the contract says so and it has succeeded. This is for calls that
 * change something each time. A call that may change nothing, such as a repeated one, records the change in its batch.
 * Sign-ins record for themselves whose account it was.
 */
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { depsOf, type AppEnv } from '../http/app.ts';
import { findCall } from '../http/guard.ts';
import { noteAudit } from './audit.ts';

/** For handlers of audited calls: sets the details, such as an amount. */
export const tellAudit = (c: Context<AppEnv>, facts: NonNullable<AppEnv['Variables']['audited']>): void =>
  c.set('audited', facts);

/** Runs after the guard. Records the calls whose entries say so, once they have succeeded. */
export const auditCallsMade = createMiddleware<AppEnv>(async (c, next) => {
  const action = findCall(c.req.method, c.req.path)?.audited;
  await next();
  if (!action || c.res.status >= 400) return;
  const [recordId] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(c.req.path) ?? [];
  const [, exported] = /\/([\w-]+)\.csv$/.exec(c.req.path) ?? [];
  noteAudit(depsOf(c), {
    action,
    accountId: c.var.account?.id ?? '',
    recordId: recordId ?? '',
    details: exported === undefined ? '' : `Exported ${exported.replace('-', ' ')}`,
    ...c.var.audited,
  });
});
