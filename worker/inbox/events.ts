/** The history of staff changes in the inbox. */
import type { SQL } from 'drizzle-orm';
import { newId } from '#contract/ids.ts';
import type { Database, Statement } from '../db/client.ts';
import { insertIf } from '../db/insert-if.ts';
import { inboxEvents } from './schema.ts';

/**
 * The statement that records a change. Put it in the batch of the change. @param condition records it only if it holds
 */
export const inboxEvent = (
  db: Database,
  change: Omit<typeof inboxEvents.$inferSelect, '_id' | 'at'>,
  condition: SQL,
): Statement => insertIf(db, inboxEvents, { _id: newId(), at: Date.now(), ...change }, condition);
