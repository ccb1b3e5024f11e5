/**
 * The demo's pictures as library records, as if they had been uploaded. Once the Worker runs, we put their files into
 * the local bucket.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mediaPath, readMediaPath } from '#contract/media.ts';
import { projectDir } from '#deploy/settings.ts';
import { inspect } from '#worker/media/inspect.ts';
import { originalKey } from '#worker/media/store.ts';
import type { Seed } from '#deploy/prepare-database.ts';
import { demoId } from './demo-id.ts';

const folder = join(projectDir, 'site/public/images');

interface DemoPicture {
  /** The picture's address in the demo content, as a file of the site. */
  readonly address: string;
  readonly body: Buffer;
  readonly record: Readonly<Record<'_id' | 'path', string>> & Readonly<Record<string, string>>;
}

/** Descriptions of pictures that are not purely decorative. */
const descriptions: Readonly<Record<string, string>> = {
  'search-result.svg': 'Search results with the agency first',
  'report.svg': 'A report on two pages',
  'report-done.svg': 'First page of a report: what was done in 30 days, line by line',
  'report-brought.svg':
    'Second page of a report: calls, forms and applications from search, by month and by page',
};

async function readPictures(): Promise<readonly DemoPicture[]> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const body = await readFile(join(folder, name));
      const { type, width, height } = inspect(body, name, '');
      const hash = createHash('sha256').update(body).digest('hex').slice(0, 24);
      const _id = demoId('media', index);
      const record = {
        _id,
        name,
        alt: descriptions[name] ?? '',
        focus: 'center',
        path: mediaPath(_id, name, hash, 'svg'),
        type,
        width: String(width ?? ''),
        height: String(height ?? ''),
        bytes: String(body.length),
      };
      return { address: `/images/${name}`, body, record };
    }),
  );
}

/** Replaces the content's pictures with pictures from the library. */
export async function withLibrary(content: Seed['content']): Promise<Seed['content']> {
  const pictures = await readPictures();
  const paths = new Map(pictures.map(({ address, record }) => [address, record.path]));
  const entries = Object.entries(content).map(([section, records]) => [
    section,
    records.map((record) =>
      Object.fromEntries(Object.entries(record).map(([field, value]) => [field, paths.get(value) ?? value])),
    ),
  ]);
  return { ...(Object.fromEntries(entries) as Seed['content']), media: pictures.map(({ record }) => record) };
}

export async function putPictures(siteUrl: string): Promise<void> {
  for (const { body, record } of await readPictures())
    await fetch(new URL(`/dev/files/${originalKey(readMediaPath(record.path)?.hash ?? '')}`, siteUrl), {
      method: 'PUT',
      body: new Uint8Array(body),
      headers: { 'Content-Type': 'image/svg+xml' },
    });
}
