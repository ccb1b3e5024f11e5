/** The calls of the inbox in this process, for settings that the shared system does not have. */
import type { Env } from '#worker/env.ts';
import { mountInbox } from '#worker/inbox/routes.ts';
import { HTMLRewriter } from '../support/html-rewriter.ts';
import { openApp, callerOf } from '../support/in-process-app.ts';
import { openShop } from './orders-shop.ts';

// Refused plain forms come back with their messages, which the Worker inserts with HTMLRewriter.
Object.assign(globalThis, { HTMLRewriter });

export type Inbox = Awaited<ReturnType<typeof openInbox>>;

export const message = {
  name: 'Ann',
  email: 'ann@people.example',
  number: '1',
  subject: 'Hi',
  message: 'Hello',
};

export async function openInbox(settings: Partial<Env>) {
  const shop = await openShop(settings);
  const logged: [string, unknown][] = [];
  const app = openApp((event, facts) => void logged.push([event, facts]));
  mountInbox(app, (_c, _path, status) => Promise.resolve(new Response('', { status: status ?? 200 })));
  const visitor = callerOf(app, shop.env);
  return {
    shop,
    /** The logged events and their details. */
    logged,
    /** Posts JSON from a network address. */
    post: (path: string, body: unknown, address: string) =>
      visitor.post(path, body, { headers: { 'CF-Connecting-IP': address } }),
    /** Posts a plain form from a network address. */
    postForm: (path: string, fields: Readonly<Record<string, string>>, address: string) =>
      visitor.postForm(path, fields, { 'CF-Connecting-IP': address }),
  };
}
