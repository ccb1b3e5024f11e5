/**
 * One complete local copy: database, Stripe, mailbox, site and Worker, on its own ports, with all its state in one
 * folder. `npm start` runs one copy. Every test suite starts its own.
 */
import { join, resolve } from 'node:path';
import { startLibsqlServer, type LibsqlServerOptions } from '../libsql/server.ts';
import { prepareDatabase } from '#deploy/prepare-database.ts';
import { verifiedDomain } from '../mailbox/rules.ts';
import { putPictures } from '../seed/pictures.ts';
import { localSeed, type SeedKind } from '../seed/seed.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';
import { startStripeEmulator } from '../stripe/server.ts';
import { buildIfChanged } from './build-cache.ts';
import { lockDataDir, openDataDir, type LocalSecrets } from './settings.ts';
import { checkPort, startWorker, type WorkerOptions } from './worker-process.ts';

export interface SystemOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly seed: SeedKind;
  readonly adminEmail: string;
  readonly adminPassword: string;
  readonly setupToken?: string | undefined;
  /** Where the built site goes; by default, the data folder. Copies that share a build share the URL in it. */
  readonly buildDir?: string | undefined;
  /** The URL in the built pages; by default, the copy's own. */
  readonly builtFor?: string | undefined;
  /** Settings of real services, which replace the stand-ins one by one. */
  readonly real?: Readonly<Record<string, string>>;
  /** Additional settings of the Worker, which override those of the copy. */
  readonly vars?: Readonly<Record<string, string>>;
  /** Called for each round trip to the database, before the round trip is executed. */
  readonly beforePipeline?: LibsqlServerOptions['beforePipeline'];
  /** Whether browsers have Stripe's test wallet. See `StripeEmulatorOptions`. */
  readonly offersWallet?: boolean;
  readonly say?: (step: string) => void;
}

type Stoppable = { close(): Promise<void> };

async function startDatabase(
  dataDir: string,
  secrets: LocalSecrets,
  beforePipeline: SystemOptions['beforePipeline'],
) {
  const options = {
    file: join(dataDir, 'database.sqlite'),
    authToken: secrets.databaseToken,
    beforePipeline,
  };
  let server = await startLibsqlServer(options);
  const { url, port } = server;
  return {
    url,
    authToken: secrets.databaseToken,
    stop: () => server.close(),
    start: async () => {
      server = await startLibsqlServer({ ...options, port });
    },
  };
}

const startStripe = (
  { port, offersWallet = false }: Pick<SystemOptions, 'port' | 'offersWallet'>,
  dataDir: string,
  secrets: LocalSecrets,
) =>
  startStripeEmulator({
    dataFile: join(dataDir, 'stripe.sqlite'),
    secretKey: secrets.stripeSecretKey,
    publishableKey: secrets.stripePublishableKey,
    webhookSecret: secrets.stripeWebhookSecret,
    offersWallet,
    enabledEvents: webhookEvents,
    webhookUrl: `http://127.0.0.1:${String(port)}/api/stripe/webhook`,
  });

/** The settings that a copy creates for itself. */
const ownVars = (secrets: LocalSecrets, adminEmail: string) => ({
  STRIPE_SECRET_KEY: secrets.stripeSecretKey,
  STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
  SEALING_KEYS: secrets.sealingKey,
  TOKEN_SIGNING_KEY: secrets.tokenSigningKey,
  MAIL_FROM: `hello@${verifiedDomain}`,
  NOTIFY_EMAIL: adminEmail,
  REPLY_ADDRESS: `reply@${verifiedDomain}`,
  SITE_TIMEZONE: 'America/Chicago',
  SITE_COUNTRY: 'US',
});

interface BuildPlace {
  readonly databaseUrl: string;
  readonly databaseToken: string | undefined;
  readonly buildDir: string;
  readonly siteUrl: string;
}

/**
 * Migrates and seeds the database, and builds the site.
 * @returns whether the database was empty
 */
