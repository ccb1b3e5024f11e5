/**
 * `npm run import -- folder` imports the Markdown files below a folder, and `npm run import -- export.xml` imports
 * a WordPress export, into a release in the database of the settings. Nothing is live until the release is
 * published. Pictures need the bucket, so the command skips them. The import on the Releases screen fetches them.
 */
import { drizzle } from 'drizzle-orm/libsql';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  importTitle,
  readArticles,
  type ImportFile,
  type LeftOut,
} from '#site/admin/content/import/read-articles.ts';
import { counted } from '#contract/counted.ts';
import { newId } from '#contract/ids.ts';
import { isReleaseFull } from '#contract/releases.ts';
import { picturesIn, withPictures } from '#contract/rich-text.ts';
import { addSchema } from '#contract/fields.ts';
import { sections } from '#contract/sections/index.ts';
import { displayTimeIn } from '#contract/zoned-time.ts';
import { releaseChanges, releases } from '#worker/content/schema.ts';
import type { Values } from '#worker/content/stored.ts';
import { writeBatch, type Database } from '#worker/db/client.ts';
import { withDatabase } from './database.ts';
import { readSettings } from './settings.ts';
import { DeployError, readArguments, runMain } from './errors.ts';

async function filesAt(path: string): Promise<ImportFile[]> {
  if (!(await stat(path)).isDirectory()) return [{ name: path, text: await readFile(path, 'utf8') }];
  const names = (await readdir(path, { recursive: true })).filter((name) => /\.(md|markdown)$/i.test(name));
  return Promise.all(
    names.toSorted().map(async (name) => ({ name, text: await readFile(join(path, name), 'utf8') })),
  );
}

/** Divides articles into groups that each fit in one release. */
function divide(all: readonly Values[]): Values[][] {
  const parts: Values[][] = [];
  let characters = 0;
  for (const values of all) {
    let part = parts.at(-1);
    if (!part || isReleaseFull({ changes: part.length, characters })) {
      part = [];
      parts.push(part);
      characters = 0;
    }
    part.push(values);
    characters += JSON.stringify(values).length;
  }
  return parts;
}

/** Puts articles into new releases, named after the time of the import. @returns the titles of the releases */
async function writeReleases(
  db: Database,
  all: readonly Values[],
  timeZone: string | undefined,
): Promise<string[]> {
  const titles: string[] = [];
  const startedAt = displayTimeIn(Date.now(), timeZone);
  for (const values of divide(all)) {
    const at = Date.now();
    const releaseId = newId(at);
    const title = importTitle(startedAt, titles.length);
    const common = {
      releaseId,
      section: 'article',
      action: 'add',
      base: null,
      version: 1,
      at,
      by: '',
    } as const;
    await writeBatch(db, [
      db.insert(releases).values({ _id: releaseId, title, version: 1, createdAt: at, createdBy: '' }),
      ...values.map((value) =>
        db.insert(releaseChanges).values({ ...common, _id: newId(), recordId: newId(), value }),
      ),
    ]);
    titles.push(title);
  }
  return titles;
}

async function importFiles(
  db: Database,
  files: readonly ImportFile[],
  timeZone: string | undefined,
): Promise<{
  readonly titles: readonly string[];
  readonly count: number;
  readonly left: readonly LeftOut[];
}> {
  const { articles, left } = readArticles(files);
  const schema = addSchema(sections.article);
  const pictures = articles.flatMap(({ source, values }) =>
    picturesIn(values.text).map((address) => ({
      source,
      part: `picture ${address}`,
      why: 'The command does not fetch pictures.',
    })),
  );
  const values = articles.map((article) =>
    schema.parse({ ...article.values, text: withPictures(article.values.text, new Map()) }),
  );
  const titles = await writeReleases(db, values, timeZone);
  return { titles, count: values.length, left: [...left, ...pictures] };
}

async function run(): Promise<void> {
  const {
    positionals: [path],
  } = readArguments({ allowPositionals: true });
  if (path === undefined)
    throw new DeployError('Name the files to import: npm run import -- folder, or export.xml');
  const settings = await readSettings();
  if (!settings.TURSO_DATABASE_URL) throw new DeployError('TURSO_DATABASE_URL is not set.');
  const files = await filesAt(path);
  const { titles, count, left } = await withDatabase(settings, (client) =>
    importFiles(drizzle(client), files, settings.SITE_TIMEZONE),
  );
  for (const { source, part, why } of left)
    console.log(part === undefined ? `Skipped: ${source}. ${why}` : `Check: ${source}, ${part}. ${why}`);
  const places = titles.map((title) => `“${title}”`).join(', ');
  console.log(
    count === 0 ? 'No articles were imported.' : `${counted(count, 'article')} imported into ${places}.`,
  );
}

await runMain(run);
