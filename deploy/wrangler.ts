/** Runs wrangler, Cloudflare's command-line tool. `cloudflare-api.ts` does the tasks without a wrangler command. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { remediesIn } from './cloudflare-errors.ts';
import { askCommand, runCommand, type CommandAnswer } from './command.ts';
import { accountId } from './settings.ts';
import { inTemporaryFolder } from './temporary-folder.ts';
import { DeployError } from './errors.ts';

/**
 * Always builds for production, because wrangler puts `NODE_ENV` into the bundle. Passes the account, because there may
 * be several.
 */
const environment = async () => ({
  ...process.env,
  CLOUDFLARE_ACCOUNT_ID: await accountId(),
  NODE_ENV: 'production',
  WRANGLER_SEND_METRICS: 'false',
});

const failureNote = z.object({
  type: z.literal('command-failed'),
  message: z.string(),
  code: z.union([z.number(), z.string()]).optional(),
});

/** What to do about a failed command, from wrangler's log file; '' if that is not known. */
async function remedyIn(file: string): Promise<string> {
  const notes = await readFile(file, 'utf8').catch(() => '');
  const failures = notes
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const note = failureNote.safeParse(JSON.parse(line));
      return note.success ? [`${note.data.message} [code: ${note.data.code ?? ''}]`] : [];
    });
  return remediesIn(failures.join('\n'));
}

const said = (...lines: readonly string[]) => lines.filter((line) => line !== '').join('\n');

/**
 * Runs a wrangler command in the person's terminal, where it may ask questions, such as whether to replace an
 * existing DNS record.
 * @throws DeployError it fails, with the remedy if one is known
 */
export const runWrangler = (...args: string[]): Promise<void> =>
  inTemporaryFolder(async (dir) => {
    const notes = join(dir, 'notes.ndjson');
    const env = { ...(await environment()), WRANGLER_OUTPUT_FILE_PATH: notes };
    if ((await runCommand('wrangler', args, env)) === 0) return;
    throw new DeployError(
      said(`wrangler ${args[0] ?? ''} failed; its message is above.`, await remedyIn(notes)),
    );
  });

/**
 * Runs a wrangler command that uploads a build. The secrets pass through a file that only this user may read.
 * @param config the content of the configuration file
 */
export async function uploadBuild(
  buildDir: string,
  config: object,
  secrets: object,
  ...args: string[]
): Promise<void> {
  const secretsFile = join(buildDir, 'secrets.json');
  const configFile = join(buildDir, 'wrangler.json');
  await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
  await writeFile(configFile, JSON.stringify(config));
  await runWrangler(...args, '-c', configFile, '--secrets-file', secretsFile);
}

/**
 * Runs a wrangler command and returns its output.
 * @param input written to its standard input, such as secrets that must not appear on a command line
 */
export const askWrangler = async (args: readonly string[], input = ''): Promise<CommandAnswer> =>
  askCommand('wrangler', args, await environment(), input);

/**
 * Like `askWrangler`, for a command that must succeed.
 * @returns its output
 * @throws DeployError it fails, with the remedy if one is known
 */
export async function mustAskWrangler(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await askWrangler(args, input);
  if (code === 0) return stdout;
  const all = (stdout + stderr).trim();
  throw new DeployError(said(`wrangler ${args.slice(0, 3).join(' ')} failed:`, all, remediesIn(all)));
}
