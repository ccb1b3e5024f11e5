/** Routes for customers. */
import type { Hono } from 'hono';
import { etag } from 'hono/etag';
import { customerCalls } from '#contract/customers.calls.ts';
import { tellAudit } from '../audit/audited-calls.ts';
import { answerPage } from '../http/answer-page.ts';
import type { AppEnv } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { addNote, deleteNote, listNotes } from './notes.ts';
import { listCustomers, readCustomer, search } from './read.ts';
import { readInboxCounts } from './inbox-counts.ts';

export function mountCustomers(app: Hono<AppEnv>): void {
  app.get('/waiting', etag());
  mount(app, customerCalls, {
    'GET /customers': async ({ c, query }) => answerPage(c, await listCustomers(c.var.db, query)),

    'GET /customer/:id': ({ c, id }) => readCustomer(c.var.db, id),

    'GET /customer/:id/notes': async ({ c, id, query }) =>
      answerPage(c, await listNotes(c.var.db, id, query)),

    'POST /customer/:id/notes': ({ c, account, id, body, idempotencyKey }) =>
      addNote(c.var.db, account, id, body.text, idempotencyKey),

    'DELETE /customer-note/:id': async ({ c, id }) => {
      await deleteNote(c.var.db, id);
      tellAudit(c, { details: 'Deleted a note about a customer' });
    },

    'GET /waiting': ({ c, account }) => readInboxCounts(c.var.db, c.env, account),

    'GET /search': ({ c, query: { q } }) => search(c.var.db, q),
  });
}
