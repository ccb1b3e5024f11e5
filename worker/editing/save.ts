/** The part of a publishing call that concerns HTTP: who saves, and the response headers. */
import type { Context } from 'hono';
import type { Account } from '#contract/accounts.ts';
import { coarseNetworkOf } from '../http/network-address.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import type { Published, SaveContext } from '../publishing/publish.ts';

export interface SaveRequest {
  readonly c: Context<AppEnv>;
  readonly account: Account;
}

export function saveContext({ c, account }: SaveRequest): SaveContext {
  const { db, log } = c.var;
  const network = coarseNetworkOf(depsOf(c).clientIp);
  return {
    db,
    env: c.env,
    log,
    by: account.id,
    role: account.role,
    network,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  };
}

export function setPublicationHeaders(
  c: Context<AppEnv>,
  { revision, changedPages, timings }: Published,
): void {
  c.header('X-Content-Revision', String(revision));
  c.header('X-Changed-Pages', changedPages.join(','));
  const { readMs, renderMs, writeMs } = timings;
  const parts = Object.entries({ read: readMs, render: renderMs, write: writeMs });
  // https://www.w3.org/TR/server-timing/
  c.header('Server-Timing', parts.map(([part, ms]) => `${part};dur=${String(ms ?? 0)}`).join(', '));
}
