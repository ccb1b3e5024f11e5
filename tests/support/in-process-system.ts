/**
 * A complete copy of the product in this process: the Worker's own `fetch` and `scheduled` handlers, the real database
 * server, Stripe's stand-in and the local mailbox, without workerd and without a port. Tests reach it by `fetch`, like
 * a copy that listens.
 */
import { createClient } from '@libsql/client';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLibsqlServer } from '#dev/libsql/server.ts';
import { putPictures } from '#dev/seed/pictures.ts';
import { localSeed, type SeedKind } from '#dev/seed/seed.ts';
import { startStripeEmulator, type StripeEmulator } from '#dev/stripe/server.ts';
import { verifiedDomain } from '#dev/mailbox/rules.ts';
import type { Mail } from '#dev/mailbox/worker.ts';
import { prepareDatabase } from '#deploy/prepare-database.ts';
import { openDatabase, type Database } from '#worker/db/client.ts';
import { cronTriggers } from '#worker/operations/jobs.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';
import { openBucket, openImages } from './bucket.ts';
import { HTMLRewriter } from './html-rewriter.ts';
import { openAssets } from './in-process-assets.ts';
import { answerOrigin } from './in-process-fetch.ts';
import { administrator, noteDatabase, sharedBuild, testSettings } from './system.ts';
import { openIsolate } from './worker-bundle.ts';

/** What the Workers of this process logged, one JSON object per entry. */
export const workerLogs: string[] = [];

// workerd has HTMLRewriter built in.
Object.assign(globalThis, { HTMLRewriter, workerLog: (line: string) => void workerLogs.push(line) });

/** The secrets of every copy in a process, by the names of the Worker's settings. */
export const secretsOfCopies = {
  TURSO_AUTH_TOKEN: 'database-token-of-the-tests',
  STRIPE_SECRET_KEY: 'sk_test_ofTheTests0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_ofTheTests0123456789',
  SETUP_TOKEN: 'setup-token-of-the-tests',
  SEALING_KEYS: 'a-sealing-key-of-the-tests-0123456789',
  TOKEN_SIGNING_KEY: 'a-signing-key-of-the-tests-0123456789',
} as const;

const publishableKey = 'pk_test_ofTheTests0123456789';

interface InProcessOptions {
  readonly seed?: SeedKind;
  readonly vars?: Readonly<Record<string, string>>;
  /** Runs before each round trip to the database. It may count it, delay it, or throw to fail it. */
  readonly beforePipeline?: (body: string) => void | Promise<void>;
  /** Called for each call of the bucket, with its method. */
  readonly onBucketCall?: (method: string) => void;
}

/** One isolate of the Worker. */
interface InProcessWorker {
  readonly url: string;
  /** Calls the scheduled handler like a cron trigger in production; by default, the every-minute trigger. */
  readonly tick: (cron?: string) => Promise<void>;
  /** Waits for the work that continues after responses. */
  readonly settle: () => Promise<void>;
  /** Asks the entrypoint behind Cloudflare's cache for a page. */
  readonly askPages: (path: string) => Promise<Response>;
  readonly stop: () => void;
}

export interface InProcessSystem {
  readonly url: string;
  readonly setupToken: string;
  readonly publishableKey: string;
  readonly database: {
    readonly url: string;
    readonly authToken: string;
    stop(): Promise<void>;
    start(): Promise<void>;
  };
  /** The database, for data that no call reads or writes. */
  readonly db: Database;
  readonly stripe: StripeEmulator;
  readonly worker: InProcessWorker;
  /** Starts another isolate over the same database. */
  startWorker(differences?: { readonly vars?: Readonly<Record<string, string>> }): Promise<InProcessWorker>;
  stop(): Promise<void>;
}

/** The emails of a copy, in place of the mailbox's Durable Object. */
function openMails() {
  const mails: Mail[] = [];
  const stub = {
    keep: (mail: Mail) => void mails.unshift(mail),
    countSince: (moment: string) => mails.filter(({ sentAt }) => sentAt >= moment).length,
    list: () => mails,
  };
  return { idFromName: () => '', get: () => stub };
}

let copies = 0;

const untilDone = async (work: Set<Promise<unknown>>) => {
  while (work.size > 0) await Promise.allSettled(work);
};

/** Starts an isolate that answers at its own URL. */
async function startIsolate(url: string, bindings: object, vars: object): Promise<InProcessWorker> {
  const { worker, Media, Pages, mailbox, Mailer } = await openIsolate();
  const running = new Set<Promise<unknown>>();
  const context = {
    waitUntil(work: Promise<unknown>) {
      running.add(work);
      void work.then(
        () => running.delete(work),
        () => running.delete(work),
      );
    },
    passThroughOnException: () => undefined,
    props: {},
    exports: {
      Media: { fetch: (request: Request) => new Media(context as never, env as never).fetch(request) },
      Pages: { fetch: (request: Request) => new Pages(context as never, env as never).fetch(request) },
    },
  };
  const mails = { MAILS: (bindings as { MAILS: unknown }).MAILS };
  const mailer = new Mailer(context as never, mails as never);
  const env = {
    ...bindings,
    EMAIL: { send: (mail: never) => mailer.send(mail) },
    MAILBOX: { fetch: (request: Request) => mailbox.fetch(request as never, mails as never) },
    FLOOD_LIMIT: { limit: () => Promise.resolve({ success: true }) },
    ENVIRONMENT: 'local',
    ...vars,
  };
  const { ASSETS } = bindings as { ASSETS: ReturnType<typeof openAssets> };
  const end = answerOrigin(url, async (request) => {
    // Hashed files that exist are served without the Worker (`run_worker_first` in wrangler.toml).
    const file = new URL(request.url).pathname.startsWith('/_astro/') && (await ASSETS.fetch(request));
    return file && file.ok ? file : worker.fetch(request as never, env as never, context as never);
  });
  return {
    url,
    tick: async (cron = cronTriggers.everyMinute) => {
      await worker.scheduled({ cron } as never, env as never);
      await untilDone(running);
    },
    settle: () => untilDone(running),
    askPages: (path) => context.exports.Pages.fetch(new Request(new URL(path, url))),
    stop: end,
  };
}

