/** What every step of a payment needs, and where tests can step in between. */
import type Stripe from 'stripe';
import { queueOwnMail } from '../accounts/own-mail.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import type { MailContent } from '../mail/layout.ts';
import { queueMail } from '../mail/outbox.ts';
import type { OrderRecord } from '../orders/schema.ts';
import { openStripe } from './stripe.ts';

/** Points at which a rival may come between; each is just before something that lasts. */
export type Step =
  | 'create intent'
  | 'record intent'
  | 'settle'
  | 'refuse'
  | 'send refund'
  | 'record refund'
  | 'close intent'
  | 'cancel'
  | 'record by hand';

export interface Desk {
  readonly db: Database;
  readonly env: Env;
  readonly log: Log;
  readonly stripe: Stripe;
  /** Does nothing in production; tests hold or fail a step here. */
  readonly beforeStep: (step: Step) => Promise<void>;
}

export const openDesk = (env: Env, log: Log, db: Database): Desk => ({
  db,
  env,
  log,
  stripe: openStripe(env),
  beforeStep: () => Promise.resolve(),
});

/** The mail to an order's customer, to be queued with the change it tells of; none once the account was deleted. */
export function tellCustomer(
  { db, env }: Desk,
  order: OrderRecord,
  kind: string,
  write: (siteUrl: string, order: OrderRecord) => MailContent,
): Statement[] {
  if (order.customerEmail === '') return [];
  const mail = { to: order.customerEmail, kind, ...write(env.SITE_URL, order) };
  // Cancelling costs nothing, and must not fill a stranger's mailbox; where money moved the customer always hears of it.
  return kind === 'order-cancelled' ? queueOwnMail(db, env, mail) : [queueMail(db, env, mail)];
}
