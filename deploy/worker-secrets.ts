/** The secrets of a deployed Worker. A deployment adds secrets, and removes one only if a person, or `--yes`, agrees. */
import * as z from 'zod';
import { isMadeByDeploy } from '#worker/settings.ts';
import { remediesIn } from './cloudflare-errors.ts';
import { secretsOf, type Settings } from './settings.ts';
import { DeployError } from './errors.ts';
import { askWrangler, mustAskWrangler } from './wrangler.ts';

const listed = z.array(z.object({ name: z.string() }));

/**
 * The names of the Worker's secrets; none if it was never deployed.
 * @throws DeployError Cloudflare does not answer
 */
export async function listSecrets(workerName: string): Promise<ReadonlySet<string>> {
  const answer = await askWrangler(['secret', 'list', '--name', workerName, '--format', 'json']);
  if (answer.code === 0) return new Set(listed.parse(JSON.parse(answer.stdout)).map(({ name }) => name));
  if (/Worker ".*" not found/.test(answer.stdout + answer.stderr)) return new Set();
  const said = answer.stdout + answer.stderr;
  throw new DeployError(`wrangler secret list failed:\n${said}${remediesIn(said)}`);
}

/**
 * Secrets that the Worker has but the settings no longer contain. Secrets that a deployment generated are kept, because
 * the Worker may be the only place that has them.
 */
export function leftOver(inWorker: ReadonlySet<string>, settings: Settings): readonly string[] {
  const named = secretsOf(settings);
  return [...inWorker].filter((name) => !(name in named) && !isMadeByDeploy(name));
}

/**
 * Removes secrets from the Worker. Null deletes a secret (`wrangler secret bulk --help`).
 * @throws DeployError
 */
export async function removeSecrets(workerName: string, names: readonly string[]): Promise<void> {
  const nothing = Object.fromEntries(names.map((name) => [name, null]));
  await mustAskWrangler(['secret', 'bulk', '--name', workerName], JSON.stringify(nothing));
}
