/** Routes for staff notes about customers, orders and messages, and for assignees. */
import { eq, sql, type SQL } from 'drizzle-orm';
import type { Hono } from 'hono';
import { noteCalls } from '#contract/notes.calls.ts';
import type { AssignedKind, NoteKind } from '#contract/notes.ts';
import { setAuditDetails } from '../audit/audited-calls.ts';
import type { Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { AppEnv } from '../http/app.ts';
import { notFound } from '../http/errors.ts';
import { answerList, mount, type CallRequest } from '../http/mount.ts';
import { messageExists } from '../inbox/messages.ts';
import { assignRecord, readAssigned } from '../notes/assignments.ts';
import { addNote, deleteNote, listNotes } from '../notes/notes.ts';
import { customers, orders } from '../orders/schema.ts';

/** The request of a call about notes. The calls of customers, orders and messages differ only in their paths. */
type RequestOf<Name extends keyof typeof noteCalls> = CallRequest<(typeof noteCalls)[Name], Name>;

const isThere: Readonly<Record<NoteKind, (id: string) => SQL>> = {
  customer: (id) => hasRow(customers, eq(customers._id, id)),
  order: (id) => hasRow(orders, eq(orders._id, id)),
  message: messageExists,
};

const noSuch = (kind: NoteKind) => notFound(`We could not find this ${kind}.`);

const listFor =
  (kind: NoteKind) =>
  async ({ c, id, query }: RequestOf<'GET /order/:id/notes'>) =>
    answerList(c, await listNotes(c.var.db, kind, id, query));

const addFor =
  (kind: NoteKind) =>
  async ({ c, account, id, body: { text }, idempotencyKey }: RequestOf<'POST /order/:id/notes'>) => {
    const note = { kind, recordId: id, text, idempotencyKey };
    const added = await addNote(c.var.db, account, note, isThere[kind](id));
    if (!added) throw noSuch(kind);
    return added;
  };

const removeFor =
  (kind: NoteKind) =>
  async ({ c, id }: RequestOf<'DELETE /order-note/:id'>) => {
    await deleteNote(c.var.db, kind, id);
    setAuditDetails(c, { details: `Deleted a note about ${kind === 'order' ? 'an' : 'a'} ${kind}` });
  };

async function checkExists(db: Database, kind: AssignedKind, id: string): Promise<void> {
  const [found] = await db.select({ isThere: sql<number>`${isThere[kind](id)}` }).from(sql`(SELECT 1)`);
  if (!found?.isThere) throw noSuch(kind);
}

const readAssigneeFor =
  (kind: AssignedKind) =>
  async ({ c, id }: RequestOf<'GET /order/:id/assignee'>) => {
    await checkExists(c.var.db, kind, id);
    return readAssigned(c.var.db, kind, id);
  };

const assignFor =
  (kind: AssignedKind) =>
  async ({ c, id, body: { assigneeId } }: RequestOf<'PUT /order/:id/assignee'>) => {
    await checkExists(c.var.db, kind, id);
    await assignRecord(c.var.db, kind, id, assigneeId);
  };

export const mountNotes = (app: Hono<AppEnv>): void =>
  mount(app, noteCalls, {
    'GET /order/:id/assignee': readAssigneeFor('order'),
    'PUT /order/:id/assignee': assignFor('order'),
    'GET /message/:id/assignee': readAssigneeFor('message'),
    'PUT /message/:id/assignee': assignFor('message'),
    'GET /customer/:id/notes': listFor('customer'),
    'POST /customer/:id/notes': addFor('customer'),
    'DELETE /customer-note/:id': removeFor('customer'),
    'GET /order/:id/notes': listFor('order'),
    'POST /order/:id/notes': addFor('order'),
    'DELETE /order-note/:id': removeFor('order'),
    'GET /message/:id/notes': listFor('message'),
    'POST /message/:id/notes': addFor('message'),
    'DELETE /message-note/:id': removeFor('message'),
  });
