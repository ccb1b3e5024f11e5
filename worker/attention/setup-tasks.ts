/** The setup tasks that are not done yet. The overview reminds administrators of them. */
import { inArray, like, sql } from 'drizzle-orm';
import { setupTasks, type SetupTask } from '#contract/attention.calls.ts';
import { exampleMark, firstBrandName } from '#contract/first-content.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether, type Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { stripeKeys } from '../payments/schema.ts';

/**
 * Reads the open tasks, in the order in which people do them. If the firm has no name yet, the deployment names the
 * brand after the site's host.
 */
export async function readSetupTasks(
  db: Database,
  { SITE_URL }: Pick<Env, 'SITE_URL'>,
): Promise<SetupTask[]> {
  const { brand, businessDetails, legalPage } = contentTables;
  const firstNames = [firstBrandName, new URL(SITE_URL).hostname];
  const one = { one: sql`1` };
  const [keys, firstBrands, details, examples] = await readTogether(db, [
    db.select(one).from(stripeKeys).limit(1),
    db
      .select(one)
      .from(brand)
      .where(inArray(sql`${brand.name}`, firstNames)),
    db.select(one).from(businessDetails).limit(1),
    db
      .select(one)
      .from(legalPage)
      .where(like(sql`${legalPage.text}`, `%${exampleMark}%`))
      .limit(1),
  ]);
  const remains: Readonly<Record<SetupTask, boolean>> = {
    paymentKey: keys.length === 0,
    brand: firstBrands.length > 0,
    businessDetails: details.length === 0,
    businessPages: examples.length > 0,
  };
  return setupTasks.filter((task) => remains[task]);
}
