/** The type of every Hono app in the Worker: its bindings, and what the middleware puts on a request. */
import type { SQL } from 'drizzle-orm';
import { Hono, type Context } from 'hono';
import type { Account } from '#contract/accounts.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from './log.ts';

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    log: Log;
    db: Database;
    /** The account that is signed in; undefined for an anonymous caller. */
    account: Account | undefined;
    /**
     * For the audit log: the account or record that a call concerned, if the handler knows better than caller and path
     * do.
     */
    audited:
      | { readonly accountId?: string; readonly recordId?: string; readonly details?: string | SQL<string> }
      | undefined;
  };
}

/** The caller of a call that requires an account, with what its service needs. */
export interface Caller {
  readonly db: Database;
  readonly env: Env;
  readonly account: Account;
}

export const callerOf = (c: Context<AppEnv>, account: Account): Caller => ({
  db: c.var.db,
  env: c.env,
  account,
});

/** A new Hono app of the Worker's kind. */
export const createApp = () => new Hono<AppEnv>();
