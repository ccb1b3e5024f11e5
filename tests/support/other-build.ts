/** Another build of the site, as after a code change: the same pages, with different names for the hashed files. */
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sharedBuild } from './system.ts';

const hashed = /^(.+\.)[\w-]+(\.\w+)$/;

interface OtherBuild {
  /** A file of the front page, by its name in each build. */
  readonly before: string;
  readonly after: string;
}

/**
 * The folder of the other build. It is kept between runs, because bundling its Worker takes longer than the tests.
 */
export const otherBuild = join(sharedBuild, '../other-build');

/** Creates the other build from the shared one. */
export async function makeOtherBuild(): Promise<OtherBuild> {
  const [from, to] = [sharedBuild, otherBuild];
  for (const part of ['dist', '.renderer']) {
    await rm(join(to, part), { recursive: true, force: true });
    await cp(join(from, part), join(to, part), { recursive: true });
  }
  const names = (await readdir(join(to, 'dist/_astro'))).filter((name) => hashed.test(name));
  const renamed = new Map(
    names.map((name, index) => [name, name.replace(hashed, `$1another${index.toString(36)}$2`)]),
  );
  const anyName = new RegExp(names.map((name) => name.replaceAll('.', String.raw`\.`)).join('|'), 'g');
  const parts = ['dist', '.renderer'].map((part) =>
    readdir(join(to, part), { recursive: true, withFileTypes: true }),
  );
  const files = (await Promise.all(parts)).flat();
  for (const file of files.filter((entry) => entry.isFile())) {
    const path = join(file.parentPath, file.name);
    if (/\.(html|m?js|css|json)$/.test(file.name)) {
      const text = await readFile(path, 'utf8');
      const other = text.replaceAll(anyName, (name) => renamed.get(name) ?? name);
      if (other !== text) await writeFile(path, other);
    }
    const name = renamed.get(file.name);
    if (name !== undefined) await rename(path, join(file.parentPath, name));
  }
  const entry = join(to, '.renderer/index.mjs');
  const text = await readFile(entry, 'utf8');
  await writeFile(entry, text.replace(/buildId = '\w+'/, "buildId = 'anotherrelease01'"));
  const page = await readFile(join(from, 'dist/index.html'), 'utf8');
  const before = /\/_astro\/([\w.-]+)/.exec(page)?.[1] ?? '';
  return { before, after: renamed.get(before) ?? before };
}
