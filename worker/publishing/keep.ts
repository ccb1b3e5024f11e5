/** What the cron does for publishing: repeats a purge that was refused, repairs the copy of the live pages, deletes what old builds stored. */
import { openDatabase } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { Log } from '../http/log.ts';
import { lookUpLive } from './live.ts';
import { repairCopy } from './page-copy.ts';
import { pruneBuilds } from './prune.ts';
import { repeatPurge } from './purge.ts';

export async function keepPublished(env: Env, log: Log): Promise<void> {
  await repeatPurge(env.FILES, log);
  const db = openDatabase(env);
  await repairCopy(env.FILES, await lookUpLive(db), log);
  await pruneBuilds(db, env.FILES, log);
}
