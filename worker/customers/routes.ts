/** The calls on customers. */
import { eq } from 'drizzle-orm';
import type { Hono } from 'hono';
import { etag } from 'hono/etag';
import { customerCalls } from '#contract/calls/customers.ts';
import { newId } from '#contract/ids.ts';
import { actorId, ownerId } from '../accounts/owner.ts';
import { writeUnlessConflict } from '../db/client.ts';
import { answerPage } from '../http/answer-page.ts';
import type { AppEnv } from '../http/app.ts';
import { notFound } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { listCustomers, listNotes, readCustomer, search } from './read.ts';
import { customerNotes } from './schema.ts';
import { readWaiting } from './waiting.ts';

export function mountCustomers(app: Hono<AppEnv>): void {
  app.get('/waiting', etag());
  mount(app, customerCalls, {
    'GET /customers': async ({ c, query }) => answerPage(c, await listCustomers(c.var.db, query)),

    'GET /customer/:id': ({ c, id }) => readCustomer(c.var.db, id),

    'GET /customer/:id/notes': async ({ c, id, query }) =>
      answerPage(c, await listNotes(c.var.db, id, query)),

    'POST /customer/:id/notes': async ({ c, account, id, body: { text } }) => {
      const at = Date.now();
      const _id = newId(at);
      const note = { _id, customerId: ownerId(id), accountId: actorId(account.id), text, at };
      const insert = c.var.db.insert(customerNotes).values(note);
      if (!(await writeUnlessConflict(c.var.db, [insert], 'customer_notes.customerId')))
        throw notFound('There is no such customer.');
      return { _id, text, at: new Date(at).toISOString(), by: account.email };
    },

    'DELETE /customer-note/:id': async ({ c, id }) => {
      const deleted = await c.var.db
        .delete(customerNotes)
        .where(eq(customerNotes._id, id))
        .returning({ _id: customerNotes._id });
      if (deleted.length === 0) throw notFound('This note is not there any more.');
    },

    'GET /waiting': ({ c }) => readWaiting(c.var.db, c.env),

    'GET /search': ({ c, query: { q } }) => search(c.var.db, q),
  });
}
