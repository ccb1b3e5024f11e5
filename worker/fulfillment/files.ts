/**
 * Files of orders. The Worker streams a file from the request into the bucket, under `orders/{order}/{file}`, and never
 * holds the whole file in memory. Each file has a row. Files are private: the Worker serves them only to people who may
 * see the order.
 */
import { and, count, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { may } from '#contract/audience.ts';
import { maxFileBytes, maxOrderFiles, unpaidFiles, unverifiedFiles } from '#contract/conversations.ts';
import type { OrderFile } from '#contract/conversations.calls.ts';
import { newId } from '#contract/ids.ts';
import { isCustomerDeleted } from '#contract/orders.ts';
import { assertAccount } from '../accounts/owner.ts';
import { assert } from '../db/assert.ts';
import { readTogether, writeUnlessConflict } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { Env } from '../env.ts';
import type { Caller } from '../http/app.ts';
import {
  ApiError,
  badRequest,
  conflict,
  invalid,
  isBucketUnavailable,
  idempotencyKeyReused,
  notFound,
} from '../http/errors.ts';
import { countAttempt } from '../limits/rate-limits.ts';
import { orderQuery, visibleTo } from '../orders/read.ts';
import { orders, type OrderRecord } from '../orders/schema.ts';
import { fileTypeOf, headBytes, isZip, tailBytes } from './file-type.ts';
import { isOwnerUnchanged } from './post-message.ts';
import { fileOf, maySeeFile } from './read-conversation.ts';
import { orderFiles, type FileRecord } from './conversation-schema.ts';

/** The prefix of every key. */
export const orderFolder = 'orders/';
export const fileKey = ({ orderId, _id }: Pick<FileRecord, 'orderId' | '_id'>): string =>
  `${orderFolder}${orderId}/${_id}`;

/** @throws ApiError 411, 413 or 422 */
function checkLength(request: Request): void {
  const announced = request.headers.get('Content-Length');
  if (announced === null)
    throw new ApiError(411, 'Send the length of the file in the Content-Length header.');
  if (Number(announced) > maxFileBytes)
    throw new ApiError(413, 'This file is too large: at most 25 MB can be sent.');
  if (Number(announced) === 0 || !request.body) throw invalid({ file: 'This file is empty.' });
}

/** A safe name for display and download: one line, no folders, no characters that reverse the text direction. */
export function cleanName(name: string): string {
  const shown = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '')
    .replace(/[/\\]/g, '_')
    .trim();
  // Shorten at the front, because the extension shows the type, and never inside a character.
  return Array.from(shown).slice(-200).join('') || 'file';
}

const cutOff = () => badRequest('The upload was interrupted. Please send the file again.');

/**
 * Stores the request's bytes.
 * @returns the stored object's properties
 * @throws ApiError 400 bytes are missing
 */
async function storeBytes({ FILES }: Pick<Env, 'FILES'>, key: string, request: Request) {
  const stored = await FILES.put(key, request.body).catch((error: unknown) => {
    if (isBucketUnavailable(error)) throw error;
    return null;
  });
  if (stored?.size !== Number(request.headers.get('Content-Length'))) throw cutOff();
  const readFrom = async (offset: number, length: number) => {
    const part = await FILES.get(key, { range: { offset, length } });
    return part && new Uint8Array(await part.arrayBuffer());
  };
  const head = await readFrom(0, headBytes);
  if (!head) throw cutOff();
  const tailStart = Math.max(0, stored.size - tailBytes);
  const tail = isZip(head) ? ((await readFrom(tailStart, tailBytes)) ?? undefined) : undefined;
  return { etag: stored.etag, bytes: stored.size, type: fileTypeOf(head, tail) };
}

/** Deletes an object without a row. If the bucket is down, the nightly sweep deletes it. */
const deleteBytes = ({ FILES }: Pick<Env, 'FILES'>, key: string): Promise<void> =>
  FILES.delete(key).catch(() => undefined);

const howMany = (orderId: string) =>
  sql`(SELECT count(*) FROM ${orderFiles} WHERE ${eq(orderFiles.orderId, orderId)})`;

const neverPaid = ['UnPaid', 'Cancelled'] as const;
const isNeverPaid = ({ paymentStatus }: OrderRecord): boolean =>
  neverPaid.some((status) => status === paymentStatus);

