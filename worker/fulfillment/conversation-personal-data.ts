/**
 * Exports and deletes conversations with a person's data. Deleting an account deletes everything that both sides wrote
 * and sent on its orders. What its owner wrote on other people's orders stays, without their name.
 */
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Person, PersonalRecords } from '../accounts/personal-data.ts';
import type { Account } from '#contract/accounts.ts';
import { callAddress } from '#contract/call-address.ts';
import type { Database, Statement } from '../db/client.ts';
import { collect, readInChunks } from '../db/paging.ts';
import { isTheirOrder, ordersOwnedBy, theirOrders } from '../orders/personal-data.ts';
import { orders } from '../orders/schema.ts';
import { fileKey } from './files.ts';
import {
  conversationMessages,
  conversations,
  orderFiles,
  type FileRecord,
  type MessageRecord,
} from './conversation-schema.ts';

/**
 * Every message on the account's orders, oldest first, with links to its files, and the files that the account has not
 * sent yet.
 */
async function exportConversations(db: Database, siteUrl: string, account: Account) {
  const theirs = ordersOwnedBy(db, account.id);
  const { orderId: order, sequence } = conversationMessages;
  const reading = readInChunks(
    (last: MessageRecord | undefined, limit) =>
      db
        .select()
        .from(conversationMessages)
        .where(
          and(
            inArray(order, theirs),
            last && sql`(${order}, ${sequence}) > (${last.orderId}, ${last.sequence})`,
          ),
        )
        .orderBy(asc(order), asc(sequence))
        .limit(limit),
    (message) => message,
  );
  const [messages, files] = await Promise.all([
    collect(reading),
    db.select().from(orderFiles).where(inArray(orderFiles.orderId, theirs)).orderBy(asc(orderFiles._id)),
  ]);
  const exported = ({ _id, name, type, bytes }: FileRecord) => ({
    name,
    type,
    bytes,
    address: siteUrl + callAddress('GET /order-file/:id', _id),
  });
  const written = messages.map(({ _id, orderId, side, kind, text, quoted, at }) => ({
    orderId,
    side,
    kind,
    text,
    quoted,
    at: new Date(at).toISOString(),
    files: files.filter(({ messageId }) => messageId === _id).map(exported),
  }));
  const unsentFiles = files
    .filter(({ messageId, accountId }) => messageId === '' && accountId === account.id)
    .map((file) => ({ orderId: file.orderId, ...exported(file) }));
  return { conversations: written, unsentFiles };
}

/**
 * The statements that delete the conversations of an account's orders. They must run before the orders lose their
 * account.
 */
function forgetConversations(db: Database, account: Person): Statement[] {
  const theirs = theirOrders(db, account);
  return [
    ...[conversationMessages, conversations, orderFiles].map((table) =>
      db.delete(table).where(inArray(table.orderId, theirs)),
    ),
    db
      .update(conversationMessages)
      .set({ accountId: '', idempotencyKey: null })
      .where(eq(conversationMessages.accountId, account.id)),
    db
      .update(orderFiles)
      .set({ accountId: '', idempotencyKey: null })
      .where(eq(orderFiles.accountId, account.id)),
  ];
}

/** The files to delete after their rows are gone. If the run is interrupted, the sweep deletes them. */
async function filesToDelete(db: Database, account: Person): Promise<readonly string[]> {
  const rows = await db
    .select({ _id: orderFiles._id, orderId: orderFiles.orderId })
    .from(orderFiles)
    .innerJoin(orders, eq(orders._id, orderFiles.orderId))
    .where(isTheirOrder(account));
  return rows.map(fileKey);
}

/** A person's conversations. These statements must run before those of the orders. */
export const conversationsOfPerson: PersonalRecords = {
  export: (db, account, env) => exportConversations(db, env.SITE_URL, account),
  forget: forgetConversations,
  files: filesToDelete,
};
