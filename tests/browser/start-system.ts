/** Starts the copy that the browser tests share. Each test owns its data in it. */
import { startTestSystem } from '../support/system.ts';

export default async function start(): Promise<() => Promise<void>> {
  const system = await startTestSystem();
  process.env['SYSTEM_URL'] = system.url;
  process.env['STRIPE_URL'] = system.stripe?.url ?? '';
  process.env['DATABASE_URL'] = system.database.url;
  process.env['DATABASE_TOKEN'] = system.database.authToken;
  return () => system.stop();
}
