/** Sets of rendered pages, and the live one. */
import { contentPages, framePaths } from '#contract/screens.ts';
import type { SectionName } from '#contract/sections/index.ts';
import type { PublicationId } from '../content/publication.ts';
import type { StoredContent } from '../content/reader.ts';
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

/** What is live. Its pages are those that this isolate has read or rendered; a save reads them all. */
export interface Live extends PageSet, PublicationId {
  /** Content of this revision, where this isolate has read it; its pages are then complete. */
  readonly content: StoredContent | undefined;
  /** The sections that each page read, where this isolate rendered it from `content`. */
  readonly sections: ReadonlyMap<string, ReadonlySet<SectionName>>;
}

/** What is live, with its content: what a save and the editor start from. */
export type LiveContent = Live & { readonly content: StoredContent };

/** Every page that is rendered from the content: the content pages, then the frames. */
export const renderedPaths: readonly string[] = [
  ...contentPages.map(({ pattern }) => pattern),
  ...framePaths,
];

export const isFrame = ({ path }: RenderedPage): boolean => framePaths.includes(path);

export const noPages: PageSet = { pages: new Map(), frames: new Map() };

/** Whether the set has every one of these paths. */
export const hasPages = (set: PageSet | undefined, paths: readonly string[]): boolean =>
  set !== undefined && paths.every((path) => set.pages.has(path) || set.frames.has(path));

/** The pages, with the newer ones replacing the older. */
export function withPages({ pages: before, frames }: PageSet, newer: readonly LivePage[]): PageSet {
  const entries = (wanted: boolean) =>
    newer.filter((page) => isFrame(page) === wanted).map((page) => [page.path, page] as const);
  return {
    pages: new Map([...before, ...entries(false)]),
    frames: new Map([...frames, ...entries(true)]),
  };
}
