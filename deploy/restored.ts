/**
 * Prepares a restored database for going live. The database lacks everything that happened since its backup. Each
 * feature's folder contains its part of the preparation.
 */
import type { Client } from '@libsql/client';
import { ne } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { migrate } from 'drizzle-orm/libsql/migrator';
import type Stripe from 'stripe';
import { users } from '#worker/accounts/schema.ts';
import { indexCustomers } from '#worker/customers/after-restore.ts';
import { raiseVersions } from '#worker/editing/after-restore.ts';
import { recordRestore } from '#worker/operations/after-restore.ts';
import { scheduleReconciliation, type RestoredPayments } from '#worker/payments/after-restore.ts';
import { migrationsFolder } from './prepare-database.ts';

/** What the owner must know about a restored database. */
export interface Restored extends RestoredPayments {
  /** Everyone who has a role in the database. A role may have been revoked since the backup. */
  readonly staff: readonly { readonly email: string; readonly role: string }[];
}

/**
 * Prepares a restored database for going live. A database from an earlier release first gets the missing
 * migrations.
 * @param backupAt the moment of the backup, in ms
 */
export async function prepareRestoredDatabase(
  client: Client,
  stripe: Stripe,
  backupAt: number,
  settings: { readonly SITE_URL: string },
): Promise<Restored> {
  const db = drizzle(client);
  await migrate(db, { migrationsFolder });
  await raiseVersions(db);
  await indexCustomers(db);
  await recordRestore(db);
  const reconciled = await scheduleReconciliation(db, stripe, backupAt, settings);
  const staff = await db
    .select({ email: users.userEmail, role: users.userRole })
    .from(users)
    .where(ne(users.userRole, 'User'))
    .orderBy(users.position);
  return { ...reconciled, staff };
}
