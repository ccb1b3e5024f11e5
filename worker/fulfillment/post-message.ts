/** Writes a message, its files and each side's last position in one batch. */
import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import type { MessageKind, Side } from '#contract/conversations.ts';
import { newId } from '#contract/ids.ts';
import { actorId, assertAccount } from '../accounts/owner.ts';
import { assert } from '../db/assert.ts';
import type { Database, Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { conversationMessages, conversations, orderFiles } from './conversation-schema.ts';

interface Posting {
  readonly order: Pick<OrderRecord, '_id' | 'accountId'>;
  readonly side: Side;
  readonly accountId: string;
  readonly kind: MessageKind;
  readonly text: string;
  readonly quoted?: string | undefined;
  /** Ids of files that the author has uploaded. */
  readonly files: readonly string[];
  readonly idempotencyKey?: string | undefined;
  /** An extra condition on the order and its conversation. */
  readonly onlyIf?: SQL | undefined;
}

/** The condition for files that an account has uploaded to an order but not sent with a message. */
export const isUnsentOf = (orderId: string, accountId: string): SQL =>
  sql`(${orderFiles.orderId} = ${orderId} AND ${orderFiles.accountId} = ${accountId} AND ${orderFiles.messageId} = '')`;

/**
 * The condition that an order still belongs to the same account as when it was read. After a customer's account is
 * deleted, nothing can be added to its orders.
 */
export const isOwnerUnchanged = (order: Pick<OrderRecord, '_id' | 'accountId'>): SQL | undefined =>
  and(eq(orders._id, order._id), eq(orders.accountId, order.accountId), ne(orders.customerEmail, ''));

/**
 * The statements that write a message. They assert that the order, its files and the conversation have not changed
 * since they were read.
 * @returns the message's id and the statements
 */
export function postStatements(
  db: Database,
  { order, side, accountId, kind, text, quoted = '', files, idempotencyKey, onlyIf }: Posting,
): { readonly id: string; readonly statements: readonly Statement[] } {
  const at = Date.now();
  const id = newId(at);
  const chosen = and(inArray(orderFiles._id, [...files]), isUnsentOf(order._id, accountId));
  const areThere =
    files.length === 0
      ? undefined
      : sql`(SELECT count(*) FROM ${orderFiles} WHERE ${chosen}) = ${files.length}`;
  const isAsRead = and(isOwnerUnchanged(order), areThere, onlyIf);
  // The sweep may have deleted later messages (sweep.ts). Sequence numbers that `conversations` still contains are not
  // reused.
  const lastKnown = sql`coalesce((SELECT max(${conversations.fromCustomer}, ${conversations.fromStaff}) FROM ${conversations} WHERE ${eq(conversations.orderId, order._id)}), 0)`;
  const last = sql`(SELECT coalesce(max(${conversationMessages.sequence}), 0) FROM ${conversationMessages} WHERE ${eq(conversationMessages.orderId, order._id)})`;
  const written = side === 'customer' ? 'fromCustomer' : 'fromStaff';
  return {
    id,
    statements: [
      assert(db, hasRow(orders, isAsRead)),
      ...(side === 'customer' ? [assertAccount(db, accountId)] : []),
      db.insert(conversationMessages).values({
        _id: id,
        orderId: order._id,
        sequence: sql`max(${last}, ${lastKnown}) + 1`,
        side,
        accountId: side === 'customer' ? accountId : actorId(accountId),
        kind,
        text,
        quoted,
        at,
        idempotencyKey: idempotencyKey ?? null,
      }),
      ...(files.length === 0 ? [] : [db.update(orderFiles).set({ messageId: id }).where(chosen)]),
      db
        .insert(conversations)
        .values({ orderId: order._id, [written]: last, lastAt: at })
        .onConflictDoUpdate({
          target: conversations.orderId,
          set: { [written]: last, lastAt: at },
        }),
    ],
  };
}
