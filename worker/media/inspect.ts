/**
 * The type of a picture, by its bytes, and whether it is complete and small enough. GIF and SVG stay as they are and may
 * move; a PNG or WebP may not, because only one frame of it would be left (store.ts). A different name or declared type
 * is treated as a mistake.
 */
import { maxMediaPixels, maxMediaSide, mediaTypes, type MediaType } from '#contract/media.ts';
import { invalid } from '../http/errors.ts';
import { drawingFault } from './well-formed.ts';

export interface Inspected {
  readonly type: MediaType;
  /** In pixels, as the file says; absent for an SVG that says none. */
  readonly width: number | undefined;
  readonly height: number | undefined;
}

const refuse = (sentence: string) => invalid({ file: sentence });
const truncated = () =>
  refuse('This file ends before the picture does: it was cut off on the way. Please upload it again.');
const moving = () =>
  refuse(
    'This picture is animated, and making it smaller would leave its first frame alone. Upload it as a GIF, which is kept as it is, or upload one frame of it.',
  );

/** Bytes as ASCII text. */
export const ascii = (bytes: Uint8Array, start: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(start, start + length));
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

interface Size {
  readonly width: number;
  readonly height: number;
}

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
function inspectPng(bytes: Uint8Array): Size {
  const view = viewOf(bytes);
  let size: Size | undefined;
  for (let at = 8; at + 12 <= bytes.length;) {
    const [length, name] = [view.getUint32(at), ascii(bytes, at + 4, 4)];
    if (name === 'IHDR' && length >= 8)
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (name === 'acTL') throw moving();
    if (name === 'IEND' && size) return size;
    at += 12 + length;
  }
  throw truncated();
}

/** Frames that hold the size: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function inspectJpeg(bytes: Uint8Array): Size {
  const view = viewOf(bytes);
  let size: Size | undefined;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker) && at + 9 <= bytes.length)
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda) {
      // In image data 0xff 0xd9 is always the end; cameras may append data after it.
      for (let end = bytes.length - 2; end > at; end -= 1)
        if (bytes[end] === 0xff && bytes[end + 1] === 0xd9 && size) return size;
      break;
    }
    at += 2 + view.getUint16(at + 2);
  }
  throw truncated();
}

/** https://developers.google.com/speed/webp/docs/riff_container */
function inspectWebp(bytes: Uint8Array): Size {
  const view = viewOf(bytes);
  if (bytes.length < 30 || 8 + view.getUint32(4, true) > bytes.length) throw truncated();
  const kind = ascii(bytes, 12, 4);
  if (kind === 'VP8X') {
    if (((bytes[20] ?? 0) & 0x02) !== 0) throw moving();
    const three = (at: number) => view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16) + 1;
    return { width: three(24), height: three(27) };
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** The place after a chain of data blocks. https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 15 */
function afterBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
    at += 1 + length;
    if (length === 0) return at;
  }
  throw truncated();
}

const colorTableBytes = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1));

function inspectGif(bytes: Uint8Array): Size {
  if (bytes.length < 14) throw truncated();
  const view = viewOf(bytes);
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  let frames = 0;
  for (let at = 13 + colorTableBytes(bytes[10] ?? 0); ;) {
    const block = bytes[at];
    if (block === 0x3b && frames > 0) return size;
    if (block === 0x21) at = afterBlocks(bytes, at + 2);
    else if (block === 0x2c) {
      frames += 1;
      at = afterBlocks(bytes, at + 11 + colorTableBytes(bytes[at + 9] ?? 0));
    } else throw truncated();
  }
}

/** Comments, matched so that the time grows with their length and not with its square. */
const comments = String.raw`(?:<!--(?:(?!-->)[^])*-->\s*)*`;
const declaration = String.raw`^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?`;
/** Before the root of an SVG may stand a declaration, comments and a document type. */
const svgStart = new RegExp(
  String.raw`${declaration}${comments}(?:<!DOCTYPE\s+svg[^>[]*>\s*${comments})?<svg[\s>]`,
  'i',
);
/** A document type with declarations of its own, which Adobe Illustrator writes: https://www.w3.org/TR/xml/#dt-doctype */
const svgWithDeclarations = new RegExp(String.raw`${declaration}${comments}<!DOCTYPE\s+svg[^>[]*\[`, 'i');

/** The start tag of the root; a value in it may hold `>`. */
const svgRoot = /^<svg\b(?:"[^"]*"|'[^']*'|[^>"'])*>/i;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** How many bytes at the beginning identify a picture. */
const headLength = 4_096;
/** How much of a start tag is examined, in characters. */
const rootLength = 65_536;

/** A text without the comments and the white space at its end. */
function withoutEnd(text: string): string {
  let kept = text.trimEnd();
  while (kept.endsWith('-->')) kept = kept.slice(0, Math.max(0, kept.lastIndexOf('<!--'))).trimEnd();
  return kept;
}

/**
 * Another encoding than UTF-8 is named in the first line; the text of such a file is read as far as ASCII goes, which all
 * of its markup is.
 */
function svgText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const isNamed = /^<\?xml[^>]*\bencoding\s*=\s*["'](?!utf-8)/i.test(text.slice(0, headLength));
  if (!isNamed && text.includes('\uFFFD') && !isUtf8(bytes))
    throw refuse(
      'Browsers cannot draw this SVG: it holds characters that are not UTF-8. Save it as UTF-8, and upload it again.',
    );
  return text;
}

