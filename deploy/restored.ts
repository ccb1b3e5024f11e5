/**
 * What a restored database needs before it goes live: it knows nothing of what happened since its backup. Sessions and
 * mailed links of then must not work again, and payments made since are in Stripe alone.
 */
import type { Client } from '@libsql/client';
import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import type Stripe from 'stripe';
import * as z from 'zod';
import { accountTokens, recoveryCodes, sessions, users } from '#worker/accounts/schema.ts';
import { newId } from '#contract/ids.ts';
import { displayPrice } from '#contract/money.ts';
import { sectionNames } from '#contract/sections/index.ts';
import { writeBatch } from '#worker/db/client.ts';
import { contentTableOf } from '#worker/db/content-tables.ts';
import { drafts } from '#worker/editing/schema.ts';
import { noteRun } from '#worker/operations/jobs.ts';
import { jobRuns } from '#worker/operations/schema.ts';
import { orders } from '#worker/orders/schema.ts';
import { paymentIntents } from '#worker/payments/schema.ts';
import { migrationsFolder } from './prepare-database.ts';
import { repairBooks } from './restored-books.ts';
import { repairWork, type PlanSettings } from './restored-work.ts';

const dayMs = 86_400_000;

/** By what the site's own payments are known, and the days of a plan are counted. */
type RestoreSettings = PlanSettings & { readonly SITE_URL?: string };

export interface Reconciled {
  /** Payments that reconciliation will ask Stripe about at the next cron tick. */
  readonly noted: number;
  /** A sentence for each payment whose order is not in the backup; only a person can see to those. */
  readonly lost: readonly string[];
}

/** What the owner is told of a restored database. */
export interface Restored extends Reconciled {
  /** Who has a role in it, whether or not it was taken away since. */
  readonly staff: readonly { readonly email: string; readonly role: string }[];
}

/** Ends every session, every link that waits in a mail, and every recovery code: some have been used since the backup. */
async function endOldAccess(client: Client): Promise<void> {
  const db = drizzle(client);
  await writeBatch(db, [db.delete(sessions), db.delete(accountTokens), db.delete(recoveryCodes)]);
}

/** How many saves of one record between a backup and the loss of the database have versions of their own. */
const lostVersions = 1_000;

/**
 * Raises the version of each content record past those that the lost database gave it, so that no ETag names two texts: a
 * form that was open there is told of the change, and overwrites nothing. Drafts stay with the versions that they were typed from.
 */
async function raiseVersions(client: Client): Promise<void> {
  const db = drizzle(client);
  const raised = sql`version + ${lostVersions}`;
  await writeBatch(db, [
    ...sectionNames.map((name) => db.update(contentTableOf(name)).set({ version: raised })),
    // Below zero it is the version of a release's change, which stays.
    db.update(drafts).set({ version: raised }).where(gt(drafts.version, 0)),
  ]);
}

/** The number of the order that an intent is for, as its description says (`createIntent`); 0 where it says none. */
const numberOf = ({ description }: Stripe.PaymentIntent): number =>
  Number(/^Order #(\d+):/.exec(description ?? '')?.[1] ?? 0);

/** Makes the database number orders from above this one on: orders that the backup lacks had the numbers up to it. */
async function raiseNumbers(client: Client, highest: number): Promise<void> {
  const { rows } = await client.execute("SELECT sql FROM sqlite_master WHERE name = 'orders_give_number'");
  const trigger = z.string().parse(rows[0]?.['sql']);
  const raised = trigger.replace(/max\((\d+)/, (_, lowest) => `max(${Math.max(Number(lowest), highest)}`);
  await client.batch(['DROP TRIGGER orders_give_number', raised], 'write');
}

/**
 * Makes the PaymentIntents of Stripe known again, so that reconciliation settles or returns them like any other, and
 * ends those of orders that the backup lacks.
 * @param since only those made from then on, in ms
 */
async function noteIntents(
  client: Client,
  stripe: Stripe,
  since: number,
  settings: RestoreSettings,
): Promise<Reconciled> {
  const db = drizzle(client);
  const lost: string[] = [];
  let noted = 0;
  let highest = 0;
  const made = stripe.paymentIntents.list({ created: { gte: Math.floor(since / 1_000) }, limit: 100 });
  for await (const intent of made) {
    const { orderId } = intent.metadata;
    if (orderId === undefined) continue;
    const [order] = await db.select().from(orders).where(eq(orders._id, orderId));
    const now = Date.now();
    const note = db
      .insert(paymentIntents)
      .values({ _id: newId(now), paymentIntentId: intent.id, orderId, startedAt: now, checkAt: now })
      .onConflictDoUpdate({
        target: paymentIntents.paymentIntentId,
        set: { startedAt: now, checkAt: now },
      });
    if (!order) {
      const { site } = intent.metadata;
      if (site !== undefined && site !== settings.SITE_URL) continue;
      // The site cancels it once it is live, not this command, which is practiced too.
      if (site !== undefined) await note;
      highest = Math.max(highest, numberOf(intent));
      if (intent.status === 'succeeded' || intent.status === 'processing')
        lost.push(
          `${intent.id}: ${displayPrice(intent.amount)} for the order ${orderId} of ${new Date(intent.created * 1_000).toISOString()}, which the backup does not have (${intent.status}).`,
        );
      continue;
    }
    await writeBatch(db, [
      note,
      // A customer who opens the payment page meanwhile must meet this intent, not be given a second one.
      db
        .update(orders)
        .set({ paymentIntentId: intent.id })
        .where(
          and(eq(orders._id, orderId), eq(orders.paymentStatus, 'UnPaid'), eq(orders.paymentIntentId, '')),
        ),
    ]);
    noted += 1;
  }
  if (highest > 0) await raiseNumbers(client, highest);
  return { noted, lost };
}

/**
 * Makes a restored database ready to go live. One that an earlier release left gets the migrations that it lacks first.
 * @param begunAt when its backup was begun, in ms
 */
export async function makeReady(
  client: Client,
  stripe: Stripe,
  begunAt: number,
  settings: RestoreSettings,
): Promise<Restored> {
  const db = drizzle(client);
  await migrate(db, { migrationsFolder });
  await endOldAccess(client);
  await raiseVersions(client);
  await repairBooks(client);
  await repairWork(client, settings, begunAt);
  // Disputes are asked about from the first payment on, and what was deleted since is deleted again, as where neither was
  // ever done.
  await db.delete(jobRuns).where(inArray(jobRuns.name, ['disputes', 'tombstones']));
  // In the backup, the payments are older than the time up to which events were read: they were read first. The first run
  // goes on from there.
  await db
    .update(jobRuns)
    .set({ ranAt: 0, succeededAt: sql`min(${jobRuns.succeededAt}, ${begunAt})` })
    .where(eq(jobRuns.name, 'events'));
  // The bucket is asked for the backup of the day.
  await db.update(jobRuns).set({ succeededAt: null }).where(eq(jobRuns.name, 'backupTurn'));
  await noteRun(db, 'restore', null);
  // A payment may be made long after its intent.
  const reconciled = await noteIntents(client, stripe, begunAt - dayMs, settings);
  const staff = await db
    .select({ email: users.userEmail, role: users.userRole })
    .from(users)
    .where(ne(users.userRole, 'User'))
    .orderBy(users.position);
  return { ...reconciled, staff };
}
