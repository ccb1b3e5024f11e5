/**
 * The Worker as deployed, directly on workerd: the production bundle listens in workerd without wrangler's development
 * proxy. Database and Stripe are those of a test system.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { openDataDir } from '#dev/system/settings.ts';
import { projectDir } from '#deploy/settings.ts';
import { readWorkerConfig, withBuild } from '#deploy/worker-config.ts';
import { freePort, stateDirIn } from '#dev/system/worker-process.ts';
import {
  administrator,
  sharedBuild,
  noteDatabase,
  startTestSystem,
  testSettings,
  type TestSystem,
} from '../support/system.ts';

const run = promisify(execFile);

/** Runs wrangler like a deployment does. */
async function wrangler(...args: string[]): Promise<void> {
  await run(process.execPath, [join(projectDir, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      WRANGLER_SEND_METRICS: 'false',
      CI: 'true',
      NO_COLOR: '1',
    },
    maxBuffer: 16 * 1024 * 1024,
  });
}

interface Bundle {
  /** The only module of the Worker. */
  readonly file: string;
  readonly remove: () => Promise<void>;
}

/** Bundles the Worker with the production configuration and a built site, like `wrangler deploy` would upload it. */
export async function bundleWorker(): Promise<Bundle> {
  const dir = await mkdtemp(join(tmpdir(), 'storefront-bundle-'));
  const config = withBuild(await readWorkerConfig(), sharedBuild);
  const configFile = join(dir, 'wrangler.json');
  await writeFile(configFile, JSON.stringify({ ...config, env: undefined }));
  await wrangler('deploy', '--dry-run', '--outdir', join(dir, 'out'), '-c', configFile);
  return {
    file: join(dir, 'out/index.js'),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}

/** The bucket of the environment `local` in wrangler.toml. */
const localBucket = 'files-local';

const mailer = `
  import { WorkerEntrypoint } from 'cloudflare:workers';
  export class Mailer extends WorkerEntrypoint { send() { return { messageId: 'kept by nobody' }; } }
  export default {};`;

/** Always returns the same bytes. It shows the top speed of this runtime on this machine. */
const constant = `
  let body = '';
  export default {
    async fetch(request) {
      if (request.method === 'PUT') body = await request.text();
      return new Response(body, { headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    },
  };`;

/** Serves the hashed files with the headers in `_headers`, like Cloudflare does without calling the Worker. */
const filesAlone = 'export default { fetch: (request, env) => env.FILES.fetch(request) };';

export interface Runtime {
  readonly url: string;
  /** Where the files under `/_astro/` are served. In production these requests never reach the Worker. */
  readonly filesUrl: string;
  /** Returns the text of the last PUT. */
  readonly constantUrl: string;
  readonly stop: () => Promise<void>;
}

/**
 * Runs a bundle on workerd over a system's database and Stripe. Each start is a new isolate with empty memory.
 * @param inspectorPort where workerd's inspector listens; it slows the runtime
 */
export async function startRuntime(
  bundle: Bundle,
  system: TestSystem,
  inspectorPort?: number,
): Promise<Runtime> {
  const [port, constantPort, filesPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  noteDatabase(url, system.database);
  const secrets = await openDataDir(system.dataDir);
  const config = await readWorkerConfig();
  const compatibility = {
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
  };
  const workerd = new Miniflare(
    convertV4MiniflareOptions({
      // The Worker logs each request. The figures include that cost, but the lines are dropped.
      handleStructuredLogs: () => undefined,
      ...(inspectorPort !== undefined && { inspectorPort }),
      // Includes the demo content's pictures, which the system has stored there.
      resourcePersistencePath: stateDirIn(system.dataDir),
      workers: [
        {
          name: 'storefront',
          modules: [{ type: 'ESModule', path: bundle.file }],
          modulesRoot: join(bundle.file, '..'),
          ...compatibility,
          unsafeDirectSockets: [{ host: '127.0.0.1', port }],
          r2Buckets: { FILES: localBucket },
          images: { binding: 'IMAGES' },
          ratelimits: { FLOOD_LIMIT: { namespace_id: '1001', simple: { limit: 10_000_000, period: 60 } } },
          serviceBindings: { ASSETS: 'files', EMAIL: { name: 'mailer', entrypoint: 'Mailer' } },
          bindings: {
            ENVIRONMENT: 'local',
            SITE_URL: url,
            TURSO_DATABASE_URL: system.database.url,
            TURSO_AUTH_TOKEN: system.database.authToken,
            STRIPE_SECRET_KEY: secrets.stripeSecretKey,
            STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
            STRIPE_API_URL: system.stripe?.url ?? '',
            SEALING_KEYS: secrets.sealingKey,
            MAIL_FROM: 'hello@loan-agency.example',
            NOTIFY_EMAIL: administrator.email,
            TOKEN_SIGNING_KEY: secrets.tokenSigningKey,
            ...testSettings,
          },
        },
        // A separate Worker serves the files. Otherwise, Miniflare would put two routing Workers in front of the
        // site's.
        {
          name: 'files',
          modules: true,
          script: 'export default {};',
          ...compatibility,
          assets: {
            directory: join(sharedBuild, 'dist'),
            assetConfig: { html_handling: 'auto-trailing-slash', not_found_handling: 'none' },
          },
        },
        {
          name: 'files-alone',
          modules: true,
          script: filesAlone,
          ...compatibility,
          serviceBindings: { FILES: 'files' },
          unsafeDirectSockets: [{ host: '127.0.0.1', port: filesPort }],
        },
        { name: 'mailer', modules: true, script: mailer, ...compatibility },
        {
          name: 'constant',
          modules: true,
          script: constant,
          ...compatibility,
          unsafeDirectSockets: [{ host: '127.0.0.1', port: constantPort }],
        },
      ],
    }),
  );
  await workerd.ready;
  return {
    url,
    filesUrl: `http://127.0.0.1:${filesPort}`,
    constantUrl: `http://127.0.0.1:${constantPort}`,
    stop: () => workerd.dispose(),
  };
}

export interface Deployed extends Runtime {
  readonly system: TestSystem;
  readonly bundle: Bundle;
}

/** A test system whose Worker is the deployed bundle on workerd. */
export async function startDeployed(): Promise<Deployed> {
  const system = await startTestSystem();
  await system.worker.stop();
  const bundle = await bundleWorker();
  const runtime = await startRuntime(bundle, system);
  system.stripe?.controls.setWebhookUrl({ url: `${runtime.url}/api/stripe/webhook` });
  return {
    ...runtime,
    system,
    bundle,
    stop: async () => {
      await runtime.stop();
      await system.stop();
      await bundle.remove();
    },
  };
}
