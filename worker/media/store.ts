/**
 * Stores pictures in the bucket, under the hash of their bytes: `media/{hash}/original` and the variants that pages
 * show. Pages show PNG, JPEG and WebP as WebP in several widths. Cloudflare Images creates these once, without the
 * file's metadata, which may contain where a photo was taken. GIF and SVG are shown unchanged.
 */
import { fullWidth, iconSizes, mediaPath, smallerWidths, type MediaPath } from '#contract/media.ts';
import { newId, toHex } from '#contract/ids.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { invalid } from '../http/errors.ts';
import { dayMs, hourMs } from '../http/clock.ts';
import { inspect } from './inspect.ts';
import { neededHashes } from './needed.ts';

export type MediaEnv = Pick<Env, 'FILES' | 'IMAGES'>;

export const mediaFolder = 'media/';

const keyOf = (hash: string, file: string) => `${mediaFolder}${hash}/${file}`;
export const originalKey = (hash: string): string => keyOf(hash, 'original');

/** The key of the bytes at a path. */
export const keyOfPath = ({ hash, width, ending }: MediaPath): string =>
  ending === 'webp' || ending === 'jpg' || ending === 'png'
    ? keyOf(hash, `${width === undefined ? 'full' : String(width)}.${ending}`)
    : originalKey(hash);

interface Size {
  readonly width: string;
  readonly height: string;
}

/**
 * Error codes of Cloudflare Images for a file that is not a picture, has too many pixels, has an unsupported format, or
 * is broken. All other codes are about the service or its quota
 * (https://developers.cloudflare.com/images/reference/troubleshooting/#error-responses-from-resizing).
 */
const unreadable: readonly unknown[] = [9412, 9413, 9520, 9523];

/**
 * Runtime messages that have the code 9523 but are about the service: its response did not come from Images, or was not
 * a picture (https://github.com/cloudflare/workerd/blob/main/src/cloudflare/internal/images-api.ts). An error 500 may
 * be the picture's fault, because the local binding returns it for a broken picture.
 */
const ofTheService =
  /^Unexpected error response (429|50[1-9]|5[1-9]\d)|No content-type on bindings response$/;

const isUnreadable = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  unreadable.includes(error.code) &&
  !ofTheService.test(error.message);

/**
 * Scales a picture down to a maximum width in pixels, as WebP.
 * @throws ApiError 422 if it cannot be read
 */
async function resize({ IMAGES }: MediaEnv, bytes: Uint8Array<ArrayBuffer>, width: number) {
  try {
    const result = await IMAGES.input(new Blob([bytes]).stream())
      .transform({ width, fit: 'scale-down' })
      .output({ format: 'image/webp' });
    return new Uint8Array(await result.response().arrayBuffer());
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    throw invalid({
      file: 'This picture cannot be read: the file is damaged. Save it again, then upload it.',
    });
  }
}

/**
 * Creates the JPEG of a variant, on white, at its first request. Mail programs and the sites that show shared links
 * may not read WebP.
 */
export async function writeJpeg({ FILES, IMAGES }: MediaEnv, media: MediaPath): Promise<void> {
  const shown = await FILES.get(keyOfPath({ ...media, ending: 'webp' }));
  if (!shown) return;
  const result = await IMAGES.input(shown.body as ReadableStream<Uint8Array>).output({
    format: 'image/jpeg',
    background: '#ffffff',
  });
  const bytes = await result.response().arrayBuffer();
  await FILES.put(keyOfPath({ ...media, ending: 'jpg' }), bytes, {
    httpMetadata: { contentType: 'image/jpeg' },
  });
}

/** Creates the PNG of an icon at its first request. Home screens may not read WebP. */
export async function writeIcon({ FILES, IMAGES }: MediaEnv, media: MediaPath): Promise<void> {
  const size = Object.values(iconSizes).find((one) => one === media.width);
  if (size === undefined) return;
  const full = await FILES.get(keyOfPath({ ...media, width: undefined, ending: 'webp' }));
  if (!full) return;
  const result = await IMAGES.input(full.body as ReadableStream<Uint8Array>)
    .transform({ width: size, height: size, fit: 'cover' })
    .output({ format: 'image/png' });
  const bytes = await result.response().arrayBuffer();
  await FILES.put(keyOfPath(media), bytes, { httpMetadata: { contentType: 'image/png' } });
}

/** @returns the size of the largest */
async function writeVariants(env: MediaEnv, hash: string, bytes: Uint8Array<ArrayBuffer>): Promise<Size> {
  const put = (file: string, body: Uint8Array) =>
    env.FILES.put(keyOf(hash, file), body, { httpMetadata: { contentType: 'image/webp' } });
  const full = await resize(env, bytes, fullWidth);
  await put('full.webp', full);
  // The size after rotation: a photo may be stored sideways.
  const { width = 0, height = 0 } = inspect(full, '', '');
  for (const smaller of smallerWidths(width)) await put(`${smaller}.webp`, await resize(env, bytes, smaller));
  return { width: String(width), height: String(height) };
}

/**
 * How long after an upload another upload of the same bytes shares its files, in ms. The sweep never deletes files this
 * recent.
 */
const sharedForMs = 12 * hourMs;

const hashOf = async (bytes: BufferSource): Promise<string> =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).slice(0, 12));

/**
 * The folder for the files of an upload. It is named by the hash of the bytes if that folder is empty or safe from the
 * sweep, which spares recent files and those that a picture needs. The sweep may delete old unneeded files at any
 * moment, so an upload of the same bytes then gets a different hash.
 * @returns the original if it is already stored
 */
async function placeFor({ FILES }: MediaEnv, db: Database, bytes: Uint8Array<ArrayBuffer>, now: number) {
  const hash = await hashOf(bytes);
  const { objects } = await FILES.list({ prefix: keyOf(hash, '') });
  const isShared =
    objects.length === 0 ||
    objects.some(({ uploaded }) => now - uploaded.getTime() < sharedForMs) ||
    // The file is kept for a day even if its picture is removed now.
    (await neededHashes(db, now + dayMs)).has(hash);
  if (!isShared) return { hash: await hashOf(new TextEncoder().encode(hash + newId())), known: null };
  return { hash, known: objects.length === 0 ? null : await FILES.head(originalKey(hash)) };
}

/**
 * Stores a file. The original is written last, so its presence means that all variants exist. A second upload of
 * the same bytes then has nothing left to do.
 * @returns the id and the initial values of its record
 * @throws ApiError 422 that says why we do not accept the file
 */
export async function storeMedia(
  env: MediaEnv,
  db: Database,
  file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array<ArrayBuffer> },
  now = Date.now(),
) {
  const { type, width, height } = inspect(file.bytes, file.name, file.type);
  const { hash, known } = await placeFor(env, db, file.bytes, now);
  const isKept = type === 'image/gif' || type === 'image/svg+xml';
  const size: Size = {
    width: known?.customMetadata?.['width'] ?? String(width ?? ''),
    height: known?.customMetadata?.['height'] ?? String(height ?? ''),
    ...(!known && !isKept && (await writeVariants(env, hash, file.bytes))),
  };
  if (!known)
    await env.FILES.put(originalKey(hash), file.bytes, {
      httpMetadata: { contentType: type },
      customMetadata: { width: size.width, height: size.height },
    });
  const id = newId();
  const ending = isKept ? (type === 'image/gif' ? 'gif' : 'svg') : 'webp';
  const path = mediaPath(id, file.name, hash, ending);
  return { id, values: { name: file.name, path, type, ...size, bytes: String(file.bytes.length) } };
}
