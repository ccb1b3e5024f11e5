/** Routes for briefs, plans and steps. */
import type { Hono } from 'hono';
import { planCalls } from '#contract/plans.calls.ts';
import { depsOf, callerOf, type AppEnv } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { deliverSoon } from '../mail/outbox.ts';
import { changeBrief, readBrief } from './brief.ts';
import { answerStep, changeStep, moveStep } from './plan.ts';
import { readOrderWork, readOwnWork } from './progress.ts';

export function mountWork(app: Hono<AppEnv>): void {
  mount(app, planCalls, {
    'GET /order/:id/brief': ({ c, account, id }) => readBrief(c.var.db, id, account),

    'PUT /order/:id/brief': async ({ c, account, id, body }) => {
      const brief = await changeBrief(callerOf(c, account), id, body);
      deliverSoon(depsOf(c));
      return brief;
    },

    'GET /order/:id/work': ({ c, account, id }) => readOrderWork(c.var.db, c.env, id, account),

    'GET /own-work': ({ c, account }) => readOwnWork(c.var.db, c.env, account.id),

    'PUT /order-step/:id': async ({ c, account, id, body }) => {
      const step = await changeStep(callerOf(c, account), id, body);
      deliverSoon(depsOf(c));
      return step;
    },

    'PUT /order-step/:id/due-day': async ({ c, account, id, body: { dueDay } }) => {
      const step = await moveStep(callerOf(c, account), id, dueDay);
      deliverSoon(depsOf(c));
      return step;
    },

    'PUT /order-step/:id/answer': async ({ c, account, id, body }) => {
      const step = await answerStep(callerOf(c, account), id, body);
      deliverSoon(depsOf(c));
      return step;
    },
  });
}
