/** The staff's notes about customers. */
import { and, count, desc, eq, exists, inArray, or } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { CustomerNote } from '#contract/customers.calls.ts';
import { newId } from '#contract/ids.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { actorId } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { assert } from '../db/assert.ts';
import { writeUnlessConflict, type Database } from '../db/client.ts';
import { idsOnPage, readPage, type Page } from '../db/paging.ts';
import { invalid, notFound } from '../http/errors.ts';
import { customers, orders } from '../orders/schema.ts';
import { customerNotes } from './schema.ts';

type NoteRecord = typeof customerNotes.$inferSelect;

const noteOf = ({ _id, text, at }: NoteRecord, email: string | null): CustomerNote => ({
  ...{ _id, text, at: new Date(at).toISOString() },
  by: email ?? '',
});

/** A page of the notes about a customer, newest first. */
export async function listNotes(
  db: Database,
  customerId: string,
  query: PageQuery,
): Promise<Page<CustomerNote>> {
  // A note about a customer without an account names their first order. That order belongs to the account once
  // they have one.
  const theirs = db.select({ id: orders._id }).from(orders).where(eq(orders.accountId, customerId));
  const isAbout = or(eq(customerNotes.customerId, customerId), inArray(customerNotes.customerId, theirs));
  const counted = db.select({ count: count() }).from(customerNotes).where(isAbout);
  const { total, rows } = await readPage(db, query, counted, (window) =>
    db
      .select({ note: customerNotes, email: accounts.email })
      .from(customerNotes)
      .leftJoin(accounts, eq(accounts.id, customerNotes.accountId))
      .where(inArray(customerNotes._id, idsOnPage(db, customerNotes._id, window, isAbout)))
      .orderBy(desc(customerNotes._id)),
  );
  return { total, rows: rows.map(({ note, email }) => noteOf(note, email)) };
}

/**
 * Adds a note about a customer. A repeated idempotency key returns the existing note.
 * @throws ApiError 404 there is no such customer, 422 another note has used the key
 */
export async function addNote(
  db: Database,
  writer: Account,
  customerId: string,
  text: string,
  idempotencyKey = '',
): Promise<CustomerNote> {
  const at = Date.now();
  const note = { _id: newId(at), text, at, idempotencyKey: idempotencyKey || null };
  const isCustomer = exists(
    db.select({ _id: customers._id }).from(customers).where(eq(customers._id, customerId)),
  );
  const isWritten = await writeUnlessConflict(db, [
    assert(db, isCustomer),
    db.insert(customerNotes).values({ ...note, customerId, accountId: actorId(writer.id) }),
  ]);
  if (isWritten) return noteOf({ ...note, customerId, accountId: writer.id }, writer.email);
  const [known] = await db
    .select()
    .from(customerNotes)
    .where(and(eq(customerNotes.accountId, writer.id), eq(customerNotes.idempotencyKey, idempotencyKey)));
  if (!known) throw notFound('There is no such customer.');
  if (known.customerId !== customerId || known.text !== text)
    throw invalid({ text: 'This form was already used for another note. Please load the page again.' });
  return noteOf(known, writer.email);
}

/** @throws ApiError 404 */
export async function deleteNote(db: Database, id: string): Promise<void> {
  const deleted = await db
    .delete(customerNotes)
    .where(eq(customerNotes._id, id))
    .returning({ _id: customerNotes._id });
  if (deleted.length === 0) throw notFound('This note no longer exists.');
}
