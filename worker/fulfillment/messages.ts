/** Sends messages to the other side of an order, and marks the other side's messages as read. */
import { and, asc, desc, eq, gt, gte, inArray, ne, not, sql, type SQL } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import type { ConversationMessage, NewConversationMessage } from '#contract/conversations.calls.ts';
import type { Side } from '#contract/conversations.ts';
import { isCustomerDeleted } from '#contract/orders.ts';
import { isVerifiedEmail } from '../accounts/owner.ts';
import {
  readTogether,
  writeBatch,
  writeUnlessConflict,
  type Database,
  type Statement,
} from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { Caller } from '../http/app.ts';
import { conflict, invalid, idempotencyKeyReused } from '../http/errors.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { cancelUntriedMail, queueMail } from '../mail/outbox.ts';
import { retryOnConflict } from '../orders/changes.ts';
import { notifyCustomer } from '../orders/notify.ts';
import { ordersOwnedBy } from '../orders/personal-data.ts';
import { lookUpOrder, orderQuery, visibleTo } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { hourMs } from '../http/clock.ts';
import { hasUnverifiedLimits } from './files.ts';
import { messageToCustomerMail, messageToStaffMail } from './conversation-mails.ts';
import { isUnsentOf, postStatements } from './post-message.ts';
import { lastIdOf, lastOf, readMessage, sideOf } from './read-conversation.ts';
import {
  conversationMessages,
  conversations,
  orderFiles,
  type MessageRecord,
} from './conversation-schema.ts';

/** How long an email waits for more messages, in ms, so that a burst of messages becomes one email. */
const burstMs = 3 * 60_000;

/**
 * The same for unverified accounts on unpaid orders, in ms: one email an hour. Creating an account is free, so a
 * stranger could otherwise trigger many emails.
 */
const boundedBurstMs = hourMs;

/**
 * The topic of the email to a side.
 * @param id the id of the order, or of the account if its orders share one email
 */
const topicFor = (side: Side, id: string): string => `messages to ${side} ${id}`;

/** The maximum number of messages that one email contains. */
const maxMailed = 10;

/** The condition for our messages after a sequence number that the customer has not read. */
const isUnreadAfter = (orderId: string, sequence: number): SQL | undefined =>
  and(
    eq(conversationMessages.orderId, orderId),
    eq(conversationMessages.side, 'staff'),
    ne(conversationMessages.text, ''),
    gt(
      conversationMessages.sequence,
      sql`max(${sequence}, coalesce((SELECT ${conversations.readByCustomer} FROM ${conversations} WHERE ${eq(conversations.orderId, orderId)}), 0))`,
    ),
  );

/** The query for our messages that the customer has not read, newest first. */
const unreadQuery = (db: Database, orderId: string) =>
  db
    .select({ text: conversationMessages.text, sequence: conversationMessages.sequence })
    .from(conversationMessages)
    .where(isUnreadAfter(orderId, 0))
    .orderBy(desc(conversationMessages.sequence))
    .limit(maxMailed - 1);

/**
 * The condition that no colleague has written a message since these messages were read. The email would not contain it.
 */
const hasAllOf = (orderId: string, [newest]: readonly { readonly sequence: number }[]): SQL =>
  not(hasRow(conversationMessages, isUnreadAfter(orderId, newest?.sequence ?? 0)));

/**
 * The statements that queue the email about our message. For a customer with a verified address, they replace a waiting
 * email with one that also contains the new message. Otherwise, a waiting email is enough.
 * @param texts our unread messages, oldest first
 */
function notifyCustomerOfMessage(
  { db, env }: Caller,
  order: OrderRecord,
  texts: readonly string[],
): readonly Statement[] {
  const topic = topicFor('customer', order._id);
  const isVerified = isVerifiedEmail(order.accountId, normalizeEmail(order.customerEmail));
  return [
    cancelUntriedMail(db, topic, isVerified),
    ...notifyCustomer(
      { db, env },
      order,
      'order-message',
      (siteUrl, mailed, isTheirs) => messageToCustomerMail(siteUrl, mailed, isTheirs ? texts : []),
      { topic, delayMs: burstMs },
    ),
  ];
}

