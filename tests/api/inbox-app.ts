/** The calls of the inbox in this process, for settings that the shared system does not have. */
import { openDatabase } from '../../worker/db/client.ts';
import type { Env } from '../../worker/env.ts';
import { createApp } from '../../worker/http/app.ts';
import { answerError } from '../../worker/http/errors.ts';
import { mountInbox } from '../../worker/inbox/routes.ts';
import { openShop, type Shop } from './orders-shop.ts';

export interface Inbox {
  readonly shop: Shop;
  /** What was logged: the event and its facts. */
  readonly logged: readonly (readonly [event: string, facts: unknown])[];
  /** Posts JSON from a network address. */
  post(path: string, body: unknown, address: string): Promise<Response>;
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
  const app = createApp();
  app.use(async (c, next) => {
    c.set('requestId', 'test');
    c.set('log', (event, facts) => void logged.push([event, facts]));
    c.set('db', openDatabase(c.env));
    await next();
  });
  app.onError(answerError);
  mountInbox(app);
  return {
    shop,
    logged,
    async post(path, body, address) {
      const work: Promise<unknown>[] = [];
      const response = await app.request(
        path,
        {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'Content-Type': 'application/json', 'CF-Connecting-IP': address },
        },
        shop.env,
        {
          waitUntil: (promise) => void work.push(promise),
          passThroughOnException: () => undefined,
          props: {},
        },
      );
      await Promise.all(work);
      return response;
    },
  };
}
