/** The type of every Hono app in the Worker: the bindings, and the variables that the middleware sets. */
import type { SQL } from 'drizzle-orm';
import { Hono, type Context } from 'hono';
import type { Account } from '#contract/accounts.ts';
import type { ListedCall } from '#contract/all-calls.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from './log.ts';

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    log: Log;
    db: Database;
    /** The API call of the request; undefined if there is none. */
    call: ListedCall | undefined;
    /** The signed-in account; undefined for an anonymous caller. */
    account: Account | undefined;
    audited: { readonly details: string | SQL<string> } | undefined;
  };
}

export interface Caller {
  readonly db: Database;
  readonly env: Env;
  readonly account: Account;
}

/** The parts of a request that services need, independent of the framework. */
export interface RequestDeps {
  readonly db: Database;
  readonly env: Env;
  readonly log: Log;
  /** For example, `https://www.example.com`. */
  readonly origin: string;
  /** The caller's network address, from the only trustworthy header; `unknown` if Cloudflare does not set it. */
  readonly clientIp: string;
  /** Empty if the browser does not send it. */
  readonly userAgent: string;
  /** Keeps the Worker running after the response until the work is done. */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

export const depsOf = (c: Context<AppEnv>): RequestDeps => ({
  db: c.var.db,
  env: c.env,
  log: c.var.log,
  origin: new URL(c.req.url).origin,
  clientIp: c.req.header('CF-Connecting-IP') ?? 'unknown',
  userAgent: c.req.header('User-Agent') ?? '',
  waitUntil: (work) => c.executionCtx.waitUntil(work),
});

export const callerOf = (c: Context<AppEnv>, account: Account): Caller & RequestDeps => ({
  ...depsOf(c),
  account,
});

export const createApp = () => new Hono<AppEnv>();
