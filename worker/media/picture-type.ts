/** Detects the type of a picture from its first bytes, for the media library and for files of orders. */
import type { MediaType } from '#contract/media.ts';

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

export const ascii = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length));

/** How many of a file's first bytes identify a picture. */
export const headLength = 4_096;
const headOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, headLength));

/** Matches comments and instructions in linear time. */
const passed = String.raw`(?:(?:<!--(?:(?!-->)[^])*-->|<\?(?:(?!\?>)[^])*\?>)\s*)*`;
/** Instructions, comments and a document type may come before the root of an SVG. */
const svgStart = new RegExp(
  String.raw`^\uFEFF?\s*${passed}(?:<!DOCTYPE\s+svg[^>[]*>\s*${passed})?<svg[\s>]`,
  'i',
);
/**
 * A document type with its own declarations, which Adobe Illustrator writes:
 * https://www.w3.org/TR/xml/#dt-doctype
 */
const svgWithDeclarations = new RegExp(String.raw`^\uFEFF?\s*${passed}<!DOCTYPE\s+svg[^>[]*\[`, 'i');

/**
 * The type of a picture, from its first bytes; undefined if it is not a picture.
 * @param bytes at least the first 4,096
 */
export function pictureTypeOf(bytes: Uint8Array): MediaType | undefined {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return 'image/webp';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif';
  return svgStart.test(headOf(bytes)) ? 'image/svg+xml' : undefined;
}

/**
 * Whether a file is an SVG with its own declarations, which is not a type that we accept.
 * @param bytes at least the first 4,096
 */
export const isSvgWithDeclarations = (bytes: Uint8Array): boolean => svgWithDeclarations.test(headOf(bytes));

/**
 * Whether a file contains an SVG element, possibly after something else.
 * @param bytes at least the first 4,096
 */
export const hasSvgElement = (bytes: Uint8Array): boolean => /<(?:\w+:)?svg[\s>]/i.test(headOf(bytes));

/**
 * The photo type given by the brands of an ISO media file (https://mp4ra.org/registered-types/brands). `mif1` and
 * `msf1` only say that there is a picture; the other brands then say which kind.
 * @param bytes at least the first 128
 */
export function photoTypeOf(bytes: Uint8Array): 'image/heic' | 'image/avif' | undefined {
  if (ascii(bytes, 4, 4) !== 'ftyp') return undefined;
  const brand = ascii(bytes, 8, 4);
  const others = ascii(bytes, 16, Math.min(bytes[3] ?? 0, 128) - 16);
  const isOpen = brand === 'mif1' || brand === 'msf1';
  if (/^avi[fs]$/.test(brand) || (isOpen && /avi[fs]/.test(others))) return 'image/avif';
  return isOpen || /^he(?:ic|ix|im|is|vc|vx|vm|vs)$/.test(brand) ? 'image/heic' : undefined;
}