async function prepareCopy(
  { seed, adminEmail, adminPassword, builtFor, say = () => undefined }: SystemOptions,
  { stripePublishableKey: publishableKey }: LocalSecrets,
  { databaseUrl, databaseToken, buildDir, siteUrl }: BuildPlace,
): Promise<boolean> {
  say('Migrating and seeding the database…');
  const localContent = await localSeed({ kind: seed, adminEmail, adminPassword, publishableKey });
  const seeded = await prepareDatabase(databaseUrl, databaseToken, localContent);

  say('Building the site…');
  const built = await buildIfChanged({ buildDir, siteUrl: builtFor ?? siteUrl, databaseUrl, databaseToken });
  if (!built) say('The site is already built.');
  return seeded;
}

/**
 * Starts another Worker over the same database and Stripe, and adds it to what the copy runs: another release, or this
 * release after a crash.
 */
const workerStarter =
  (options: WorkerOptions, running: Stoppable[]) =>
  async ({ vars, ...differences }: Partial<WorkerOptions> = {}) => {
    const worker = await startWorker({ ...options, ...differences, vars: { ...options.vars, ...vars } });
    running.push({ close: worker.stop });
    return worker;
  };

/**
 * Starts a copy. It answers requests once this resolves.
 * @throws StartError for a taken port or folder, a folder that cannot be written, or a Worker that does not start
 */
export async function startSystem(options: SystemOptions) {
  const say = options.say ?? (() => undefined);
  const dataDir = resolve(options.dataDir);
  const buildDir = options.buildDir ?? join(dataDir, 'build');
  const secrets = await openDataDir(dataDir);
  await checkPort(options.port);
  const siteUrl = `http://localhost:${String(options.port)}`;
  const real = options.real ?? {};
  const lock = lockDataDir(dataDir);
  const running: Stoppable[] = [{ close: () => Promise.resolve(void lock.close()) }];
  const stopAll = async () => {
    for (const part of running.splice(0).reverse()) await part.close();
  };

  try {
    say('Starting the database…');
    const local = await startDatabase(dataDir, secrets, options.beforePipeline);
    running.push({ close: () => local.stop() });
    const databaseUrl = real['TURSO_DATABASE_URL'] ?? local.url;
    const databaseToken = real['TURSO_DATABASE_URL'] ? real['TURSO_AUTH_TOKEN'] : local.authToken;

    const stripe = real['STRIPE_SECRET_KEY'] ? undefined : await startStripe(options, dataDir, secrets);
    if (stripe) running.push(stripe);

    const seeded = await prepareCopy(options, secrets, { databaseUrl, databaseToken, buildDir, siteUrl });

    say('Starting the Worker…');
    const setupToken = options.setupToken ?? secrets.setupToken;
    const workerOptions: WorkerOptions = {
      port: options.port,
      dataDir,
      buildDir,
      vars: {
        ...ownVars(secrets, options.adminEmail),
        SITE_URL: siteUrl,
        TURSO_DATABASE_URL: databaseUrl,
        TURSO_AUTH_TOKEN: databaseToken ?? '',
        ...(stripe && { STRIPE_API_URL: stripe.url, STRIPE_SCRIPT_URL: stripe.scriptUrl }),
        SETUP_TOKEN: setupToken,
        ...real,
        ...options.vars,
      },
    };
    const startOne = workerStarter(workerOptions, running);
    // Another program may have taken the port during the build.
    await checkPort(options.port);
    const worker = await startOne();
    if (options.seed === 'demo') await putPictures(worker.url);
    return {
      url: worker.url,
      setupToken,
      /** The payment key that the stand-in accepts. */
      publishableKey: secrets.stripePublishableKey,
      /** The database that the Worker uses. `stop` and `start` only affect the local one. */
      database: { ...local, url: databaseUrl, authToken: databaseToken ?? '' },
      stripe,
      worker,
      startWorker: startOne,
      seeded,
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

export type System = Awaited<ReturnType<typeof startSystem>>;
