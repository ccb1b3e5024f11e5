/** Sending again what could not be sent. The list of such mails is part of what needs attention (payments/). */
import { eq } from 'drizzle-orm';
import type { Hono } from 'hono';
import { mailCalls } from '#contract/calls/mail.ts';
import type { AppEnv } from '../http/app.ts';
import { notFound } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { deliverSoon } from './outbox.ts';
import { mails } from './schema.ts';

export function mountMail(app: Hono<AppEnv>): void {
  mount(app, mailCalls, {
    'POST /unsent-mail/:id': async ({ c, id }) => {
      const due = await c.var.db
        .update(mails)
        .set({ dueAt: Date.now(), tries: 0, failure: null })
        .where(eq(mails._id, id))
        .returning({ _id: mails._id });
      if (due.length === 0) throw notFound('This email has gone out already.');
      deliverSoon(c);
    },
  });
}
