/** Creates a release with imported articles, which is not live yet, and adds their pictures to the library. */
import { importTitle, readArticles, type ImportFile, type LeftOut } from './read-articles.ts';
import { isReleaseFull } from '#contract/releases.ts';
import { picturesIn, withPictures } from '#contract/rich-text.ts';
import { api } from '#site/app/call.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { displayTime } from '#site/ui/date-time.tsx';
import { addChange, beginRelease, offered, readRelease } from '../releases/release-calls.ts';

export interface ImportReport {
  readonly releases: readonly { readonly _id: string; readonly title: string }[];
  readonly count: number;
  readonly left: readonly LeftOut[];
}

/**
 * Fetches the pictures of a text, always over https, because old texts often have http URLs.
 * @param known the library paths by URL; new ones are added
 * @returns the pictures that failed
 */
async function fetchPictures(
  text: string,
  source: string,
  hosts: readonly string[],
  known: Map<string, string>,
) {
  const left: LeftOut[] = [];
  for (const address of picturesIn(text)) {
    if (known.has(address)) continue;
    try {
      const secure = address.replace(/^http:\/\//i, 'https://');
      const { data } = await api('POST /media/from-address', {
        body: { address: secure, hosts: [...hosts] },
      });
      known.set(address, data.path);
    } catch (thrown) {
      left.push({ source, part: `picture ${address}`, why: callErrorOf(thrown).message });
    }
  }
  return left;
}

/** Reads files. A file that was changed or removed after it was chosen cannot be read. */
export async function readFiles(files: readonly File[]): Promise<{
  readonly read: readonly ImportFile[];
  readonly left: readonly LeftOut[];
}> {
  const read: ImportFile[] = [];
  const left: LeftOut[] = [];
  for (const file of files) {
    const name = file.webkitRelativePath || file.name;
    try {
      read.push({ name, text: await file.text() });
    } catch {
      left.push({ source: name, why: 'This file could not be read. Please choose it again.' });
    }
  }
  return { read, left };
}

/** Returns the titles of the open releases by the slugs that they give to articles. */
async function releasesBySlug(): Promise<ReadonlyMap<string, string>> {
  const query = { status: 'open', section: 'article', pageSize: offered } as const;
  const { data: open } = await api('GET /releases', { query });
  const releases = await Promise.all(open.map(({ _id }) => readRelease(_id)));
  return new Map(
    releases.flatMap(({ title, changes }) =>
      changes
        .filter(({ section }) => section === 'article')
        .flatMap(({ changes: fields }) => fields)
        .filter(({ field }) => field === 'slug')
        .map(({ after }) => [after, title] as const),
    ),
  );
}

/** Adds articles to releases, and starts a new release when one is full. */
function openReleases() {
  const startedAt = displayTime(new Date().toISOString());
  const made: ImportReport['releases'][number][] = [];
  /** The size of the last release. */
  let size = { changes: 0, characters: 0 };
  return {
    made,
    async add(values: Readonly<Record<string, string>>): Promise<void> {
      if (made.length === 0 || isReleaseFull(size)) {
        const title = importTitle(startedAt, made.length);
        made.push({ _id: (await beginRelease(title))._id, title });
        size = { changes: 0, characters: 0 };
      }
      await addChange(made.at(-1)?._id ?? '', { section: 'article', action: 'add', values });
      size = { changes: size.changes + 1, characters: size.characters + JSON.stringify(values).length };
    },
  };
}

/**
 * Skips articles whose slug is already in an open release, because only one of the two could be published.
 * @param hosts the sites that pictures may be fetched from
 * @param onProgress called with the number of finished articles and the total
 */
export async function importArticles(
  files: readonly ImportFile[],
  hosts: readonly string[],
  onProgress: (done: number, all: number) => void,
): Promise<ImportReport> {
  const { articles, left: unread } = readArticles(files);
  const left = [...unread];
  // Without a response, the first article reports the reason.
  const taken = await releasesBySlug().catch(() => new Map<string, string>());
  const releases = openReleases();
  const paths = new Map<string, string>();
  let count = 0;
  for (const [index, { source, values }] of articles.entries()) {
    onProgress(index, articles.length);
    const { slug = '' } = values;
    const release = slug === '' ? undefined : taken.get(slug);
    if (release !== undefined) {
      left.push({ source, why: `The release “${release}” already has an article with the address ${slug}.` });
      continue;
    }
    left.push(...(await fetchPictures(values.text, source, hosts, paths)));
    try {
      await releases.add({ ...values, text: withPictures(values.text, paths) });
      count += 1;
    } catch (thrown) {
      left.push({ source, why: callErrorOf(thrown).message });
    }
  }
  return { releases: releases.made, count, left };
}
