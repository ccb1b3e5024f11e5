/** The calls about the staff's notes on customers, orders and messages. Customers never see notes. */
import * as z from 'zod';
import type { Ability } from './audience.ts';
import type { CallTable, Output } from './call.ts';
import type { NoteKind } from './notes.ts';
import { id, line, moment, pageQuery } from './schemas.ts';

export const staffNote = z.strictObject({
  _id: id,
  text: z.string(),
  at: moment,
  /** Email of the author; empty after their account was deleted. */
  by: z.string(),
});
export type StaffNote = Output<typeof staffNote>;

const list = <A extends Ability>(kind: NoteKind, who: A) =>
  ({
    about: `Lists the staff's notes about a ${kind}, newest first.`,
    who,
    query: pageQuery,
    answer: z.array(staffNote),
  }) as const;

const add = <A extends Ability>(kind: NoteKind, who: A) =>
  ({
    about: `Adds a note about a ${kind}, for the staff only.`,
    who,
    body: z.strictObject({ text: line('Please type the note.', 5_000) }),
    answer: staffNote,
    status: 201,
    headers: ['Idempotency-Key'],
  }) as const;

const remove = <A extends Ability>(kind: NoteKind, who: A) =>
  ({ about: `Deletes a note about a ${kind}.`, who, audited: 'removal' }) as const;

export const noteCalls = {
  'GET /customer/:id/notes': list('customer', 'customers'),
  'POST /customer/:id/notes': add('customer', 'customers'),
  'DELETE /customer-note/:id': remove('customer', 'customers'),
  'GET /order/:id/notes': list('order', 'orders'),
  'POST /order/:id/notes': add('order', 'orders'),
  'DELETE /order-note/:id': remove('order', 'orders'),
  'GET /message/:id/notes': list('message', 'messages'),
  'POST /message/:id/notes': add('message', 'messages'),
  'DELETE /message-note/:id': remove('message', 'messages'),
} as const satisfies CallTable;