function inspectSvg(text: string): Partial<Size> {
  // The text before the root may mention another one.
  const before = svgStart.exec(text.slice(0, headLength))?.[0] ?? '';
  const start = Math.max(0, before.length - '<svg '.length);
  const root = svgRoot.exec(text.slice(start, start + rootLength))?.[0] ?? '';
  const kept = withoutEnd(text);
  const isEmpty = root.endsWith('/>') && start + root.length === kept.length;
  if (!isEmpty && kept.slice(-'</svg>'.length).toLowerCase() !== '</svg>') throw truncated();
  const fault = drawingFault(text);
  if (fault !== undefined)
    throw refuse(
      `Browsers cannot draw this SVG: ${fault}. Mend that, or export the drawing again, and upload it.`,
    );
  const valueOf = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root)?.slice(1).join('').trim() ?? '';
  const length = (name: string) => Number(/^([0-9.]+)(?:px)?$/.exec(valueOf(name))?.[1]);
  const [, , boxWidth = NaN, boxHeight = NaN] = valueOf('viewBox')
    .split(/[\s,]+/)
    .map(Number);
  const [width, height] = [
    Math.round(length('width') || boxWidth),
    Math.round(length('height') || boxHeight),
  ];
  return width > 0 && height > 0 ? { width, height } : {};
}

/**
 * What the brands of an ISO media file say of a photo (https://mp4ra.org/registered-types/brands). `mif1` and `msf1` say
 * only that there is a picture; then the other brands tell which.
 * @param bytes the first 128 do
 */
export function photoTypeOf(bytes: Uint8Array): 'image/heic' | 'image/avif' | undefined {
  if (ascii(bytes, 4, 4) !== 'ftyp') return undefined;
  const brand = ascii(bytes, 8, 4);
  const others = ascii(bytes, 16, Math.min(bytes[3] ?? 0, 128) - 16);
  const isOpen = brand === 'mif1' || brand === 'msf1';
  if (/^avi[fs]$/.test(brand) || (isOpen && /avi[fs]/.test(others))) return 'image/avif';
  return isOpen || /^he(?:ic|ix|im|is|vc|vx|vm|vs)$/.test(brand) ? 'image/heic' : undefined;
}

const headOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes.subarray(0, headLength));

/** The type of a picture, by how its bytes begin; undefined for what is none. @param bytes the first 4,096 do */
export function pictureTypeOf(bytes: Uint8Array): MediaType | undefined {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') return 'image/webp';
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'image/gif';
  return svgStart.test(headOf(bytes)) ? 'image/svg+xml' : undefined;
}

const nameOf = (type: MediaType): string => mediaTypes[type][0].toUpperCase();

/** Refuses a file whose name or declared type names another kind of picture. */
function checkLabel(type: MediaType, fileName: string, declared: string): void {
  const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase();
  const isNamedSo = ending === undefined || mediaTypes[type].some((one) => one === ending);
  const [declaredType = ''] = declared.toLowerCase().split(/[\s;]/);
  const isDeclaredSo = ['', type, 'application/octet-stream'].includes(
    declaredType.replace('image/jpg', 'image/jpeg'),
  );
  if (isNamedSo && isDeclaredSo) return;
  const label = isNamedSo ? declaredType : `.${ending}`;
  throw refuse(
    `The name of this file says ${label}, and it is a ${nameOf(type)}. Save it as a ${nameOf(type)}, or rename it, and upload it again.`,
  );
}

/** @throws ApiError 422 that says why the file cannot be taken */
export function inspect(bytes: Uint8Array, fileName: string, declared: string): Inspected {
  const type = pictureTypeOf(bytes);
  if (bytes.length === 0) throw refuse('This file is empty.');
  if (!type && svgWithDeclarations.test(headOf(bytes)))
    throw refuse(
      'This SVG begins with declarations in square brackets (such as <!ENTITY …>), which we do not take because they can hide what a file holds. Export it again as a plain SVG: in Illustrator with Export As, in Inkscape as Optimized SVG.',
    );
  const photo = photoTypeOf(bytes);
  if (photo === 'image/heic')
    throw refuse(
      'This is a HEIC photo, which most browsers do not show. Send it as a JPEG: on an iPhone, choose Most Compatible in Settings, Camera, Formats before you take it; on a Mac, open it in Preview and export it as JPEG.',
    );
  if (photo === 'image/avif')
    throw refuse('This is an AVIF picture, which we do not take. Save it as a JPEG or PNG, and upload that.');
  if (!type)
    throw refuse('This is not a picture that can be shown. Upload a PNG, JPEG, WebP, GIF or SVG file.');
  checkLabel(type, fileName, declared);
  const inspectors: Readonly<Record<MediaType, () => Partial<Size>>> = {
    'image/png': () => inspectPng(bytes),
    'image/jpeg': () => inspectJpeg(bytes),
    'image/webp': () => inspectWebp(bytes),
    'image/gif': () => inspectGif(bytes),
    'image/svg+xml': () => inspectSvg(svgText(bytes)),
  };
  const { width, height } = inspectors[type]();
  if (width !== undefined && height !== undefined && type !== 'image/svg+xml') {
    if (width === 0 || height === 0) throw truncated();
    if (Math.max(width, height) > maxMediaSide || width * height > maxMediaPixels)
      throw refuse(
        `This picture is ${width} × ${height} pixels. We can take at most 12,000 on a side and 100 million in all: make it smaller and upload it again.`,
      );
  }
  return { type, width, height };
}
