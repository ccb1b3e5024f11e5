/**
 * The account calls in this process, over a database server of their own: for rules of time, which need a clock that a
 * test can move.
 */
import { migrate } from 'drizzle-orm/libsql/migrator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLibsqlServer } from '../../dev/libsql/server.ts';
import { inboxOfPerson } from '../../worker/inbox/personal-data.ts';
import { ordersOfPerson } from '../../worker/orders/personal-data.ts';
import { mountAccounts } from '../../worker/accounts/routes.ts';
import { loadAccount } from '../../worker/accounts/session.ts';
import { type Database, openDatabase } from '../../worker/db/client.ts';
import type { Env } from '../../worker/env.ts';
import { createApp } from '../../worker/http/app.ts';
import { guard } from '../../worker/http/guard.ts';
import { type App, noFiles, openApp } from '../support/in-process-app.ts';

export const origin = 'http://site.test';

export type SentMail = Parameters<Env['EMAIL']['send']>[0];

export interface AccountsApp {
  readonly db: Database;
  readonly url: string;
  readonly env: Env;
  /** What was mailed, oldest first. */
  readonly mails: readonly SentMail[];
  /** A browser with a cookie jar of its own. */
  openBrowser(): Browser;
  /** Waits for the work that the answers left running. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface SendOptions {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Browser {
  readonly cookies: Map<string, string>;
  send(method: string, path: string, options?: SendOptions): Promise<Response>;
}

/**
 * @param settings of the Worker, over the defaults
 * @param mountMore mounts further calls beside those of the accounts
 */
export async function openAccountsApp(
  settings: Partial<Env> = {},
  mountMore: (api: App) => void = () => undefined,
): Promise<AccountsApp> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-'));
  const server = await startLibsqlServer({ file: join(folder, 'test.db') });
  const mails: SentMail[] = [];
  const env: Env = {
    ASSETS: { fetch: () => Promise.resolve(new Response('')) },
    EMAIL: {
      send(mail) {
        mails.push(mail);
        return Promise.resolve();
      },
    },
    FLOOD_LIMIT: { limit: () => Promise.resolve({ success: true }) },
    FILES: noFiles,
    ENVIRONMENT: 'local',
    SITE_URL: origin,
    TURSO_DATABASE_URL: server.url,
    STRIPE_SECRET_KEY: 'sk_test_none',
    STRIPE_WEBHOOK_SECRET: 'whsec_none',
    SEALING_KEYS: 'a-sealing-key-of-the-tests-0123456789',
    MAIL_FROM: 'site@site.test',
    NOTIFY_EMAIL: 'firm@site.test',
    ...settings,
  };
  const db = openDatabase(env);
  await migrate(db, { migrationsFolder: join(import.meta.dirname, '../../migrations') });
  const running = new Set<Promise<unknown>>();
  const app = openAccountCalls(mountMore);

  const openBrowser = (): Browser => {
    const cookies = new Map<string, string>();
    return {
      cookies,
      async send(method, path, { json, form, headers = {} } = {}) {
        const request = new Request(`${origin}${path}`, {
          method,
          headers: {
            Origin: origin,
            'Sec-Fetch-Site': 'same-origin',
            ...(json !== undefined && { 'Content-Type': 'application/json' }),
            ...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
            ...(cookies.size > 0 && {
              Cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
            }),
            ...headers,
          },
          ...(json !== undefined && { body: JSON.stringify(json) }),
          ...(form && { body: new URLSearchParams(form).toString() }),
        });
        const response = await app.fetch(request, env, {
          waitUntil: (work: Promise<unknown>) => {
            running.add(work);
            void work.finally(() => running.delete(work));
          },
          passThroughOnException: () => undefined,
          props: {},
        });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (/Max-Age=0/i.test(line)) cookies.delete(name);
          else cookies.set(name, value);
        }
        return response;
      },
    };
  };

  return {
    db,
    url: server.url,
    env,
    mails,
    openBrowser,
    async settle() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

function openAccountCalls(mountMore: (api: App) => void): App {
  const app = openApp();
  app.use(loadAccount);
  const api = createApp();
  api.use(guard);
  mountAccounts(api, [ordersOfPerson, inboxOfPerson]);
  mountMore(api);
  app.route('/api', api);
  return app;
}
