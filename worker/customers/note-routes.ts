/** Routes for the staff's notes about customers, orders and messages, and for assignees. */
import { eq, exists, sql, type SQL } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import type { Account } from '#contract/accounts.ts';
import { noteCalls } from '#contract/notes.calls.ts';
import type { AssignedKind, NoteKind } from '#contract/notes.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { setAuditDetails } from '../audit/audited-calls.ts';
import type { Database } from '../db/client.ts';
import { answerPage } from '../http/answer-page.ts';
import type { AppEnv } from '../http/app.ts';
import { notFound } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { messageExists } from '../inbox/messages.ts';
import { assignRecord, readAssigned } from '../notes/assignments.ts';
import { addNote, deleteNote, listNotes } from '../notes/notes.ts';
import { customers, orders } from '../orders/schema.ts';

/** The condition that a record exists. */
const isThere: Readonly<Record<NoteKind, (db: Database, id: string) => SQL>> = {
  customer: (db, id) =>
    exists(db.select({ _id: customers._id }).from(customers).where(eq(customers._id, id))),
  order: (db, id) => exists(db.select({ _id: orders._id }).from(orders).where(eq(orders._id, id))),
  message: messageExists,
};

interface NoteRequest {
  readonly c: Context<AppEnv>;
  readonly id: string;
}

/** The handlers of the notes about records of a kind. */
const handlersFor = (kind: NoteKind) => ({
  list: async ({ c, id, query }: NoteRequest & { readonly query: PageQuery }) =>
    answerPage(c, await listNotes(c.var.db, kind, id, query)),

  add: async ({
    c,
    account,
    id,
    body: { text },
    idempotencyKey,
  }: NoteRequest & {
    readonly account: Account;
    readonly body: { readonly text: string };
    readonly idempotencyKey: string | undefined;
  }) => {
    const note = { kind, recordId: id, text, idempotencyKey };
    const added = await addNote(c.var.db, account, note, isThere[kind](c.var.db, id));
    if (!added) throw notFound(`We could not find this ${kind}.`);
    return added;
  },

  remove: async ({ c, id }: NoteRequest) => {
    await deleteNote(c.var.db, kind, id);
    setAuditDetails(c, { details: `Deleted a note about ${kind === 'order' ? 'an' : 'a'} ${kind}` });
  },
});

/** The handlers of the assignees of records of a kind. */
const assigneeHandlersFor = (kind: AssignedKind) => {
  async function checkExists(db: Database, id: string): Promise<void> {
    const [found] = await db.select({ isThere: sql<number>`${isThere[kind](db, id)}` }).from(sql`(SELECT 1)`);
    if (!found?.isThere) throw notFound(`We could not find this ${kind}.`);
  }
  return {
    read: async ({ c, id }: NoteRequest) => {
      await checkExists(c.var.db, id);
      return readAssigned(c.var.db, kind, id);
    },

    assign: async ({
      c,
      id,
      body: { assigneeId },
    }: NoteRequest & { readonly body: { readonly assigneeId: string } }) => {
      await checkExists(c.var.db, id);
      await assignRecord(c.var.db, kind, id, assigneeId);
    },
  };
};

const assigneesOfOrders = assigneeHandlersFor('order');
const assigneesOfMessages = assigneeHandlersFor('message');
const ofCustomers = handlersFor('customer');
const ofOrders = handlersFor('order');
const ofMessages = handlersFor('message');

export const mountNotes = (app: Hono<AppEnv>): void =>
  mount(app, noteCalls, {
    'GET /order/:id/assignee': assigneesOfOrders.read,
    'PUT /order/:id/assignee': assigneesOfOrders.assign,
    'GET /message/:id/assignee': assigneesOfMessages.read,
    'PUT /message/:id/assignee': assigneesOfMessages.assign,
    'GET /customer/:id/notes': ofCustomers.list,
    'POST /customer/:id/notes': ofCustomers.add,
    'DELETE /customer-note/:id': ofCustomers.remove,
    'GET /order/:id/notes': ofOrders.list,
    'POST /order/:id/notes': ofOrders.add,
    'DELETE /order-note/:id': ofOrders.remove,
    'GET /message/:id/notes': ofMessages.list,
    'POST /message/:id/notes': ofMessages.add,
    'DELETE /message-note/:id': ofMessages.remove,
  });
