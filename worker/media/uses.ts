/** Finds where pictures are used. A picture in use cannot be removed, and a missing picture cannot be used. */
import { and, eq, isNull, like, ne, notExists, type SQL } from 'drizzle-orm';
import { iconPath, iconSizes, jpegPath, readMediaPath, smallerWidths, variantPath } from '#contract/media.ts';
import { titleFieldOf, type Field } from '#contract/section.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import type { RecordChange } from '../content/edits.ts';
import { isWhole } from '../content/long-texts.ts';
import type { StoredContent, Values } from '../content/stored.ts';
import { releaseChanges, releases } from '../content/schema.ts';
import type { Database } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Env } from '../env.ts';
import { conflict, invalid } from '../http/errors.ts';
import { originalKey } from './store.ts';

/** A field that shows a picture. */
interface MediaUse {
  readonly section: SectionName;
  readonly recordId: string;
  readonly field: string;
}

function usesOf(content: StoredContent, id: string): readonly MediaUse[] {
  const address = `/media/${id}/`;
  return sectionNames
    .filter((section) => section !== 'media')
    .flatMap((section) =>
      content[section].flatMap(({ _id: recordId, values }) =>
        Object.entries(values).flatMap(([field, value]) =>
          value.includes(address) ? [{ section, recordId, field }] : [],
        ),
      ),
    );
}

/** The uses in long texts that are not in memory. */
async function usesInLongTexts(db: Database, content: StoredContent, id: string): Promise<MediaUse[]> {
  const { _id, text } = contentTables.article;
  const rows = await db
    .select({ recordId: _id })
    .from(contentTables.article)
    .where(like(text, `%/media/${id}/%`));
  const unread = new Set(content.article.filter((one) => !isWhole('article', one)).map((one) => one._id));
  return rows
    .filter(({ recordId }) => unread.has(recordId))
    .map(({ recordId }) => ({ section: 'article', recordId, field: 'text' }));
}

/** Describes a use, such as `Team member “Ruth Okafor” (Picture)`. */
function placeOf(content: StoredContent, use: MediaUse): string {
  const section = sectionNamed(use.section);
  const record = content[use.section].find(({ _id }) => _id === use.recordId);
  const name = section.kind === 'list' ? ` “${record?.values[titleFieldOf(section)] ?? ''}”` : '';
  return `${section.title}${name} (${section.fields[use.field]?.label ?? use.field})`;
}

export async function hasFile({ FILES }: Pick<Env, 'FILES'>, path: string): Promise<boolean> {
  const known = readMediaPath(path);
  return known !== undefined && (await FILES.head(originalKey(known.hash))) !== null;
}

/** Whether a path belongs to a picture in the library: the picture itself, its JPEG, an icon, or one of its widths. */
export function isPicture(library: StoredContent['media'], path: string): boolean {
  const id = readMediaPath(path)?.id;
  const { path: kept = '', width } = library.find(({ _id }) => _id === id)?.values ?? {};
  if (kept === path || jpegPath(kept) === path) return true;
  if (Object.values(iconSizes).some((size) => iconPath(kept, size) === path)) return true;
  return smallerWidths(Number(width)).some((one) => variantPath(kept, one) === path);
}

/** The query for the titles of open releases that would show a picture. */
const releasesWith = (db: Database, id: string, exceptRelease = '') =>
  db
    .selectDistinct({ title: releases.title })
    .from(releaseChanges)
    .innerJoin(releases, eq(releases._id, releaseChanges.releaseId))
    .where(
      and(
        isNull(releases.publishedAt),
        ne(releases._id, exceptRelease),
        like(releaseChanges.value, `%/media/${id}/%`),
      ),
    );

/**
 * The condition that no open release shows a picture that these changes remove, for the batch that writes them. Someone
 * may have used the picture in a release since `checkMedia`.
 * @param exceptRelease the release that contains these changes
 */
export const inNoRelease = (
  db: Database,
  changes: readonly RecordChange[],
  exceptRelease: string | undefined,
): SQL | undefined =>
  and(
    ...changes.flatMap(({ section, before, after }) =>
      section === 'media' && before && !after ? [notExists(releasesWith(db, before._id, exceptRelease))] : [],
    ),
  );

