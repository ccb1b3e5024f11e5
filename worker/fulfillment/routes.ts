import { sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { may } from '#contract/audience.ts';
import { conversationCalls } from '#contract/conversations.calls.ts';
import { displayBytes } from '#contract/conversations.ts';
import { planCalls } from '#contract/plans.calls.ts';
import { setAuditDetails } from '../audit/audited-calls.ts';
import { callerOf, type AppEnv } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { numberQuery, wholeOrder } from '../orders/read.ts';
import { changeBrief, readBrief } from './brief.ts';
import { setOrderStatus } from './deliver.ts';
import { deleteUnsentFile, receiveFile, serveFile } from './files.ts';
import { markRead, writeMessage } from './messages.ts';
import { answerStep } from './answer-step.ts';
import { changeStep } from './change-step.ts';
import { moveStep } from './move-step.ts';
import { readOrderWork, readOwnWork } from './progress.ts';
import { listUnread, readConversation } from './read-conversation.ts';

export function mountFulfillment(app: Hono<AppEnv>): void {
  mount(app, planCalls, {
    'GET /order/:id/brief': ({ c, account, id }) => readBrief(c.var.db, id, account),

    'PUT /order/:id/brief': ({ c, account, id, body }) => changeBrief(callerOf(c, account), id, body),

    'GET /order/:id/work': ({ c, account, id }) => readOrderWork(c.var.db, c.env, id, account),

    'GET /own-work': ({ c, account }) => readOwnWork(c.var.db, c.env, account.id),

    'PUT /order-step/:id': ({ c, account, id, body }) => changeStep(callerOf(c, account), id, body),

    'PUT /order-step/:id/due-day': ({ c, account, id, body: { dueDay } }) =>
      moveStep(callerOf(c, account), id, dueDay),

    'PUT /order-step/:id/answer': ({ c, account, id, body }) => answerStep(callerOf(c, account), id, body),
  });

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

    'PUT /order-status/:id': async ({ c, account, id, body }) =>
      wholeOrder(await setOrderStatus(callerOf(c, account), id, body)),
  });
}
