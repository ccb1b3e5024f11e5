/**
 * Gives a new site its publishable key. The database stores the key, and from then on, people change it on the site.
 */
import { drizzle } from 'drizzle-orm/libsql';
import { addKey, keysQuery } from '#worker/payments/stripe-key.ts';
import { withDatabase } from './database.ts';
import type { Settings } from './settings.ts';

/**
 * Saves STRIPE_PUBLISHABLE_KEY in a database that has no key.
 * @returns whether it was saved
 */
export async function savePaymentKey(settings: Settings): Promise<boolean> {
  const { STRIPE_PUBLISHABLE_KEY: stripeKey } = settings;
  if (!stripeKey) return false;
  return withDatabase(settings, async (client) => {
    const db = drizzle(client);
    if ((await keysQuery(db)).length > 0) return false;
    await addKey({ db, clientIp: 'unknown' }, undefined, { stripeKey });
    return true;
  });
}
