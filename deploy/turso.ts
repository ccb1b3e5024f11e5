/**
 * Creates the database with Turso's command-line tool, which the person must install: a group if there is none, the
 * database, and a token. https://docs.turso.tech/cli/introduction
 */
import { askCommand, runCommand, type CommandAnswer } from './command.ts';
import { confirm } from './console.ts';
import { saveSettings, type Questions, type Settings } from './settings.ts';
import { DeployError } from './errors.ts';

const databaseName = 'storefront';

const install =
  "Turso's command line is not installed: curl -sSfL https://get.tur.so/install.sh | bash (https://docs.turso.tech/cli/installation). Then open a new terminal and run this again.";

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** @throws DeployError Turso's command-line tool is not installed */
async function askTurso(...args: string[]): Promise<CommandAnswer> {
  try {
    return await askCommand('turso', args, process.env);
  } catch (error) {
    throw isMissing(error) ? new DeployError(install) : error;
  }
}

/** @throws DeployError Turso refuses */
async function mustAskTurso(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await askTurso(...args);
  if (code === 0) return stdout.trim();
  throw new DeployError(`turso ${args.slice(0, 3).join(' ')} failed:\n${(stdout + stderr).trim()}`);
}

/**
 * Signs the person in to Turso if necessary. This opens a browser, where they can also sign up.
 * @throws DeployError
 */
export async function signInToTurso(): Promise<void> {
  if ((await askTurso('auth', 'whoami')).code === 0) return;
  console.log('Signing in to Turso: your browser opens. You can sign up there too.');
  if ((await runCommand('turso', ['auth', 'login'], process.env)) !== 0)
    throw new DeployError('turso auth login failed; its message is above.');
}

/**
 * A database's region in the format of DATABASE_REGION, from its URL, such as `storefront-firm.aws-us-east-1.turso.io`.
 */
export function regionOf(databaseUrl: string): string | undefined {
  const [, cloud, region] =
    /^[^.]+\.(aws|gcp|azure)-([a-z0-9-]+)\.turso\.io$/.exec(new URL(databaseUrl).hostname) ?? [];
  return cloud === undefined || region === undefined ? undefined : `${cloud}:${region}`;
}

/** Saves the database's URL, a new token and, if wanted, its region. */
async function saveDatabase(settings: Settings, questions: Questions): Promise<Settings> {
  const access = {
    TURSO_DATABASE_URL: await mustAskTurso('db', 'show', databaseName, '--url'),
    TURSO_AUTH_TOKEN: await mustAskTurso('db', 'tokens', 'create', databaseName),
  };
  await saveSettings(access);
  return offerRegion({ ...settings, ...access }, questions);
}

/**
 * Offers the database that an earlier deployment created.
 * @returns the settings with the database; undefined if there is none
 * @throws DeployError the person does not want to use it
 */
export async function reuseDatabase(settings: Settings, questions: Questions): Promise<Settings | undefined> {
  if ((await askTurso('db', 'show', databaseName, '--url')).code !== 0) return undefined;
  if (await confirm(questions, `Turso already has a database '${databaseName}'. Use it?`))
    return saveDatabase(settings, questions);
  throw new DeployError(
    'Create a database with another name, and put TURSO_DATABASE_URL and TURSO_AUTH_TOKEN into the settings (docs/deploy.md).',
  );
}

/**
 * Creates the database, and saves its URL, a token and, if wanted, its region.
 * @throws DeployError Turso refuses
 */
export async function makeDatabase(settings: Settings, questions: Questions): Promise<Settings> {
  const location = (
    await questions.ask(
      'Turso location nearest your customers, such as aws-us-east-1 (Enter for the one nearest you; turso db locations lists all): ',
      false,
    )
  ).trim();
  questions.say(
    await mustAskTurso('db', 'create', databaseName, '--wait', ...(location ? ['--location', location] : [])),
  );
  return saveDatabase(settings, questions);
}

/** Asks whether the site should run next to its database, if the database's URL contains its region. */
export async function offerRegion(settings: Settings, questions: Questions): Promise<Settings> {
  const region = regionOf(settings.TURSO_DATABASE_URL ?? '');
  if (region === undefined || settings.DATABASE_REGION) return settings;
  const isNear = await confirm(
    questions,
    `The database is in ${region}. Run the site next to it? For people far away, forms get faster and pages get slower. If in doubt, press Enter.`,
  );
  if (!isNear) return settings;
  await saveSettings({ DATABASE_REGION: region });
  return { ...settings, DATABASE_REGION: region };
}
