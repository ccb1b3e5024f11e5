/** The calls of the inbox in this process, for settings that the shared system does not have. */
import type { Env } from '#worker/env.ts';
import { mountInbox } from '#worker/inbox/routes.ts';
import { HTMLRewriter } from '../support/html-rewriter.ts';
import { ask, openApp } from '../support/in-process-app.ts';
import { openShop, type Shop } from './orders-shop.ts';

// Refused plain forms come back with their messages, which the Worker inserts with HTMLRewriter.
Object.assign(globalThis, { HTMLRewriter });

export interface Inbox {
  readonly shop: Shop;
  /** What was logged: the event and its details. */
  readonly logged: readonly (readonly [event: string, facts: unknown])[];
  /** Posts JSON from a network address. */
  readonly post: (path: string, body: unknown, address: string) => Promise<Response>;
  /** Posts a plain form from a network address. */
  readonly postForm: (
    path: string,
    fields: Readonly<Record<string, string>>,
    address: string,
  ) => Promise<Response>;
}

export const message = {
  name: 'Ann',
  email: 'ann@people.example',
  number: '1',
  subject: 'Hi',
  message: 'Hello',
};

export async function openInbox(settings: Partial<Env>): Promise<Inbox> {
  const shop = await openShop(settings);
  const logged: [string, unknown][] = [];
  const app = openApp((event, facts) => void logged.push([event, facts]));
  mountInbox(app, (_c, _path, status) => Promise.resolve(new Response('', { status: status ?? 200 })));
  const send = (path: string, body: string, type: string, address: string) =>
    ask(
      app,
      path,
      { method: 'POST', body, headers: { 'Content-Type': type, 'CF-Connecting-IP': address } },
      shop.env,
    );
  return {
    shop,
    logged,
    post: (path, body, address) => send(path, JSON.stringify(body), 'application/json', address),
    postForm: (path, fields, address) =>
      send(path, new URLSearchParams(fields).toString(), 'application/x-www-form-urlencoded', address),
  };
}
