/** Sets of rendered pages, including the live set. */
import { contentFiles, contentPages, framePaths } from '#contract/screens.ts';
import type { SectionName } from '#contract/sections/index.ts';
import type { PublicationId } from '../content/publication.ts';
import type { StoredContent } from '../content/stored.ts';
import type { RenderedPage } from './render.ts';

export interface LivePage extends RenderedPage {
  /** The revision at which the page last changed. */
  readonly revision: number;
}

/** Rendered pages by path. Frames are separate, so that the fast path to a page can never return one. */
export interface PageSet {
  readonly pages: ReadonlyMap<string, LivePage>;
  readonly frames: ReadonlyMap<string, LivePage>;
}

/** The live state, with the pages that this isolate has read or rendered. A save reads all pages. */
export interface Live extends PageSet, PublicationId {
  /** Content of this revision, if this isolate has read it; its pages are then complete. */
  readonly content: StoredContent | undefined;
  /** The sections that each page read, if this isolate rendered it from `content`. */
  readonly sections: ReadonlyMap<string, ReadonlySet<SectionName>>;
}

/** The live state with its content: the starting point of saves and of the editor. */
export type LiveContent = Live & { readonly content: StoredContent };

export const hasContent = (live: Live | undefined): live is LiveContent => live?.content !== undefined;

/** The content pages of every site, in their canonical spelling, and the files for search engines and feed readers. */
export const contentPaths: readonly string[] = [
  ...contentPages.map(({ pattern }) => pattern),
  ...contentFiles,
];

/** Everything that every site renders. */
export const renderedPaths: readonly string[] = [...contentPaths, ...framePaths];

const fixedPaths: ReadonlySet<string> = new Set(renderedPaths);

/** Whether a path is a page that every site has. All other pages come from records (record-pages.ts). */
export const isFixedPath = (path: string): boolean => fixedPaths.has(path);

export const isFrame = ({ path }: RenderedPage): boolean => framePaths.includes(path);

export const noPages: PageSet = { pages: new Map(), frames: new Map() };

export const hasPages = (set: PageSet | undefined, paths: readonly string[]): boolean =>
  set !== undefined && paths.every((path) => set.pages.has(path) || set.frames.has(path));

/**
 * How many characters of pages from records an isolate keeps. Each takes one or two bytes, and another byte once
 * served.
 */
const maxCharacters = 8_000_000;

/** Drops the pages from records that were read first, if there are too many. */
function withinBudget(pages: ReadonlyMap<string, LivePage>): ReadonlyMap<string, LivePage> {
  let characters = 0;
  const kept = [...pages].toReversed().filter(([path, { html }]) => {
    if (isFixedPath(path)) return true;
    characters += html.length;
    return characters <= maxCharacters;
  });
  return new Map(kept.toReversed());
}

/**
 * The pages with the newer ones in place of the older. A page without HTML comes from a record and is read or rendered
 * at its next request.
 */
export function withPages({ pages: before, frames }: PageSet, newer: readonly LivePage[]): PageSet {
  const entries = (wanted: boolean) =>
    newer
      .filter((page) => isFrame(page) === wanted && page.html !== '')
      .map((page) => [page.path, page] as const);
  const replaced = new Set(newer.map(({ path }) => path));
  const others = [...before].filter(([path]) => isFixedPath(path) || !replaced.has(path));
  return {
    pages: withinBudget(new Map([...others, ...entries(false)])),
    frames: new Map([...frames, ...entries(true)]),
  };
}
