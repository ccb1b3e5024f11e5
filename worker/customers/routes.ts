import type { Hono } from 'hono';
import { etag } from 'hono/etag';
import { customerCalls } from '#contract/customers.calls.ts';
import type { AppEnv } from '../http/app.ts';
import { answerList, mount } from '../http/mount.ts';
import { readDue } from './due.ts';
import { listCustomers, readCustomer } from './read.ts';
import { readInboxCounts } from './inbox-counts.ts';
import { search } from './search.ts';

export function mountCustomers(app: Hono<AppEnv>): void {
  app.get('/waiting', etag());
  mount(app, customerCalls, {
    'GET /customers': async ({ c, query }) => answerList(c, await listCustomers(c.var.db, query)),

    'GET /customer/:id': ({ c, id }) => readCustomer(c.var.db, id),

    'GET /waiting': ({ c, account }) => readInboxCounts(c.var.db, c.env, account),

    'GET /due': ({ c, account }) => readDue(c.var.db, c.env, Date.now(), account),

    'GET /search': ({ c, account, query: { q } }) => search(c.var.db, account, q),
  });
}