/** The seeded database that copies start with. `build-site.ts` creates it. */
export const templateDatabase = join(sharedBuild, 'seeded.sqlite');

/** Puts the database of a copy into its folder. */
async function seededDatabase(folder: string, seed: SeedKind): Promise<string> {
  const file = join(folder, 'database.sqlite');
  if (seed === 'demo') await copyTemplate(file);
  else await makeSeededDatabase(file, seed);
  return file;
}

/**
 * Copies the template. The copy counts as just deployed, however old the template is: its cron trigger has yet to run.
 */
async function copyTemplate(file: string): Promise<void> {
  await copyFile(templateDatabase, file);
  const client = createClient({ url: `file:${file}` });
  const now = Date.now();
  await client.execute({
    sql: `UPDATE job_runs SET "ranAt" = ?, "succeededAt" = ? WHERE name = 'deployment'`,
    args: [now, now],
  });
  client.close();
}

/** Creates a database with the initial data of a copy. */
export async function makeSeededDatabase(file: string, seed: SeedKind): Promise<void> {
  const content = await localSeed({
    kind: seed,
    adminEmail: administrator.email,
    adminPassword: administrator.password,
    publishableKey,
  });
  await prepareDatabase(`file:${file}`, undefined, content);
}

/** Starts a copy. `stop` also deletes its data. */
export async function openSystem({
  seed = 'demo',
  vars = {},
  beforePipeline,
  onBucketCall,
}: InProcessOptions = {}): Promise<InProcessSystem> {
  copies += 1;
  const url = `http://copy-${String(copies)}.localhost`;
  const folder = await mkdtemp(join(tmpdir(), 'storefront-'));
  const file = await seededDatabase(folder, seed);
  const serverOptions = { file, authToken: secretsOfCopies.TURSO_AUTH_TOKEN, beforePipeline };
  let server = await startLibsqlServer(serverOptions);
  const { url: databaseUrl, port } = server;
  const stripe = await startStripeEmulator({
    secretKey: secretsOfCopies.STRIPE_SECRET_KEY,
    publishableKey,
    webhookSecret: secretsOfCopies.STRIPE_WEBHOOK_SECRET,
    enabledEvents: webhookEvents,
    webhookUrl: `${url}/api/stripe/webhook`,
  });
  const bindings = {
    FILES: await openBucket(onBucketCall),
    IMAGES: await openImages(),
    ASSETS: openAssets(join(sharedBuild, 'dist')),
    MAILS: openMails(),
  };
  const ownVars = {
    SITE_URL: url,
    TURSO_DATABASE_URL: databaseUrl,
    ...secretsOfCopies,
    STRIPE_API_URL: stripe.url,
    STRIPE_SCRIPT_URL: stripe.scriptUrl,
    MAIL_FROM: `hello@${verifiedDomain}`,
    NOTIFY_EMAIL: administrator.email,
    REPLY_ADDRESS: `reply@${verifiedDomain}`,
    ...testSettings,
    ...vars,
  };
  const workers: InProcessWorker[] = [];
  const startWorker: InProcessSystem['startWorker'] = async (differences = {}) => {
    const address = workers.length === 0 ? url : url.replace('://', `://isolate-${String(workers.length)}.`);
    const started = await startIsolate(address, bindings, { ...ownVars, ...differences.vars });
    workers.push(started);
    noteDatabase(address, { url: databaseUrl, authToken: secretsOfCopies.TURSO_AUTH_TOKEN });
    return started;
  };
  const worker = await startWorker();
  if (seed === 'demo') await putPictures(url);
  return {
    url,
    setupToken: secretsOfCopies.SETUP_TOKEN,
    publishableKey,
    database: {
      url: databaseUrl,
      authToken: secretsOfCopies.TURSO_AUTH_TOKEN,
      stop: () => server.close(),
      start: async () => {
        server = await startLibsqlServer({ ...serverOptions, port });
      },
    },
    db: openDatabase(ownVars),
    stripe,
    worker,
    startWorker,
    async stop() {
      for (const started of workers) started.stop();
      await stripe.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

declare global {
  var sharedSystem: Promise<InProcessSystem> | undefined;
}

/** The copy that the test files of a process share. Each test owns its data in it. */
export const openSharedSystem = (): Promise<InProcessSystem> => (globalThis.sharedSystem ??= openSystem());
