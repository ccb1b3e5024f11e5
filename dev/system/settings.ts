/** Settings of one local copy: the options of its start, and the secrets that its data folder stores. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'libsql';
import { isEmail } from '#contract/account-rules.ts';
import { staffPasswordMinLength, passwordLength } from '#contract/password-rules.ts';

/** A mistake by the person who starts the system. They see only its message. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** An environment variable. One that is set but empty is a mistake, not a request for the default. */
function setting(environment: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const value = environment[name] ?? fallback;
  if (value.trim() === '') throw new StartError(`${name} is set but empty. Give it a value or leave it out.`);
  return value;
}

/**
 * The options of a start, from the environment variables that README.md lists.
 * @throws StartError if an option is wrong
 */
export function readOptions(environment: NodeJS.ProcessEnv) {
  const port = Number(setting(environment, 'PORT', '8787'));
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new StartError(
      `PORT must be a whole number from 1 to 65535, not ${JSON.stringify(environment['PORT'])}.`,
    );
  const seed = setting(environment, 'SEED', 'demo');
  if (seed !== 'demo' && seed !== 'empty')
    throw new StartError(`SEED must be demo or empty, not ${JSON.stringify(seed)}.`);
  const adminEmail = setting(environment, 'ADMIN_EMAIL', 'admin@loan-agency.example');
  if (!isEmail(adminEmail))
    throw new StartError(`ADMIN_EMAIL must be an email address, not ${JSON.stringify(adminEmail)}.`);
  const adminPassword = setting(environment, 'ADMIN_PASSWORD', 'choose-good-words');
  if (adminPassword.length < staffPasswordMinLength || adminPassword.length > passwordLength.max)
    throw new StartError(
      `ADMIN_PASSWORD must have ${String(staffPasswordMinLength)} to ${String(passwordLength.max)} characters.`,
    );
  return {
    port,
    seed,
    adminEmail,
    adminPassword,
    dataDir: setting(environment, 'DATA_DIR', '.data'),
    setupToken: environment['SETUP_TOKEN'] || undefined,
  } as const;
}

export type StartOptions = ReturnType<typeof readOptions>;

const random = (bytes = 18) => randomBytes(bytes).toString('base64url').replaceAll(/[-_]/g, 'x');

const makeSecrets = () => ({
  databaseToken: random(),
  stripeSecretKey: `sk_test_${random()}`,
  stripePublishableKey: `pk_test_${random()}`,
  stripeWebhookSecret: `whsec_${random()}`,
  sealingKey: random(32),
  tokenSigningKey: random(32),
  setupToken: random(),
});

/**
 * Secrets of a data folder, created at its first start. They persist, so sessions and stored state survive a
 * restart.
 */
export type LocalSecrets = Readonly<ReturnType<typeof makeSecrets>>;

/**
 * Creates a folder and its parents. (Node's recursive `mkdir` never returns in a file system that allows no folders.)
 */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path);
}

/**
 * Locks the data folder. The lock ends with this process, however the process ends, because the system holds it.
 * @throws StartError another copy runs in the folder
 */
export function lockDataDir(dataDir: string): Database.Database {
  const lock = new Database(join(dataDir, 'lock.sqlite'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (!(error instanceof Error) || !error.message.includes('locked')) throw error;
    throw new StartError(`Another copy runs in ${dataDir}. Stop it, or set DATA_DIR to another folder.`);
  }
}

/**
 * Opens the data folder and reads its secrets, or creates both.
 * @throws StartError if the folder cannot be written
 */
export async function openDataDir(dataDir: string): Promise<LocalSecrets> {
  const file = join(dataDir, 'secrets.json');
  try {
    await makeFolder(dataDir);
    const kept = await readFile(file, 'utf8').catch(() => undefined);
    if (kept !== undefined) return JSON.parse(kept) as LocalSecrets;
    const secrets = makeSecrets();
    await writeFile(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 });
    await rename(`${file}.new`, file);
    return secrets;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`The data folder ${dataDir} cannot be used: ${reason}`, { cause });
  }
}