/** The library pictures that a record shows, with the fields that show them. */
const picturesOf = (section: SectionName, values: Values): readonly { field: string; path: string }[] =>
  Object.entries(sectionNamed(section).fields).flatMap(([field, { kind }]) => {
    const path = values[field] ?? '';
    return kind === 'image' && path.startsWith('/media/') ? [{ field, path }] : [];
  });

/** The minimum width of an icon, in pixels. */
const minIconWidth = iconSizes.homeScreen;

/**
 * A sentence that says why a picture does not suit the purpose of its field; undefined if it does. For a picture
 * outside the library, only the name is known.
 * @param picture its record in the library
 */
function useProblem(use: Field['use'], path: string, picture: Values = {}): string | undefined {
  if (use === undefined || path === '') return undefined;
  if (/\.(svg|gif)$/i.test(path))
    return use === 'icon'
      ? 'Home screens cannot show this file. Use a square PNG, JPEG or WebP.'
      : 'Sites that show links cannot read this file. Use a PNG, JPEG or WebP.';
  const { width, height } = picture;
  if (use !== 'icon' || width === undefined || height === undefined) return undefined;
  return width === height && Number(width) >= minIconWidth
    ? undefined
    : `This picture is ${width} × ${height} pixels. An icon must be square and at least ${minIconWidth} pixels on each side.`;
}

/** Rejects a picture that does not suit its field. @throws ApiError 422 that names the field */
function checkUses(library: StoredContent['media'], section: SectionName, values: Values): void {
  for (const [field, { use }] of Object.entries(sectionNamed(section).fields)) {
    const path = values[field] ?? '';
    const problem = useProblem(use, path, library.find((one) => one.values['path'] === path)?.values);
    if (problem !== undefined) throw invalid({ [field]: problem });
  }
}

/**
 * The condition that the library has the pictures that these values show, for the batch that writes them. Someone may
 * have removed one since `checkMedia`.
 */
export const inLibrary = (section: SectionName, values: Values): SQL | undefined =>
  and(
    ...picturesOf(section, values).map(({ path }) => {
      const { media } = contentTables;
      return hasRow(media, and(eq(media._id, readMediaPath(path)?.id ?? ''), eq(media.path, path)));
    }),
  );

interface MediaContext {
  readonly db: Database;
  readonly env: Pick<Env, 'FILES'>;
  /** The release that contains the changes. */
  readonly exceptRelease?: string | undefined;
}

/** @throws ApiError 409 with the places of use */
async function checkUnused(
  content: StoredContent,
  mediaId: string,
  { db, exceptRelease }: MediaContext,
): Promise<void> {
  const uses = [...usesOf(content, mediaId), ...(await usesInLongTexts(db, content, mediaId))];
  const releases = await releasesWith(db, mediaId, exceptRelease);
  const places = [
    ...uses.map((use) => placeOf(content, use)),
    ...releases.map(({ title }) => `the release “${title}”`),
  ];
  if (places.length > 0)
    throw conflict(`This picture is in use: ${places.join(', ')}. Choose another picture there first.`, {
      uses,
    });
}

/** @throws ApiError 422 that names the field */
function checkPictures(content: StoredContent, section: SectionName, values: Values): void {
  checkUses(content.media, section, values);
  const known = new Map(content.media.map(({ _id, values }) => [_id, values['path']]));
  for (const { field, path } of picturesOf(section, values))
    if (known.get(readMediaPath(path)?.id ?? '') !== path)
      throw invalid({ [field]: 'This picture is not in the library.' });
}

/**
 * Rejects removing a picture that is used, even if only in an open release. Also rejects using a picture that does not
 * exist or does not suit its field, and restoring a picture whose file is gone.
 * @param content the content after the change
 * @throws ApiError 409 with the places of use, or 422 that names the field
 */
export async function checkMedia(
  content: StoredContent,
  changes: readonly RecordChange[],
  context: MediaContext,
): Promise<void> {
  for (const { section, before, after } of changes) {
    const isPicture = section === 'media';
    if (isPicture && before && !after) await checkUnused(content, before._id, context);
    else if (isPicture && after && !before) {
      if (!(await hasFile(context.env, after.values['path'] ?? '')))
        throw conflict(
          `We no longer have the file of the picture ${after.values['name'] ?? ''}. Upload it again.`,
        );
    } else if (after) checkPictures(content, section, after.values);
  }
}
