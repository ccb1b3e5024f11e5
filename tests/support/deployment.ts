/** A deployment to accounts that stand on this machine: Cloudflare's as a file, Stripe and Turso as their stand-ins. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '#deploy/settings.ts';

/** What the stand-in for wrangler keeps. */
interface CloudflareAccount {
  readonly isSignedIn: boolean;
  /** Whether it cannot take files, and so refuses the Worker. */
  readonly hasNoR2?: boolean;
  readonly sendingDomains: readonly string[];
  /** The accounts that the deployer may work in, of which this is the first; where it is absent, this one alone. */
  readonly accountIds?: readonly string[];
  /** By the branch and the Worker. */
  readonly previews?: Readonly<
    Record<
      string,
      {
        readonly previews: Readonly<Record<string, unknown>>;
        readonly secrets: Readonly<Record<string, string>>;
      }
    >
  >;
  readonly workers: Readonly<
    Record<
      string,
      {
        readonly secrets: Readonly<Record<string, string>>;
        readonly config: Readonly<Record<string, unknown>> & {
          readonly vars: Readonly<Record<string, string>>;
        };
      }
    >
  >;
}

export interface Outcome {
  readonly code: number;
  /** All that it said. */
  readonly said: string;
}

/** Public addresses of the settings below, for `routes`. */
export const publicAddresses = {
  site: 'https://www.agency.example',
  database: 'https://agency.aws-us-east-1.turso.io',
  stripe: 'https://stripe.example',
} as const;

/** Settings that a person types in; all else is made. */
export const typedSettings = {
  SITE_URL: publicAddresses.site,
  TURSO_DATABASE_URL: publicAddresses.database,
  STRIPE_SECRET_KEY: 'sk_test_canary5b1e',
  MAIL_FROM: 'The Agency <hello@agency.example>',
  NOTIFY_EMAIL: 'office@agency.example',
  SITE_TIMEZONE: 'America/Chicago',
} as const;

interface DeployerOptions {
  /** Where requests for public addresses go: origin to origin of this machine. */
  readonly routes?: Readonly<Record<string, string>>;
}

/** Somebody who deploys: a settings file and an account of their own. */
export async function openDeployer({ routes = {} }: DeployerOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'deployer-'));
  const settingsFile = join(folder, '.env.production');
  const accountFile = join(folder, 'account.json');
  const writeAccount = (account: CloudflareAccount) => writeFile(accountFile, JSON.stringify(account));
  await writeAccount({ isSignedIn: true, sendingDomains: ['agency.example'], workers: {} });
  const account = async () => JSON.parse(await readFile(accountFile, 'utf8')) as CloudflareAccount;

  return {
    folder,
    settingsFile,
    account,
    changeAccount: async (change: Partial<CloudflareAccount>) =>
      writeAccount({ ...(await account()), ...change }),
    writeSettings: (settings: Readonly<Record<string, string>>) =>
      writeFile(
        settingsFile,
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      ),

    /** Runs a command of `deploy/`, such as `deploy.ts`. */
    run(command: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}) {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      execFile(
        process.execPath,
        [join(projectDir, 'deploy', command), ...args],
        {
          cwd: projectDir,
          env: {
            ...process.env,
            CI: '',
            FORCE_COLOR: '0',
            PATH: `${projectDir}/tests/support/wrangler:${projectDir}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
            NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${projectDir}/tests/support/route-hosts.ts`,
            ROUTED_HOSTS: JSON.stringify(routes),
            WRANGLER_ACCOUNT: accountFile,
            SETTINGS_FILE: settingsFile,
            PREVIEW_SETTINGS_FILE: join(folder, '.env.preview'),
            STRIPE_API_URL: publicAddresses.stripe,
            ...environment,
          },
        },
        (error, stdout, stderr) =>
          resolve({
            code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
            said: stdout + stderr,
          }),
      );
      return promise;
    },

    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
