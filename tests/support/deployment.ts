/**
 * A deployment to accounts on this machine. A file contains the Cloudflare and Turso accounts, and a stand-in replaces
 * Stripe.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '#deploy/settings.ts';
import { startCloudflareApi } from './cloudflare-api.ts';
import type { StoredAccount } from './stored-account.ts';

export interface Outcome {
  readonly code: number;
  /** Everything that the command printed. */
  readonly said: string;
}

/** The public URLs in the settings below, for `routes`. */
export const publicAddresses = {
  site: 'https://www.agency.example',
  database: 'https://agency.aws-us-east-1.turso.io',
  stripe: 'https://stripe.example',
} as const;

/** The settings that a person types. The deployment creates all others. */
export const typedSettings = {
  SITE_URL: publicAddresses.site,
  TURSO_DATABASE_URL: publicAddresses.database,
  STRIPE_SECRET_KEY: 'sk_test_canary5b1e',
  MAIL_FROM: 'The Agency <hello@mail.agency.example>',
  NOTIFY_EMAIL: 'office@agency.example',
  SITE_TIMEZONE: 'America/Chicago',
} as const;

interface DeployerOptions {
  /** Maps public origins to origins on this machine. */
  readonly routes?: Readonly<Record<string, string>>;
}

/**
 * What a person at the terminal answers to the question at the end of the text; undefined if there is no question yet.
 */
export type Answers = (asked: string) => string | undefined;

/** Follows a command until it ends. Without answers, nobody is at the terminal. */
async function follow(child: ChildProcessWithoutNullStreams, answers: Answers | undefined): Promise<Outcome> {
  let said = '';
  let answered = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    // Removes the sequences that move the cursor.
    said += text.replaceAll(/\u001B\[[0-9;]*[A-Za-z]/g, '');
    const answer = answers?.(said.slice(answered));
    if (answer === undefined) return;
    answered = said.length;
    child.stdin.write(`${answer}\n`);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  if (!answers) child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: code ?? 1, said };
}

const readyAccount: StoredAccount = {
  isSignedIn: true,
  sendingDomains: [],
  workers: {},
  zones: [
    {
      name: 'agency.example',
      status: 'active',
      settings: {
        always_use_https: 'off',
        min_tls_version: '1.0',
        automatic_https_rewrites: 'on',
        email_obfuscation: 'on',
        rocket_loader: 'off',
        rum: 'on',
      },
      fight_mode: true,
    },
  ],
};

/** A person who deploys, with their own settings file and account. */
export async function openDeployer({ routes = {} }: DeployerOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'deployer-'));
  const settingsFile = join(folder, '.env.production');
  const accountFile = join(folder, 'account.json');
  const writeAccount = (account: StoredAccount) => writeFile(accountFile, JSON.stringify(account));
  await writeAccount(readyAccount);
  const account = async () => JSON.parse(await readFile(accountFile, 'utf8')) as StoredAccount;
  const api = await startCloudflareApi({ read: account, write: writeAccount });

  return {
    folder,
    settingsFile,
    account,
    changeAccount: async (change: { [K in keyof StoredAccount]?: StoredAccount[K] | undefined }) =>
      writeAccount({ ...(await account()), ...change } as StoredAccount),
    writeSettings: (settings: Readonly<Record<string, string>>) =>
      writeFile(
        settingsFile,
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(''),
      ),

    /**
     * Runs a command of `deploy/`, such as `deploy.ts`.
     * @param answers of the person at the terminal; without answers, nobody is there
     */
    run(
      command: string,
      args: readonly string[] = [],
      environment: Readonly<Record<string, string>> = {},
      answers?: Answers,
    ): Promise<Outcome> {
      const child = spawn(process.execPath, [join(projectDir, 'deploy', command), ...args], {
        cwd: projectDir,
        env: {
          ...process.env,
          CI: '',
          FORCE_COLOR: '0',
          PATH: `${projectDir}/tests/support/wrangler:${projectDir}/tests/support/turso:${projectDir}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
          NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${projectDir}/tests/support/route-hosts.mjs`,
          ROUTED_HOSTS: JSON.stringify({ ...api.routes, ...routes }),
          WRANGLER_ACCOUNT: accountFile,
          SETTINGS_FILE: settingsFile,
          PREVIEW_SETTINGS_FILE: join(folder, '.env.preview'),
          STRIPE_API_URL: publicAddresses.stripe,
          ...(answers && { AT_TERMINAL: '1' }),
          ...environment,
        },
      });
      return follow(child, answers);
    },

    async remove() {
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
