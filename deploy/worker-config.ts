/** Reads wrangler.toml, checks a deployment's settings with it, and makes the configurations to deploy or to measure. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import * as z from 'zod';
import { isOnWorkersDev, refusal, settingProblems } from '#worker/settings.ts';
import { DeployError, messageOf } from './errors.ts';
import { projectDir, settingsFile, variablesOf, type Settings } from './settings.ts';

const workerConfig = z.looseObject({
  name: z.string(),
  vars: z.record(z.string(), z.string()),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  alias: z.record(z.string(), z.string()),
  assets: z.looseObject({ directory: z.string() }),
  triggers: z.looseObject({ crons: z.array(z.string()) }),
  ratelimits: z.array(z.looseObject({ namespace_id: z.string() })),
  r2_buckets: z.tuple([z.looseObject({ binding: z.literal('FILES'), bucket_name: z.string() })]),
  env: z.object({ local: z.looseObject({ vars: z.record(z.string(), z.string()) }) }),
});

export type WorkerConfig = z.infer<typeof workerConfig>;

/** @throws DeployError if the text of wrangler.toml is not TOML, or lacks something */
export function workerConfigIn(text: string): WorkerConfig {
  try {
    return workerConfig.parse(parse(text));
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error);
    throw new DeployError(`wrangler.toml is wrong:\n${problem}`);
  }
}

export const readWorkerConfig = async (): Promise<WorkerConfig> =>
  workerConfigIn(await readFile(join(projectDir, 'wrangler.toml'), 'utf8'));

/** The bucket for everything outside the database. */
export const bucketName = ({ r2_buckets: [files] }: WorkerConfig): string => files.bucket_name;

/** The configuration with a build's files in place of those in the project folder. */
export function withBuild(config: WorkerConfig, buildDir: string): WorkerConfig {
  return {
    ...config,
    main: join(projectDir, 'worker/index.ts'),
    alias: {
      ...Object.fromEntries(
        Object.entries(config.alias).map(([name, path]) => [name, join(projectDir, path)]),
      ),
      '#site-renderer': join(buildDir, '.renderer/index.mjs'),
      // The renderer does not bundle zod (astro.config.mjs), and a build may be outside the project.
      'zod/v4': join(projectDir, 'node_modules/zod/v4/index.js'),
    },
    assets: { ...config.assets, directory: join(buildDir, 'dist') },
  };
}

/** The problem with the URL of a site without its own domain. Such a URL must begin with the Worker's name. */
export function addressProblem({ name }: WorkerConfig, siteUrl: string): string | undefined {
  const { hostname } = new URL(siteUrl);
  return isOnWorkersDev(hostname) && !hostname.startsWith(`${name}.`)
    ? `SITE_URL must be https://${name}.your-subdomain.workers.dev: the Worker's name is part of it.`
    : undefined;
}

export const isAddress = (url: string | undefined): url is string =>
  url !== undefined && refusal('SITE_URL', url) === undefined;

/** One sentence for each invalid setting. */
export function settingProblemsFor(config: WorkerConfig, settings: Settings): string[] {
  const problems = settingProblems(settings, { isBeforeDeploy: true });
  const address = isAddress(settings.SITE_URL) ? addressProblem(config, settings.SITE_URL) : undefined;
  return address === undefined ? problems : [...problems, address];
}

/**
 * @param makesDatabase whether this deployment will create the database
 * @throws DeployError naming every invalid setting
 */
export function checkSettings(config: WorkerConfig, settings: Settings, makesDatabase = false): void {
  const problems = settingProblemsFor(config, settings).filter(
    (problem) => !(makesDatabase && problem.startsWith('TURSO_DATABASE_URL ')),
  );
  if (problems.length > 0)
    throw new DeployError(
      `Some settings are missing or wrong (${settingsFile()}, or the environment; docs/deploy.md explains each):\n- ${problems.join('\n- ')}`,
    );
}

/**
 * The configuration to deploy: the production one with a build's files, the site's URL, a location near the database,
 * and the settings that are not secret. The local environment is left out. A Worker with a placement receives every
 * request there, including page requests, so placement is used only if a setting turns it on
 * (https://developers.cloudflare.com/workers/configuration/placement/).
 */
export function deployedConfig(config: WorkerConfig, settings: Settings, buildDir: string): object {
  const { hostname } = new URL(settings.SITE_URL ?? 'https://www.example.com');
  const isWorkersDev = isOnWorkersDev(hostname);
  const hasPreviews = settings.PREVIEWS === 'on';
  return {
    ...withBuild(config, buildDir),
    env: undefined,
    workers_dev: isWorkersDev,
    preview_urls: isWorkersDev && hasPreviews,
    ...(!isWorkersDev && {
      routes: [{ pattern: hostname, custom_domain: true, ...(hasPreviews && { previews_enabled: true }) }],
    }),
    ...(settings.DATABASE_REGION && { placement: { region: settings.DATABASE_REGION } }),
    vars: { ...config.vars, ...variablesOf(settings) },
  };
}

/** The URL of a branch's preview. https://developers.cloudflare.com/workers/previews/#urls */
export function previewUrl(siteUrl: string, name: string): string {
  const { hostname } = new URL(siteUrl);
  return `https://${name}${isOnWorkersDev(hostname) ? '-' : '.'}${hostname}`;
}

/**
 * The configuration of a preview. It inherits nothing from the live site: it has its own bucket and flood limit,
 * and cannot send email. https://developers.cloudflare.com/workers/previews/configuration/
 */
export function previewConfig(config: WorkerConfig, settings: Settings, buildDir: string): object {
  const { observability, cache, images } = config;
  return {
    ...withBuild(config, buildDir),
    env: undefined,
    // A preview has none of the live site's settings.
    vars: {},
    send_email: undefined,
    r2_buckets: undefined,
    triggers: undefined,
    previews: {
      vars: { ...variablesOf(settings), ENVIRONMENT: 'preview' },
      r2_buckets: [{ binding: 'FILES', bucket_name: `${bucketName(config)}-previews` }],
      ratelimits: config.ratelimits.map((limit) => ({ ...limit, namespace_id: `${limit.namespace_id}9` })),
      ...(images !== undefined && { images }),
      observability,
      cache,
    },
  };
}
