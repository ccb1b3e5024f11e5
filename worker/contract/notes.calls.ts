/** The calls for staff notes and assignees. Customers never see either. */
import * as z from 'zod';
import type { Ability } from './audience.ts';
import type { CallTable, Output } from './call.ts';
import type { AssignedKind, NoteKind } from './notes.ts';
import { id, moment, pageQuery, staffMember, text } from './schemas.ts';

const staffNote = z.strictObject({
  _id: id,
  text: z.string(),
  at: moment,
  /** Email of the author; empty once their account is deleted. */
  by: z.string(),
});
export type StaffNote = Output<typeof staffNote>;

const withArticle: Readonly<Record<AssignedKind, string>> = { order: 'an order', message: 'a message' };

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
    body: z.strictObject({ text: text('Please enter a note.', 5_000) }),
    answer: staffNote,
    status: 201,
    headers: ['Idempotency-Key'],
  }) as const;

const remove = <A extends Ability>(kind: NoteKind, who: A) =>
  ({ about: `Deletes a note about a ${kind}.`, who, audited: 'removal' }) as const;

const assigned = z.strictObject({
  /** The id of the assignee's account; empty if unassigned. */
  assigneeId: z.string(),
  /** The people who can be the assignee. */
  staff: z.array(staffMember),
});
export type Assigned = Output<typeof assigned>;

const readAssignee = <A extends Ability>(kind: AssignedKind, who: A) =>
  ({
    about: `Returns the assignee of ${withArticle[kind]}, and everyone who can be.`,
    who,
    answer: assigned,
  }) as const;

const assign = <A extends Ability>(kind: AssignedKind, who: A) =>
  ({
    about: `Assigns ${withArticle[kind]} to someone on the staff, or to nobody.`,
    who,
    body: z.strictObject({
      assigneeId: z.union([id, z.literal('')], { error: 'Choose someone from the list.' }),
    }),
  }) as const;

export const noteCalls = {
  'GET /order/:id/assignee': readAssignee('order', 'orders'),
  'PUT /order/:id/assignee': assign('order', 'orders'),
  'GET /message/:id/assignee': readAssignee('message', 'messages'),
  'PUT /message/:id/assignee': assign('message', 'messages'),
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
