/**
 * Staff notes about a record: a customer, an order or a message. Customers never see them. A feature whose records have
 * notes deletes the notes together with the records (`deleteNotes`).
 */
import { and, count, desc, eq, inArray, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import type { StaffNote } from '#contract/notes.calls.ts';
import type { NoteKind } from '#contract/notes.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { actorId } from '../accounts/owner.ts';
import { accounts } from '../accounts/schema.ts';
import { assert } from '../db/assert.ts';
import { writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import { idsOnPage, readPage, type Page } from '../db/paging.ts';
import { idempotencyKeyReused, notFound } from '../http/errors.ts';
import { staffNotes } from './schema.ts';

type NoteRecord = typeof staffNotes.$inferSelect;

const noteOf = ({ _id, text, at }: NoteRecord, email: string | null): StaffNote => ({
  _id,
  text,
  at: new Date(at).toISOString(),
  by: email ?? '',
});

/** Reads a page of the notes about a record, newest first. */
export async function listNotes(
  db: Database,
  kind: NoteKind,
  recordId: string,
  query: PageQuery,
): Promise<Page<StaffNote>> {
  const isAbout = and(eq(staffNotes.kind, kind), eq(staffNotes.recordId, recordId));
  const counted = db.select({ count: count() }).from(staffNotes).where(isAbout);
  const { total, rows } = await readPage(db, query, counted, (window) =>
    db
      .select({ note: staffNotes, email: accounts.email })
      .from(staffNotes)
      .leftJoin(accounts, eq(accounts.id, staffNotes.accountId))
      .where(inArray(staffNotes._id, idsOnPage(db, staffNotes._id, window, isAbout)))
      .orderBy(desc(staffNotes._id)),
  );
  return { total, rows: rows.map(({ note, email }) => noteOf(note, email)) };
}

interface NewNote {
  readonly kind: NoteKind;
  readonly recordId: string;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
}

/**
 * Adds a note about a record. A repeated idempotency key returns the existing note.
 * @param isThere the condition that the record exists
 * @returns undefined if the record does not exist
 * @throws ApiError 422 another note has used the key
 */
export async function addNote(
  db: Database,
  writer: Account,
  { kind, recordId, text, idempotencyKey = '' }: NewNote,
  isThere: SQL,
): Promise<StaffNote | undefined> {
  const at = Date.now();
  const note = { _id: newId(at), kind, recordId, text, at, idempotencyKey: idempotencyKey || null };
  const isWritten = await writeUnlessConflict(db, [
    assert(db, isThere),
    db.insert(staffNotes).values({ ...note, accountId: actorId(writer.id) }),
  ]);
  if (isWritten) return noteOf({ ...note, accountId: writer.id }, writer.email);
  const [known] = await db
    .select()
    .from(staffNotes)
    .where(and(eq(staffNotes.accountId, writer.id), eq(staffNotes.idempotencyKey, idempotencyKey)));
  if (known && (known.kind !== kind || known.recordId !== recordId || known.text !== text))
    throw idempotencyKeyReused('note');
  return known && noteOf(known, writer.email);
}

/** @throws ApiError 404 */
export async function deleteNote(db: Database, kind: NoteKind, id: string): Promise<void> {
  const deleted = await db
    .delete(staffNotes)
    .where(and(eq(staffNotes._id, id), eq(staffNotes.kind, kind)))
    .returning({ _id: staffNotes._id });
  if (deleted.length === 0) throw notFound('This note no longer exists.');
}

/** @param ids a query for their ids */
export const moveNotes = (db: Database, kind: NoteKind, ids: SQLWrapper, recordId: string): Statement =>
  db
    .update(staffNotes)
    .set({ recordId })
    .where(and(eq(staffNotes.kind, kind), inArray(staffNotes.recordId, ids)));

/** @param ids a query for their ids */
export const deleteNotes = (db: Database, kind: NoteKind, ids: SQLWrapper): Statement =>
  db.delete(staffNotes).where(and(eq(staffNotes.kind, kind), inArray(staffNotes.recordId, ids)));
