/** Describes the package that a visitor is about to order, for the page where they must sign in first. */
import { eq } from 'drizzle-orm';
import { packageToOrder } from '#contract/all-screens.ts';
import { displayNameOf, displayPackagePrice } from '#contract/packages.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';

const packages = contentTables.pricingPackage;

/**
 * Names the package and its price if a path leads to the package's order form.
 * @param path a path on this site, with its query
 * @returns a sentence; undefined if the path leads elsewhere, the package does not exist, or the database is
 *   unavailable
 */
export async function describeChosenPackage(db: Database, path: string): Promise<string | undefined> {
  const id = packageToOrder(path);
  if (id === undefined) return undefined;
  const [chosen] = await db
    .select()
    .from(packages)
    .where(eq(packages._id, id))
    .catch(() => []);
  return chosen && `You are ordering the ${displayNameOf(chosen)} package, ${displayPackagePrice(chosen)}.`;
}
