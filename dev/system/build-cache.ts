/** Builds the site for a local copy unless it was built from the same sources before. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite, type BuildOptions } from '#site/renderer/build.ts';
import { projectDir } from '#deploy/worker-config.ts';

const sources = [
  'site',
  'worker/contract',
  'worker/content/reader.ts',
  'worker/db',
  'astro.config.mjs',
  'package-lock.json',
];

async function hashSources(siteUrl: string): Promise<string> {
  const hash = createHash('sha256').update(siteUrl);
  for (const source of sources) {
    const path = join(projectDir, source);
    const below = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
    const files = below
      ? below.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
      : [path];
    for (const file of files.toSorted()) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex');
}

/** @returns whether it had to build */
export async function buildIfChanged(options: BuildOptions): Promise<boolean> {
  const stamp = join(options.buildDir, 'built-from');
  const wanted = await hashSources(options.siteUrl);
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) return false;
  await buildSite(options);
  await writeFile(stamp, wanted);
  return true;
}
