/** Describes the package that somebody was about to order, on the page where they must sign in first. */
import { eq } from 'drizzle-orm';
import { packageToOrder } from '#contract/all-screens.ts';
import { displayPriceText } from '#contract/money.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';

const packages = contentTables.pricingPackage;

/**
 * Names the package, with its price, whose order form a path leads to.
 * @param path on this site, with its query
 * @returns a sentence, or undefined where it leads elsewhere, there is no such package, or the database is away
 */
export async function describeChosenPackage(db: Database, path: string): Promise<string | undefined> {
  const id = packageToOrder(path);
  if (id === undefined) return undefined;
  const [chosen] = await db
    .select({ name: packages.packageName, price: packages.packagePrice })
    .from(packages)
    .where(eq(packages._id, id))
    .catch(() => []);
  return chosen && `You are ordering the ${chosen.name} package, ${displayPriceText(chosen.price)}.`;
}
