/**
 * What a restored database needs before it goes live: it knows nothing of what happened since its backup. Its parts stand
 * beside the features that they are about.
 */
import type { Client } from '@libsql/client';
import { ne } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import type Stripe from 'stripe';
import { users } from '#worker/accounts/schema.ts';
import { indexCustomers } from '#worker/customers/after-restore.ts';
import { raiseVersions } from '#worker/editing/after-restore.ts';
import { noteRestore } from '#worker/operations/after-restore.ts';
import { noteIntents, type Reconciled } from '#worker/payments/after-restore.ts';
import { migrationsFolder } from './prepare-database.ts';

/** What the owner is told of a restored database. */
export interface Restored extends Reconciled {
  /** Who has a role in it, whether or not it was taken away since. */
  readonly staff: readonly { readonly email: string; readonly role: string }[];
}

/**
 * Makes a restored database ready to go live. One that an earlier release left gets the migrations that it lacks first.
 * @param backupAt the moment that its backup is of, in ms
 */
export async function makeReady(
  client: Client,
  stripe: Stripe,
  backupAt: number,
  settings: { readonly SITE_URL: string },
): Promise<Restored> {
  const db = drizzle(client);
  await migrate(db, { migrationsFolder });
  await raiseVersions(db);
  await indexCustomers(db);
  await noteRestore(db);
  const reconciled = await noteIntents(db, stripe, backupAt, settings);
  const staff = await db
    .select({ email: users.userEmail, role: users.userRole })
    .from(users)
    .where(ne(users.userRole, 'User'))
    .orderBy(users.position);
  return { ...reconciled, staff };
}
