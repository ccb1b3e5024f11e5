/**
 * Pictures as browser and server agree on them. The address of a picture, `/media/{id}/{name}`, contains the hash of
 * its bytes and so never changes its content: caches may keep it, and it is served without asking the database.
 */
import { idPattern } from './ids.ts';

/** Largest file, in bytes. */
export const maxMediaBytes = 10 * 1024 * 1024;

/** Longest side in pixels. https://developers.cloudflare.com/images/get-started/limits/ */
export const maxMediaSide = 12_000;

/** Largest area in pixels, from the same source. */
export const maxMediaPixels = 100_000_000;

/** Types as their bytes say, and how the name of a file of each ends. */
export const mediaTypes = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/svg+xml': ['svg'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type MediaType = keyof typeof mediaTypes;

/** The widths in pixels of the WebP variants of a picture; a smaller picture keeps its own width as the largest. */
const mediaWidths = [480, 960, 1440, 1920] as const;

/** The largest of them; the path without a width names the picture at this width or its own. */
export const fullWidth = 1920;

/** The position of the subject in a picture, which stays in view when a page crops it. */
export const focusPositions = [
  'center',
  'top',
  'bottom',
  'left',
  'right',
  'top left',
  'top right',
  'bottom left',
  'bottom right',
] as const;

const pathParts = new RegExp(
  `^/media/(?<id>${idPattern})/(?:[a-z0-9-]+-)?(?<hash>[0-9a-f]{24})(?:-(?<width>[1-9][0-9]{2,3}))?\\.(?<ending>webp|jpg|gif|svg)$`,
);

/** What the path of a picture says of it. */
export interface MediaPath {
  readonly id: string;
  /**
   * The beginning of the SHA-256 of the uploaded file, in hex; of another text if the sweep might delete there
   * (`worker/media/store.ts`).
   */
  readonly hash: string;
  /** Absent for the largest. */
  readonly width: number | undefined;
  readonly ending: string;
}

/** Reads the path of a picture; undefined for any other. */
export function readMediaPath(path: string): MediaPath | undefined {
  const found = pathParts.exec(path)?.groups;
  if (!found) return undefined;
  const { id = '', hash = '', width, ending = '' } = found;
  return { id, hash, ending, width: width === undefined ? undefined : Number(width) };
}

/** How long the readable part of a picture's name may be. */
const longestName = 40;

/** The path of a picture. @param fileName as it was uploaded */
export function mediaPath(id: string, fileName: string, hash: string, ending: string): string {
  const words = fileName
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestName)
    .replace(/^-+|-+$/g, '');
  return `/media/${id}/${words === '' ? '' : `${words}-`}${hash}.${ending}`;
}

/** The widths below its own in which a picture is kept. @param width its own, in pixels */
export const smallerWidths = (width: number): readonly number[] => mediaWidths.filter((one) => one < width);

/** The path of the same picture for other programs than browsers, which may not read WebP. */
export const jpegPath = (path: string): string => path.replace(/(^\/media\/.*)\.webp$/, '$1.jpg');

/** The path of a smaller variant of a picture made of pixels. */
export const variantPath = (path: string, width: number): string => path.replace(/\.webp$/, `-${width}.webp`);
