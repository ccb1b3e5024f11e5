import type { Hono } from 'hono';
import { attentionCalls } from '#contract/attention.calls.ts';
import type { AppEnv } from '../http/app.ts';
import { notFound } from '../http/errors.ts';
import { answerList, mount } from '../http/mount.ts';
import { retryMail } from '../mail/outbox.ts';
import { markSeen, readAttention } from './attention.ts';
import { readSetupTasks } from './setup-tasks.ts';

export function mountAttention(app: Hono<AppEnv>): void {
  mount(app, attentionCalls, {
    'GET /needs-attention': async ({ c, account, query }) =>
      answerList(c, await readAttention(c.var.db, c.env, Date.now(), query, account)),

    'PUT /needs-attention/:id': ({ c, account, id }) => markSeen(c.var.db, id, account.id),

    'POST /unsent-mail/:id': async ({ c, id }) => {
      if (!(await retryMail(c.var.db, id))) throw notFound('This email was already sent.');
    },

    'GET /setup-tasks': ({ c }) => readSetupTasks(c.var.db, c.env),
  });
}
