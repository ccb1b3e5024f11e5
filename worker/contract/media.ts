/**
 * Addresses and limits of pictures. The address of a picture, `/media/{id}/{name}`, contains the hash of its bytes, so
 * its content never changes. Caches may keep it, and the Worker serves it without a database query.
 */
import { slugFrom } from './addresses.ts';
import { idPattern } from './ids.ts';

/** The maximum size of a file, in bytes. */
export const maxMediaBytes = 10 * 1024 * 1024;

/** The types that can be detected from bytes, and their file extensions. */
export const mediaTypes = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/svg+xml': ['svg'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type MediaType = keyof typeof mediaTypes;

/**
 * The widths of a picture's WebP variants, in pixels. The largest variant of a smaller picture has the picture's own
 * width.
 */
const mediaWidths = [480, 960, 1440, 1920] as const;

/** The largest variant. A path without a width is the picture at this width, or at its own width if that is smaller. */
export const fullWidth = 1920;

/** The part of a picture that stays in view when a page crops it. */
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
  `^/media/(?<id>${idPattern})/(?:[a-z0-9-]+-)?(?<hash>[0-9a-f]{24})(?:-(?<width>[1-9][0-9]{1,3}))?\\.(?<ending>webp|jpg|png|gif|svg)$`,
);

export interface MediaPath {
  readonly id: string;
  /**
   * The beginning of the SHA-256 of the uploaded file, in hex. If the sweep might delete objects under that hash, it is
   * the hash of another text (`worker/media/store.ts`).
   */
  readonly hash: string;
  /** Absent for the largest variant. */
  readonly width: number | undefined;
  readonly ending: string;
}

/** Parses the path of a picture; undefined for other paths. */
export function readMediaPath(path: string): MediaPath | undefined {
  const found = pathParts.exec(path)?.groups;
  if (!found) return undefined;
  const { id = '', hash = '', width, ending = '' } = found;
  return { id, hash, ending, width: width === undefined ? undefined : Number(width) };
}

/** The maximum length of the readable part of a picture's name, in characters. */
const maxNameLength = 40;

/** The path of a picture. @param fileName the name of the uploaded file */
export function mediaPath(id: string, fileName: string, hash: string, ending: string): string {
  const words = slugFrom(fileName.replace(/\.[^.]*$/, ''))
    .slice(0, maxNameLength)
    .replace(/-$/, '');
  return `/media/${id}/${words === '' ? '' : `${words}-`}${hash}.${ending}`;
}

/** The widths of the smaller variants of a picture. @param width the picture's own width, in pixels */
export const smallerWidths = (width: number): readonly number[] => mediaWidths.filter((one) => one < width);

/** The path of the picture as JPEG, for programs that may not support WebP. */
export const jpegPath = (path: string): string => path.replace(/(^\/media\/.*)\.webp$/, '$1.jpg');

/** The sizes of icons in pixels: in browser tabs, and on home screens. Icons are square. */
export const iconSizes = { tab: 48, homeScreen: 180 } as const;

/** The path of a picture as an icon. A picture outside the library has only one size. */
export const iconPath = (path: string, size: number): string =>
  path.replace(/(^\/media\/.*)\.webp$/, `$1-${size}.png`);

/** The path of a smaller variant of a raster picture. */
export const variantPath = (path: string, width: number): string => path.replace(/\.webp$/, `-${width}.webp`);
