/** Routes for conversations, files and delivery. */
import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { setAuditDetails } from '../audit/audited-calls.ts';
import { may } from '#contract/audience.ts';
import { conversationCalls } from '#contract/conversations.calls.ts';
import { displayBytes } from '#contract/conversations.ts';
import { depsOf, callerOf, type AppEnv } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { numberQuery, wholeOrder } from '../orders/read.ts';
import { setOrderStatus } from './deliver.ts';
import { serveFile, receiveFile, deleteUnsentFile } from './files.ts';
import { markRead, writeMessage } from './messages.ts';
import { listUnread, readConversation } from './read-conversation.ts';

export function mountConversations(app: Hono<AppEnv>): void {
  mount(app, conversationCalls, {
    'GET /order/:id/messages': ({ c, account, id, query }) =>
      readConversation(callerOf(c, account), id, query.before),

    'POST /order/:id/messages': ({ c, account, id, body, idempotencyKey }) =>
      writeMessage(callerOf(c, account), id, body, idempotencyKey),

    'PUT /order/:id/messages': ({ c, account, id, body: { readTo } }) =>
      markRead(c.var.db, account, id, readTo),

    'GET /unread-messages': ({ c, account, query }) =>
      listUnread(
        c.var.db,
        account.id,
        may(account, 'orders') && query.own === undefined ? 'staff' : 'customer',
      ),

    'POST /order/:id/files': ({ c, account, id, query: { name }, idempotencyKey }) =>
      receiveFile(callerOf(c, account), id, { name, idempotencyKey }, c.req.raw),

    'GET /order-file/:id': ({ c, account, id }) => serveFile(callerOf(c, account), id),

    'DELETE /order-file/:id': async ({ c, account, id }) => {
      const { orderId, bytes } = await deleteUnsentFile(callerOf(c, account), id);
      const what = `Deleted an unsent file of ${displayBytes(bytes)} from order #`;
      setAuditDetails(c, { details: sql`${what} || ${numberQuery(c.var.db, orderId)}` });
    },

    'PUT /order-status/:id': async ({ c, account, id, body }) => {
      const order = await setOrderStatus(callerOf(c, account), id, body);
      deliverSoon(depsOf(c));
      return wholeOrder(order);
    },
  });
}
