/**
 * Tests whether Cloudflare accepts the site's Worker before a deployment changes anything. Uploads an empty Worker with
 * the same requirements as the site's but without a URL, and then deletes it.
 *
 * There is no other way to learn the plan: `wrangler login` has no permission to read subscriptions, and the account's
 * `default_usage_model` is also `standard` on the Free plan. A list of buckets does not show whether a Worker can use
 * one (https://github.com/cloudflare/workers-sdk/issues/15610).
 */
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { remediesIn } from './cloudflare-errors.ts';
import { fine, todo, unknown, type Finding } from './finding.ts';
import { inTemporaryFolder } from './temporary-folder.ts';
import type { WorkerConfig } from './worker-config.ts';
import { askWrangler } from './wrangler.ts';

/** Whether Cloudflare's error says that R2 is off. In that case, Cloudflare does not check the plan. */
const isAboutR2 = (said: string): boolean => /\[code: (10042|10136)\]/.test(said);

interface Trial {
  /** Cloudflare's error; '' if it accepted the Worker. */
  readonly refusal: string;
  /** The name of the Worker, if it could not be deleted. */
  readonly remains?: string;
}

/**
 * Uploads a Worker and deletes it.
 * @param asks the part of the configuration that Cloudflare may reject
 */
const tryWith = ({ name, compatibility_date }: WorkerConfig, asks: object): Promise<Trial> =>
  inTemporaryFolder(async (dir) => {
    const trialName = `${name}-trial-${randomBytes(4).toString('hex')}`;
    const main = join(dir, 'trial.js');
    const configFile = join(dir, 'wrangler.json');
    const config = { name: trialName, main, compatibility_date, workers_dev: false, ...asks };
    await writeFile(main, 'export default { fetch: () => new Response(null, { status: 404 }) };\n');
    await writeFile(configFile, JSON.stringify(config));
    const { code, stdout, stderr } = await askWrangler(['deploy', '-c', configFile]);
    if (code !== 0) return { refusal: (stdout + stderr).trim() };
    const deleted = await askWrangler(['delete', '--name', trialName, '--force', '-c', configFile]);
    return { refusal: '', ...(deleted.code !== 0 && { remains: trialName }) };
  });

/** Whether Cloudflare accepts a Worker with the site's CPU limit, Images and bucket. It creates the bucket. */
export async function tryUpload(config: WorkerConfig): Promise<Finding> {
  const { limits, images, r2_buckets } = config;
  const whole = await tryWith(config, { limits, images, r2_buckets });
  const trials = isAboutR2(whole.refusal) ? [whole, await tryWith(config, { limits, images })] : [whole];
  const refusals = trials.map(({ refusal }) => refusal).join('\n');
  const remedies = remediesIn(refusals);
  if (remedies !== '') return todo(remedies);
  if (whole.refusal !== '') return unknown(`the trial upload failed: ${whole.refusal}`);
  return whole.remains === undefined
    ? fine('Cloudflare accepted a trial Worker, which was then deleted')
    : unknown(`Cloudflare accepted a trial Worker. Delete it: npx wrangler delete --name ${whole.remains}`);
}
