/**
 * Checks that a PNG, JPEG, WebP or GIF is complete, and reads its size. Each function walks through a file from
 * beginning to end. It throws an ApiError 422 if the file was cut off, or is an animated PNG or WebP.
 */
import { ascii, type PictureSize } from './picture-type.ts';
import { refuse, truncated } from './refusals.ts';

const moving = () =>
  refuse(
    'This picture is animated, and making it smaller would keep only its first frame. Upload it as a GIF, which is kept as it is, or upload a single frame.',
  );

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** https://www.w3.org/TR/png-3/#5Chunk-layout */
export function inspectPng(bytes: Uint8Array): PictureSize {
  const view = viewOf(bytes);
  let size: PictureSize | undefined;
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const name = ascii(bytes, at + 4, 4);
    if (name === 'IHDR' && length >= 8)
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    if (name === 'acTL') throw moving();
    if (name === 'IEND' && size) return size;
    at += 12 + length;
  }
  throw truncated();
}

/** Frames that contain the size: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, table B.1. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

export function inspectJpeg(bytes: Uint8Array): PictureSize {
  const view = viewOf(bytes);
  let size: PictureSize | undefined;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker) && at + 9 <= bytes.length)
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    if (marker === 0xda) {
      // In image data, 0xff 0xd9 is always the end. Cameras may append data after it.
      for (let end = bytes.length - 2; end > at; end -= 1)
        if (bytes[end] === 0xff && bytes[end + 1] === 0xd9 && size) return size;
      break;
    }
    at += 2 + view.getUint16(at + 2);
  }
  throw truncated();
}

/** https://developers.google.com/speed/webp/docs/riff_container */
export function inspectWebp(bytes: Uint8Array): PictureSize {
  const view = viewOf(bytes);
  if (bytes.length < 30 || 8 + view.getUint32(4, true) > bytes.length) throw truncated();
  const kind = ascii(bytes, 12, 4);
  if (kind === 'VP8X') {
    if (((bytes[20] ?? 0) & 0x02) !== 0) throw moving();
    const sideAt = (at: number) => view.getUint16(at, true) + ((bytes[at + 2] ?? 0) << 16) + 1;
    return { width: sideAt(24), height: sideAt(27) };
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 };
  }
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
}

/** The position after a sequence of data blocks. https://www.w3.org/Graphics/GIF/spec-gif89a.txt, section 15 */
function afterBlocks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
    at += 1 + length;
    if (length === 0) return at;
  }
  throw truncated();
}

const colorTableBytes = (packed: number) => ((packed & 0x80) === 0 ? 0 : 3 * 2 ** ((packed & 0x07) + 1));

export function inspectGif(bytes: Uint8Array): PictureSize {
  if (bytes.length < 14) throw truncated();
  const view = viewOf(bytes);
  const size = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const [trailer, extension, image] = [0x3b, 0x21, 0x2c];
  let hasFrame = false;
  let at = 13 + colorTableBytes(bytes[10] ?? 0);
  while (bytes[at] !== trailer || !hasFrame) {
    if (bytes[at] === extension) at = afterBlocks(bytes, at + 2);
    else if (bytes[at] === image) {
      hasFrame = true;
      at = afterBlocks(bytes, at + 11 + colorTableBytes(bytes[at + 9] ?? 0));
    } else throw truncated();
  }
  return size;
}
