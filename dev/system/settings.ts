/** Settings of one local copy: the options of its start, and the secrets that its data folder stores. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A mistake of the person who starts the system. Its message is the only sentence that they see. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

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
 * Creates a folder and its parents. (Node's own recursive `mkdir` never returns in a file system that allows no
 * folders.)
 */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path);
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
