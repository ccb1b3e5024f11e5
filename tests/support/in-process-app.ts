/** The Worker's app in this process, for tests that need their own settings or clock. */
import type { Account } from '#contract/accounts.ts';
import { openDatabase } from '#worker/db/client.ts';
import type { Env } from '#worker/env.ts';
import { createApp, depsOf } from '#worker/http/app.ts';
import { answerError } from '#worker/http/errors.ts';
import { findCall } from '#worker/http/guard.ts';
import type { Log } from '#worker/http/log.ts';
import { deliverQueued } from '#worker/mail/outbox.ts';
import { toRequest } from './in-process-fetch.ts';
import { Visitor } from './visitor.ts';

export type App = ReturnType<typeof createApp>;

/** A bucket for tests that store no files. Every call on it fails. */
export const noFiles = new Proxy({} as R2Bucket, {
  get(_, name) {
    throw new Error(`This test keeps no files, but FILES.${String(name)} was asked for.`);
  },
});

/** Cloudflare Images for tests that upload nothing. */
export const noImages = new Proxy({} as ImagesBinding, {
  get(_, name) {
    throw new Error(`This test resizes nothing, but IMAGES.${String(name)} was asked for.`);
  },
});

/** An app with the context that every request gets, and no routes. */
export function openApp(log: Log = () => undefined): App {
  const app = createApp();
  app.use(async (c, next) => {
    c.set('call', findCall(c.req.method, c.req.path));
    c.set('requestId', 'test');
    c.set('log', log);
    c.set('db', openDatabase(c.env));
    await next();
    deliverQueued(depsOf(c));
  });
  app.onError(answerError);
  return app;
}

/** An app whose caller is signed in as an account, or not at all. */
export function openAppAs(account: Account | undefined): App {
  const app = openApp();
  app.use(async (c, next) => {
    c.set('account', account);
    await next();
  });
  return app;
}

/**
 * Somebody who calls an app. Each answer waits for the work that continues after the response.
 * @param keep takes that work instead
 */
export function callerOf(app: App, env: Env, keep?: (work: Promise<unknown>) => void): Visitor {
  return new Visitor('http://site.test', async (address, init) => {
    const work: Promise<unknown>[] = [];
    const response = await app.fetch(toRequest(address, init), env, {
      waitUntil: keep ?? ((promise) => void work.push(promise)),
      passThroughOnException: () => undefined,
      props: {},
    });
    await Promise.all(work);
    return response;
  });
}
