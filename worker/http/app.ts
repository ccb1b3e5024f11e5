/** The type of every Hono app in the Worker: its bindings, and what the middleware puts on a request. */
import { Hono } from 'hono';
import type { Account } from '#contract/accounts.ts';
import type { Database, RequestDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from './log.ts';

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    log: Log;
    db: RequestDatabase;
    /** The account that is signed in; undefined for an anonymous caller. */
    account: Account | undefined;
    /** Whose session it is, for sure: there while `account` is only who it was the last time (early.ts). */
    lookUp: (() => Promise<Account | undefined>) | undefined;
    /** Who did what a call did, and to which record, where its handler knows better than caller and path (accounts/audit.ts). */
    audited: { readonly accountId?: string; readonly recordId?: string } | undefined;
  };
}

/** Who asks, and what the answer is made with: for services behind calls that want somebody signed in. */
export interface Caller {
  readonly db: Database;
  readonly env: Env;
  readonly account: Account;
}

/** A new Hono app of the Worker's kind. */
export const createApp = () => new Hono<AppEnv>();
