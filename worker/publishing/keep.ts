/** What the cron does for publishing: repeats a purge that was refused, and repairs the copy of the live pages. */
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { lookUpLive } from './live.ts';
import { repairCopy } from './page-copy.ts';
import { repeatPurge } from './purge.ts';

export async function keepPublished(env: Env, log: Log): Promise<void> {
  await repeatPurge(env.FILES, log);
  await repairCopy(env.FILES, await lookUpLive(openDatabase(env)), log);
}