/** The number or total size of the files that an account has uploaded to orders that were never paid. */
const keptUnpaid = (accountId: string, measure: SQL) =>
  sql<number>`(SELECT ${measure} FROM ${orderFiles} JOIN ${orders} ON ${eq(orders._id, orderFiles.orderId)}
    WHERE ${and(eq(orderFiles.accountId, accountId), inArray(orders.paymentStatus, neverPaid))})`;
const countUnpaid = (accountId: string) => keptUnpaid(accountId, sql`count(*)`);
const bytesUnpaid = (accountId: string) => keptUnpaid(accountId, sql`coalesce(sum(${orderFiles.bytes}), 0)`);

/**
 * Whether the limits for unverified accounts apply to uploads and messages. They apply only on orders that are not
 * paid.
 */
export const hasUnverifiedLimits = ({ account }: Caller, order: OrderRecord): boolean =>
  !account.emailVerified && isNeverPaid(order);

/**
 * The caller's upload limits for orders that were never paid. Undefined for other orders, and for staff, who upload
 * many files.
 */
function boundsFor({ account }: Caller, order: OrderRecord) {
  if (may(account, 'staff') || !isNeverPaid(order)) return undefined;
  return account.emailVerified ? unpaidFiles : unverifiedFiles;
}

const unpaidFull = ({ account }: Caller) =>
  conflict(
    account.emailVerified
      ? `Until you have paid, your orders can have at most ${unpaidFiles.most} files and 100 MB in total. Send the rest after you pay, or send a link.`
      : `Until your email is verified, unpaid orders can have at most ${unverifiedFiles.most} files and 25 MB in total. Open the link in the email we sent you, then send the file again.`,
  );

/** Reads the order and the data that decides whether another file fits. */
async function findPlace({ db, account }: Caller, orderId: string, key: string | undefined) {
  const isRepeated = and(eq(orderFiles.accountId, account.id), eq(orderFiles.idempotencyKey, key ?? ''));
  const [[found], [repeated], [counted]] = await readTogether(db, [
    orderQuery(db, orderId),
    db.select().from(orderFiles).where(isRepeated),
    db
      .select({
        count: count(),
        ...(!may(account, 'staff') && {
          countUnpaid: countUnpaid(account.id),
          bytesUnpaid: bytesUnpaid(account.id),
        }),
      })
      .from(orderFiles)
      .where(eq(orderFiles.orderId, orderId)),
  ]);
  return { order: visibleTo(account, found), repeated, counted };
}

type Place = Awaited<ReturnType<typeof findPlace>>;

/**
 * @param bytes the size of the file
 * @throws ApiError 409 the file exceeds a limit
 */
function checkRoom(caller: Caller, { order, counted }: Place, bytes: number): void {
  if (!counted) return;
  if (counted.count >= maxOrderFiles)
    throw conflict(
      `An order can have at most ${maxOrderFiles} files. Put several into one archive, or send a link.`,
    );
  const bounds = boundsFor(caller, order);
  const { countUnpaid: files = 0, bytesUnpaid: kept = 0 } = counted;
  if (bounds && (files >= bounds.most || kept + bytes > bounds.bytes)) throw unpaidFull(caller);
}

/**
 * Writes a file's row, unless the order has a new owner or is full.
 * @returns whether it wrote the row
 */
const insertFile = (caller: Caller, order: OrderRecord, file: FileRecord): Promise<boolean> => {
  const { db } = caller;
  const bounds = boundsFor(caller, order);
  const hasRoom = and(
    sql`${howMany(file.orderId)} < ${maxOrderFiles}`,
    bounds
      ? sql`${countUnpaid(file.accountId)} < ${bounds.most} AND ${bytesUnpaid(file.accountId)} + ${file.bytes} <= ${bounds.bytes}`
      : undefined,
  );
  return writeUnlessConflict(db, [
    assert(db, hasRow(orders, and(isOwnerUnchanged(order), hasRoom))),
    assertAccount(db, file.accountId),
    db.insert(orderFiles).values(file),
  ]);
};

/** @param etag the hash of the second file's bytes, computed by the bucket when it stores them */
async function isSameFile(
  { FILES }: Pick<Env, 'FILES'>,
  one: FileRecord,
  other: Pick<FileRecord, 'orderId' | 'name' | 'bytes'>,
  etag: string,
): Promise<boolean> {
  if (one.orderId !== other.orderId || one.name !== other.name || one.bytes !== other.bytes) return false;
  return (await FILES.head(fileKey(one)))?.etag === etag;
}

