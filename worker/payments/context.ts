/** What payment functions need, and the points at which tests can interrupt them. */
import type { Context } from 'hono';
import type Stripe from 'stripe';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import type { Log } from '../http/log.ts';
import { openStripe } from './stripe.ts';

/** The points at which a concurrent change can interfere. Each is just before a permanent effect. */
export type Step =
  | 'create intent'
  | 'record intent'
  | 'settle'
  | 'refuse'
  | 'reserve refund'
  | 'send refund'
  | 'record refund'
  | 'record dispute'
  | 'close intent'
  | 'cancel'
  | 'record by hand'
  | 'record renewal'
  | 'record subscription';

export interface PaymentContext {
  readonly db: Database;
  readonly env: Env;
  readonly log: Log;
  readonly stripe: Stripe;
  /**
   * The network that a request came from, as the audit log stores it. Absent for the cron trigger and for Stripe.
   */
  readonly network?: string;
  /** Does nothing in production. Tests pause or fail a step here. */
  readonly beforeStep: (step: Step) => Promise<void>;
}

export const openPaymentContext = (env: Env, log: Log, db: Database): PaymentContext => ({
  db,
  env,
  log,
  stripe: openStripe(env),
  beforeStep: () => Promise.resolve(),
});

export const paymentContextFor = ({ env, var: { log, db } }: Context<AppEnv>): PaymentContext =>
  openPaymentContext(env, log, db);
