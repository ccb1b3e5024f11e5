/**
 * Decides whether we accept a picture: detects its type from its bytes, and checks that it is complete and small
 * enough. We store GIF and SVG unchanged, so they may be animated. A PNG or WebP may not, because only one frame would
 * be left (store.ts). A file extension or declared type that does not match is an error.
 */
import { mediaTypes, type MediaType } from '#contract/media.ts';
import { inspectGif, inspectJpeg, inspectPng, inspectWebp } from './inspect-raster.ts';
import { inspectSvg } from './inspect-svg.ts';
import {
  hasSvgElement,
  isSvgWithDeclarations,
  photoTypeOf,
  pictureTypeOf,
  type PictureSize,
} from './picture-type.ts';
import { refuse, truncated } from './refusals.ts';

/** The maximum width and height in pixels. https://developers.cloudflare.com/images/get-started/limits/ */
const maxSide = 12_000;

/** The maximum area in pixels. Same source. */
const maxPixels = 100_000_000;

interface Inspected {
  readonly type: MediaType;
  /** In pixels, as given in the file; undefined for an SVG that gives none. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const nameOf = (type: MediaType): string => mediaTypes[type][0].toUpperCase();

const endingOf = (fileName: string): string | undefined =>
  /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase();

/** Rejects a file whose name or declared type is for another kind of picture. */
function checkLabel(type: MediaType, fileName: string, declared: string): void {
  const ending = endingOf(fileName);
  const isNamedSo = ending === undefined || mediaTypes[type].some((one) => one === ending);
  const [declaredType = ''] = declared.toLowerCase().split(/[\s;]/);
  const isDeclaredSo = ['', type, 'application/octet-stream'].includes(
    declaredType.replace('image/jpg', 'image/jpeg'),
  );
  if (isNamedSo && isDeclaredSo) return;
  const label = isNamedSo ? declaredType : `.${ending}`;
  throw refuse(
    `The name of this file says ${label}, but it is a ${nameOf(type)}. Save it as a ${nameOf(type)}, or rename it, and upload it again.`,
  );
}

const inspectors: Readonly<Record<MediaType, (bytes: Uint8Array) => Partial<PictureSize>>> = {
  'image/png': inspectPng,
  'image/jpeg': inspectJpeg,
  'image/webp': inspectWebp,
  'image/gif': inspectGif,
  'image/svg+xml': inspectSvg,
};

/**
 * The type of a picture that we accept.
 * @throws ApiError 422 for any other file, with what to do about it
 */
function takenTypeOf(bytes: Uint8Array, fileName: string): MediaType {
  if (bytes.length === 0) throw refuse('This file is empty.');
  const type = pictureTypeOf(bytes);
  if (type) return type;
  if (isSvgWithDeclarations(bytes))
    throw refuse(
      'This SVG begins with declarations in square brackets (such as <!ENTITY …>), which we do not accept because they can hide what a file contains. Export it again as a plain SVG: in Illustrator with Export As, in Inkscape as Optimized SVG.',
    );
  const photo = photoTypeOf(bytes);
  if (photo === 'image/heic')
    throw refuse(
      'This is a HEIC photo, which most browsers do not show. Send it as a JPEG: on an iPhone, choose Most Compatible in Settings, Camera, Formats before you take the photo; on a Mac, open it in Preview and export it as JPEG.',
    );
  if (photo === 'image/avif')
    throw refuse(
      'This is an AVIF picture, which we do not accept. Save it as a JPEG or PNG, and upload that.',
    );
  if (endingOf(fileName) === 'svg' && hasSvgElement(bytes)) return 'image/svg+xml';
  throw refuse('This is not a picture that can be shown. Upload a PNG, JPEG, WebP, GIF or SVG file.');
}

function checkSize({ width, height }: PictureSize): void {
  if (width === 0 || height === 0) throw truncated();
  if (Math.max(width, height) > maxSide || width * height > maxPixels)
    throw refuse(
      `This picture is ${width} × ${height} pixels. The limit is 12,000 pixels on a side and 100 million in total. Make it smaller, then upload it again.`,
    );
}

/** @throws ApiError 422 that says why we do not accept the file */
export function inspect(bytes: Uint8Array, fileName: string, declared: string): Inspected {
  const type = takenTypeOf(bytes, fileName);
  checkLabel(type, fileName, declared);
  const { width, height } = inspectors[type](bytes);
  if (width !== undefined && height !== undefined && type !== 'image/svg+xml') checkSize({ width, height });
  return { type, width, height };
}
