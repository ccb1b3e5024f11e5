/** Reads conversations, only for an order's customer and the staff. */
import { and, asc, count, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import type { Side } from '#contract/conversations.ts';
import type {
  Conversation,
  ConversationMessage,
  OrderFile,
  UnreadConversation,
} from '#contract/conversations.calls.ts';
import { maxPageSize } from '#contract/paging.ts';
import { accounts } from '../accounts/schema.ts';
import { readTogether, type Database } from '../db/client.ts';
import { numberFrom, type Env } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { canSeeWholeOrder, orderQuery, visibleTo } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import {
  conversationMessages,
  conversations,
  orderFiles,
  type FileRecord,
  type MessageRecord,
} from './conversation-schema.ts';

/** The maximum number of messages in one response. A caller requests earlier ones with `before`. */
const messagesAtOnce = 50;

/** How many days the text of messages on orders is kept: 24 months by default. */
export const keptDays = (env: Env): number => numberFrom(env, 'LIMIT_CONVERSATION_DAYS', 730);

/** The caller's side of an order. The caller must be allowed to see it. */
export const sideOf = (account: Account, order: Pick<OrderRecord, 'accountId'>): Side =>
  account.id === order.accountId ? 'customer' : 'staff';

export const fileOf = ({ _id, name, type, bytes }: FileRecord): OrderFile => ({ _id, name, type, bytes });

/** The query for messages with their authors' emails, which are null for deleted accounts. */
const messagesQuery = (db: Database) =>
  db
    .select({ message: conversationMessages, email: accounts.email })
    .from(conversationMessages)
    .leftJoin(accounts, eq(accounts.id, conversationMessages.accountId))
    .$dynamic();

type Written = Awaited<ReturnType<typeof messagesQuery>>[number];

/**
 * A message, with only what the caller may see.
 * @param files of the order
 */
const messageFor =
  (caller: Account, files: readonly FileRecord[]) =>
  ({ message: { _id, sequence, side, kind, text, quoted, at }, email }: Written): ConversationMessage => ({
    _id,
    sequence,
    side,
    by: may(caller, 'orders') && side === 'staff' ? (email ?? '') : '',
    kind,
    text,
    quoted,
    at: new Date(at).toISOString(),
    files: files.filter(({ messageId }) => messageId === _id).map(fileOf),
  });

export const lastIdOf = (db: Database, orderId: string, ...kinds: MessageRecord['kind'][]) =>
  db
    .select({ _id: conversationMessages._id })
    .from(conversationMessages)
    .where(and(eq(conversationMessages.orderId, orderId), inArray(conversationMessages.kind, kinds)))
    .orderBy(desc(conversationMessages.sequence))
    .limit(1);

export const lastOf = (db: Database, orderId: string, ...kinds: MessageRecord['kind'][]) =>
  messagesQuery(db).where(eq(conversationMessages._id, lastIdOf(db, orderId, ...kinds)));

/** The queries for an order's last delivery and for its files, oldest first. */
export function deliveryQueries(db: Database, orderId: string) {
  const lastId = lastIdOf(db, orderId, 'delivery');
  return [
    db.select().from(conversationMessages).where(eq(conversationMessages._id, lastId)),
    db
      .select()
      .from(orderFiles)
      .where(and(eq(orderFiles.orderId, orderId), eq(orderFiles.messageId, lastId)))
      .orderBy(asc(orderFiles._id)),
  ] as const;
}

/** The query for how many messages from each side the other side has not read. */
const unreadQuery = (db: Database, orderId: string) =>
  db
    .select({ side: conversationMessages.side, count: count() })
    .from(conversationMessages)
    .innerJoin(conversations, eq(conversations.orderId, conversationMessages.orderId))
    .where(
      sql`${conversationMessages.orderId} = ${orderId} AND ${conversationMessages.sequence} > CASE ${conversationMessages.side} WHEN 'customer' THEN ${conversations.readByStaff} ELSE ${conversations.readByCustomer} END`,
    )
    .groupBy(conversationMessages.side);

/** The customer's answer to a delivery; null if there is none. @param last their last answer to any delivery */
function answerTo(
  { message: { sequence } }: Written,
  last: Written | undefined,
): 'thanks' | 'missing' | null {
  if (!last || last.message.sequence <= sequence) return null;
  const { kind } = last.message;
  return kind === 'thanks' || kind === 'missing' ? kind : null;
}

/**
 * Returns the newest messages of an order's conversation, oldest first.
 * @param before only messages before this sequence number
 * @throws ApiError 404
 */
export async function readConversation(
  { db, env, account }: Caller,
  orderId: string,
  before?: number,
): Promise<Conversation> {
  const isEarlier = before === undefined ? undefined : lt(conversationMessages.sequence, before);
  const [[found], rows, files, [state], unread, [delivered], [answered]] = await readTogether(db, [
    orderQuery(db, orderId),
    messagesQuery(db)
      .where(and(eq(conversationMessages.orderId, orderId), isEarlier))
      .orderBy(desc(conversationMessages.sequence))
      .limit(messagesAtOnce + 1),
    db.select().from(orderFiles).where(eq(orderFiles.orderId, orderId)).orderBy(asc(orderFiles._id)),
    db.select().from(conversations).where(eq(conversations.orderId, orderId)),
    unreadQuery(db, orderId),
    lastOf(db, orderId, 'delivery'),
    lastOf(db, orderId, 'thanks', 'missing'),
  ]);
  const order = visibleTo(account, found);
  const side = sideOf(account, order);
  const shown = messageFor(account, files);
  // A delivery does not count once the work has resumed.
  const delivery = order.orderStatus === 'Delivered' ? delivered : undefined;
  return {
    side,
    messages: rows.slice(0, messagesAtOnce).reverse().map(shown),
    hasEarlier: rows.length > messagesAtOnce,
    readTo: (side === 'customer' ? state?.readByCustomer : state?.readByStaff) ?? 0,
    unread: unread.find((each) => each.side !== side)?.count ?? 0,
    ...(delivery && { delivery: { ...shown(delivery), answer: answerTo(delivery, answered) } }),
    keptDays: keptDays(env),
    unsentFiles: files
      .filter(({ accountId, messageId }) => messageId === '' && accountId === account.id)
      .map((file) => ({ ...fileOf(file), key: file.idempotencyKey ?? '' })),
  };
}

/** Reads a message for its author; undefined if there is none with this id. */
export async function readMessage(
  { db, account }: Caller,
  orderId: string,
  id: string,
): Promise<ConversationMessage | undefined> {
  const [[written], files] = await readTogether(db, [
    messagesQuery(db).where(eq(conversationMessages._id, id)),
    db
      .select()
      .from(orderFiles)
      .where(and(eq(orderFiles.orderId, orderId), eq(orderFiles.messageId, id)))
      .orderBy(asc(orderFiles._id)),
  ]);
  return written && messageFor(account, files)(written);
}

/**
 * Conversations with unread messages, newest first. `staff` reads what customers wrote, except on the caller's own
 * orders, because people do not need to read their own messages. `customer` reads what we wrote on their orders.
 */
export async function listUnread(
  db: Database,
  accountId: string,
  reader: Side,
): Promise<UnreadConversation[]> {
  const isStaff = reader === 'staff';
  const readTo = isStaff ? conversations.readByStaff : conversations.readByCustomer;
  const from: Side = isStaff ? 'customer' : 'staff';
  const written = isStaff ? conversations.fromCustomer : conversations.fromStaff;
  const unread = sql`FROM ${conversationMessages} WHERE ${conversationMessages.orderId} = ${conversations.orderId} AND ${conversationMessages.side} = ${from} AND ${conversationMessages.sequence} > ${readTo}`;
  const rows = await db
    .select({
      orderId: orders._id,
      orderNumber: orders.number,
      customerName: orders.customerName,
      unread: sql<number>`(SELECT count(*) ${unread})`,
      at: sql<number>`(SELECT max(${conversationMessages.at}) ${unread})`,
    })
    .from(conversations)
    .innerJoin(orders, eq(orders._id, conversations.orderId))
    .where(and(sql`${written} > ${readTo}`, (isStaff ? ne : eq)(orders.accountId, accountId)))
    .orderBy(desc(conversations.lastAt))
    .limit(maxPageSize);
  return rows.map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() }));
}

/** Only the sender may see an unsent file. */
export const maySeeFile = (account: Account, file: FileRecord, order: OrderRecord): boolean =>
  canSeeWholeOrder(account, order) && (file.messageId !== '' || file.accountId === account.id);