/** The statement that queues the email about a customer's message, unless one is already waiting. */
const notifyStaffOfMessage = (caller: Caller, order: OrderRecord): Statement =>
  queueMail(caller.db, caller.env, {
    to: caller.env.NOTIFY_EMAIL,
    about: order._id,
    kind: 'order-message-notice',
    content: messageToStaffMail(caller.env.SITE_URL, order),
    ...(hasUnverifiedLimits(caller, order)
      ? { topic: topicFor('staff', caller.account.id), delayMs: boundedBurstMs }
      : { topic: topicFor('staff', order._id), delayMs: burstMs }),
  });

/** @throws ApiError 409 or 422 if the message cannot be written now */
function checkMessage(order: OrderRecord, side: Side, { kind }: NewConversationMessage): void {
  if (isCustomerDeleted(order))
    throw conflict("This customer's account was deleted, so nobody can receive a message.");
  if (kind === 'message') return;
  if (side !== 'customer') throw invalid({ kind: 'Only the customer can say this.' });
  if (order.orderStatus !== 'Delivered')
    throw conflict('This order is not delivered right now. You can send this as a message.');
}

/**
 * For each answer to a delivery, the message kinds among which that delivery must be the last. A customer cannot thank
 * us for a delivery after reporting something missing.
 */
const answeredKinds = { thanks: ['delivery', 'missing'], missing: ['delivery'] } as const;

/**
 * Checks whether a delivery can get this answer.
 * @returns the condition for the batch that writes the answer; undefined for a message that is not an answer
 * @throws ApiError 409 there is a newer delivery, or the customer reported something missing
 */
async function checkAnswer(
  db: Database,
  orderId: string,
  { kind, delivery }: NewConversationMessage,
): Promise<SQL | undefined> {
  if (kind === 'message') return undefined;
  const kinds = answeredKinds[kind];
  const [last] = await lastOf(db, orderId, ...kinds);
  if (last?.message._id !== delivery)
    throw conflict(
      last?.message.kind === 'missing'
        ? 'You have told us that something is missing, so no thank-you was sent. You can write us a message.'
        : 'There is a newer delivery than the one you saw, so your answer was not sent. Please look at it, then answer again.',
    );
  return sql`${orders.orderStatus} = 'Delivered' AND ${delivery} = ${lastIdOf(db, orderId, ...kinds)}`;
}

/**
 * @returns the names of the files
 * @throws ApiError 422 unless all files belong to the writer and this order and are unsent
 */
export async function checkFiles(
  db: Database,
  orderId: string,
  accountId: string,
  files: readonly string[],
): Promise<readonly string[]> {
  if (files.length === 0) return [];
  const chosen = await db
    .select({ name: orderFiles.name })
    .from(orderFiles)
    .where(and(inArray(orderFiles._id, [...files]), isUnsentOf(orderId, accountId)))
    .orderBy(asc(orderFiles._id));
  if (chosen.length < files.length)
    throw invalid({ files: 'A file no longer exists, or was already sent. Please choose it again.' });
  return chosen.map(({ name }) => name);
}

/** @param sent the ids of the message's files */
const isSameMessage = (
  { orderId, kind, text }: MessageRecord,
  sent: readonly string[],
  toOrderId: string,
  input: NewConversationMessage,
): boolean =>
  orderId === toOrderId &&
  kind === input.kind &&
  text === input.text &&
  new Set([...input.files, ...sent]).size === input.files.length &&
  sent.length === input.files.length;

/**
 * Writes a message. A repeated idempotency key returns the existing message.
 * @param quoted the quoted text of an emailed message
 * @throws ApiError 404 the caller may not see the order, 409 no one can receive it, nothing was delivered, or it was
 *   answered differently, 422, 429
 */
