/** Builds the site and the Worker of a local copy, unless they were already built from the same sources. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from '#deploy/settings.ts';
import { readWorkerConfig, withBuild } from '#deploy/worker-config.ts';
import { askWrangler } from '#deploy/wrangler.ts';
import { buildSite, type BuildOptions } from '#site/renderer/build.ts';
import { StartError } from './settings.ts';

async function hashFiles(paths: readonly string[], setting: string): Promise<string> {
  const hash = createHash('sha256').update(setting);
  for (const path of paths) {
    const below = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
    const files = below
      ? below.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      : [path];
    for (const file of files.toSorted()) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
}

/**
 * Creates a folder's content unless its stamp says that it was created from these files.
 * @returns whether it created the content
 */
async function makeIfChanged(
  dir: string,
  sources: readonly string[],
  setting: string,
  make: () => Promise<unknown>,
): Promise<boolean> {
  const stamp = join(dir, 'built-from');
  const wanted = await hashFiles(sources, setting);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return false;
  await make();
  await writeFile(stamp, wanted);
  return true;
}

const inProject = (paths: readonly string[]) => paths.map((path) => join(projectDir, path));

const siteSources = inProject([
  'site',
  'worker/contract',
  'worker/content',
  'worker/db',
  // The static pages show the initial content.
  'dev/seed',
  'deploy/first-content.ts',
  'deploy/legal-texts.ts',
  'deploy/prepare-database.ts',
  'worker/media',
  // A page is stored with its policy under the build id, so a changed policy needs a new build.
  'worker/publishing/policy.ts',
  'astro.config.mjs',
  'package-lock.json',
]);

/** @returns whether it built the site */
export const buildIfChanged = (options: BuildOptions): Promise<boolean> =>
  makeIfChanged(options.buildDir, siteSources, options.siteUrl, () => buildSite(options));

/** The local Workers, with the names that wrangler gives them with `--env local`. The first answers requests. */
const workerNames = ['storefront-local', 'mailbox-local'] as const;

export interface BundledWorker {
  readonly name: string;
  readonly dir: string;
  /** The options for workerd that wrangler derives from the Worker's configuration. */
  readonly options: object;
}

const workersFile = 'workers.json';

async function bundleWorkers(buildDir: string, dir: string): Promise<void> {
  const production = withBuild(await readWorkerConfig(), buildDir);
  const main = join(projectDir, 'dev/worker.ts');
  const config = {
    ...production,
    minify: false,
    send_email: undefined,
    env: { local: { ...production.env.local, main } },
  };
  const ownConfig = join(dir, 'wrangler.json');
  await mkdir(dir, { recursive: true });
  await writeFile(ownConfig, JSON.stringify(config));
  const configs = [ownConfig, join(projectDir, 'dev/mailbox/wrangler.toml')];
  // Wrangler loads all its packages when it is imported. A start that already has a bundle should not wait for that.
  const { unstable_getMiniflareWorkerOptions } = await import('wrangler');
  const workers = await Promise.all(
    workerNames.map(async (name, index): Promise<BundledWorker> => {
      const configFile = configs[index] ?? '';
      const outDir = join(dir, name);
      const bundled = await askWrangler([
        ...['deploy', '--dry-run', '--env', 'local', '--config', configFile, '--outdir', outDir],
      ]);
      if (bundled.code !== 0)
        throw new StartError(`The Worker cannot be bundled:\n${bundled.stdout}${bundled.stderr}`);
      const { workerOptions } = unstable_getMiniflareWorkerOptions(configFile, 'local');
      return { name, dir: outDir, options: workerOptions };
    }),
  );
  await writeFile(join(dir, workersFile), JSON.stringify(workers));
}

/** Bundles the Worker with a built site, and the mailbox, unless they were already bundled from the same sources. */
export async function bundleIfChanged(buildDir: string): Promise<BundledWorker[]> {
  const dir = join(buildDir, 'worker');
  const sources = [
    ...inProject(['worker', 'dev/worker.ts', 'dev/mailbox', 'wrangler.toml', 'package-lock.json']),
    join(buildDir, '.renderer'),
  ];
  await makeIfChanged(dir, sources, buildDir, () => bundleWorkers(buildDir, dir));
  return JSON.parse(await readFile(join(dir, workersFile), 'utf8')) as BundledWorker[];
}