/**
 * Receives a file completely or not at all. A repeated idempotency key returns the existing file.
 * @throws ApiError 400 the upload was interrupted, 404 the caller may not see the order, 409 the order is full or
 *   the limit for an unverified email is reached, 411, 413, 422, 429
 */
export async function receiveFile(
  caller: Caller,
  orderId: string,
  { name, idempotencyKey }: { readonly name: string; readonly idempotencyKey: string | undefined },
  request: Request,
): Promise<OrderFile> {
  const { env, account } = caller;
  checkLength(request);
  const announced = Number(request.headers.get('Content-Length'));
  const place = await findPlace(caller, orderId, idempotencyKey);
  const { order, repeated } = place;
  if (!repeated) {
    if (isCustomerDeleted(order)) throw conflict("This customer's account was deleted.");
    checkRoom(caller, place, announced);
  }
  await countAttempt(caller, 'conversationFiles', account.id);
  const _id = newId();
  const key = fileKey({ orderId, _id });
  const kept = await storeBytes(env, key, request).catch(async (error: unknown) => {
    await deleteBytes(env, key);
    throw error;
  });
  const file: FileRecord = {
    _id,
    orderId,
    accountId: account.id,
    messageId: '',
    name: cleanName(name),
    bytes: kept.bytes,
    type: kept.type,
    at: Date.now(),
    idempotencyKey: idempotencyKey ?? null,
  };
  // A repeated key inserts nothing. If the database does not answer, the row may still exist, so the bytes are kept.
  // The sweep deletes bytes without a row.
  if (await insertFile(caller, order, file)) return fileOf(file);
  await deleteBytes(env, key);
  const now = await findPlace(caller, orderId, idempotencyKey);
  if (now.repeated) {
    if (!(await isSameFile(env, now.repeated, file, kept.etag))) throw idempotencyKeyReused('file');
    return fileOf(now.repeated);
  }
  checkRoom(caller, now, announced);
  throw conflict('Your order changed during the upload. Please send the file again.');
}

/** @throws ApiError 404 */
async function findFile({ db, account }: Caller, id: string): Promise<FileRecord> {
  const [found] = await db
    .select({ file: orderFiles, order: orders })
    .from(orderFiles)
    .innerJoin(orders, eq(orders._id, orderFiles.orderId))
    .where(eq(orderFiles._id, id));
  if (!found || !maySeeFile(account, found.file, found.order)) throw notFound('We could not find this file.');
  return found.file;
}

/**
 * A plain name for old clients and the full name for all others (https://www.rfc-editor.org/rfc/rfc6266#section-4.1).
 */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}

/**
 * Serves a file as an attachment without its type, so no browser displays it as part of this site.
 * @param key the key of its bytes in the bucket
 * @throws ApiError 404
 */
export async function serveAttachment(
  { FILES }: Pick<Env, 'FILES'>,
  key: string,
  name: string,
): Promise<Response> {
  const stored = await FILES.get(key);
  if (!stored) throw notFound('We no longer have this file.');
  return new Response(stored.body, {
    headers: {
      'Content-Type': 'application/octet-stream',
      'Content-Length': String(stored.size),
      'Content-Disposition': dispositionOf(name),
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'private, no-store',
    },
  });
}

/** @throws ApiError 404 */
export async function serveFile(caller: Caller, id: string): Promise<Response> {
  const file = await findFile(caller, id);
  return serveAttachment(caller.env, fileKey(file), file.name);
}

/**
 * Deletes a file that was not sent with a message.
 * @throws ApiError 404, 409 it was sent
 */
export async function deleteUnsentFile(caller: Caller, id: string): Promise<FileRecord> {
  const { db, env, account } = caller;
  const file = await findFile(caller, id);
  const deleted = await db
    .delete(orderFiles)
    .where(and(eq(orderFiles._id, id), eq(orderFiles.messageId, ''), eq(orderFiles.accountId, account.id)))
    .returning({ _id: orderFiles._id });
  if (deleted.length === 0) throw conflict('This file was already sent.');
  await deleteBytes(env, fileKey(file));
  return file;
}
