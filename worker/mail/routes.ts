/** Retries a mail that could not be sent. The list of such mails is in `attention/`. */
import type { Hono } from 'hono';
import { mailCalls } from '#contract/mail.calls.ts';
import { depsOf, type AppEnv } from '../http/app.ts';
import { notFound } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { deliverSoon, sendAgain } from './outbox.ts';

export function mountMail(app: Hono<AppEnv>): void {
  mount(app, mailCalls, {
    'POST /unsent-mail/:id': async ({ c, id }) => {
      if (!(await sendAgain(c.var.db, id))) throw notFound('This email has gone out already.');
      deliverSoon(depsOf(c));
    },
  });
}