export async function writeMessage(
  caller: Caller,
  orderId: string,
  input: NewConversationMessage,
  idempotencyKey: string | undefined,
  quoted = '',
): Promise<ConversationMessage> {
  const { db, account } = caller;
  const { _id } = conversationMessages;
  const isRepeated = and(
    eq(conversationMessages.accountId, account.id),
    eq(conversationMessages.idempotencyKey, idempotencyKey ?? ''),
  );
  const id = await retryOnConflict(async () => {
    const [[found], [repeated], sent, unread] = await readTogether(db, [
      orderQuery(db, orderId),
      db.select().from(conversationMessages).where(isRepeated),
      db
        .select({ _id: orderFiles._id })
        .from(orderFiles)
        .where(
          and(
            eq(orderFiles.orderId, orderId),
            inArray(orderFiles.messageId, db.select({ _id }).from(conversationMessages).where(isRepeated)),
          ),
        ),
      unreadQuery(db, orderId),
    ]);
    const order = visibleTo(account, found);
    if (repeated) {
      const sentIds = sent.map((file) => file._id);
      if (!isSameMessage(repeated, sentIds, orderId, input)) throw idempotencyKeyReused('message');
      return repeated._id;
    }
    const side = sideOf(account, order);
    checkMessage(order, side, input);
    const onlyIf = await checkAnswer(db, orderId, input);
    await checkFiles(db, orderId, account.id, input.files);
    await countAttempt(caller, 'conversationMessages', account.id);
    const { id, statements } = postStatements(db, {
      ...input,
      quoted,
      order,
      side,
      accountId: account.id,
      idempotencyKey,
      onlyIf: and(onlyIf, side === 'staff' ? hasAllOf(orderId, unread) : undefined),
    });
    const texts = [input.text, ...unread.map(({ text }) => text)].filter((text) => text !== '').reverse();
    const mails =
      side === 'staff'
        ? notifyCustomerOfMessage(caller, order, texts)
        : [notifyStaffOfMessage(caller, order)];
    return (await writeUnlessConflict(db, [...statements, ...mails])) ? id : undefined;
  });
  const message = await readMessage(caller, orderId, id);
  // The customer's account was deleted in the meantime, and the message with it.
  if (!message) throw invalid({ text: 'Nobody can receive messages on this order.' });
  return message;
}

/** Whether the staff has read everything that a customer wrote, on all of their orders. */
const isAllRead = (db: Database, accountId: string): SQL =>
  not(
    hasRow(
      conversations,
      and(
        inArray(conversations.orderId, ordersOwnedBy(db, accountId)),
        gt(conversations.fromCustomer, conversations.readByStaff),
      ),
    ),
  );

/**
 * Marks the other side's messages as read and deletes the waiting email about them. If an account's orders share one
 * email, it is deleted only when all of them are read.
 * @param readTo sequence number of the last message that was seen
 * @throws ApiError 404
 */
export async function markRead(
  db: Database,
  account: Account,
  orderId: string,
  readTo: number,
): Promise<void> {
  const order = visibleTo(account, await lookUpOrder(db, orderId));
  const side = sideOf(account, order);
  const read = side === 'customer' ? 'readByCustomer' : 'readByStaff';
  const written = side === 'customer' ? 'fromStaff' : 'fromCustomer';
  const here = eq(conversations.orderId, orderId);
  const last = sql`max(${conversations.fromCustomer}, ${conversations.fromStaff})`;
  await writeBatch(db, [
    db
      .update(conversations)
      .set({ [read]: sql`max(${conversations[read]}, min(${readTo}, ${last}))` })
      .where(here),
    cancelUntriedMail(
      db,
      topicFor(side, orderId),
      hasRow(conversations, and(here, gte(conversations[read], conversations[written]))),
    ),
    ...(side === 'staff'
      ? [cancelUntriedMail(db, topicFor('staff', order.accountId), isAllRead(db, order.accountId))]
      : []),
  ]);
}
