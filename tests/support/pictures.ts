/** Pictures generated for tests: correct files, and files with something wrong. */
import { crc32, deflateSync } from 'node:zlib';
import type { Answer, Visitor } from './visitor.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Concatenates bytes. A text stands for its character codes. */
function join(...parts: readonly (string | Iterable<number>)[]): Bytes {
  const codes = parts.map((part) =>
    typeof part === 'string' ? Array.from(part, (letter) => letter.charCodeAt(0)) : Array.from(part),
  );
  return new Uint8Array(codes.flat());
}

function number32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function chunk(name: string, body: Iterable<number>): Bytes {
  const named = join(name, body);
  return join(number32(named.length - 4), named, number32(crc32(named)));
}

/**
 * A PNG of one color.
 * @param extra chunks before the pixels, such as `acTL` for an animated PNG
 */
export function png(width: number, height: number, extra: Readonly<Record<string, string>> = {}): Bytes {
  const row = new Uint8Array(1 + width * 3).fill(0x5a, 1);
  const pixels = new Uint8Array(row.length * height);
  for (let line = 0; line < height; line += 1) pixels.set(row, line * row.length);
  return join(
    '\x89PNG\r\n\x1a\n',
    chunk('IHDR', join(number32(width), number32(height), [8, 2, 0, 0, 0])),
    ...Object.entries(extra).map(([name, text]) => chunk(name, join(text))),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', []),
  );
}

/** A GIF of one pixel with a number of frames. */
export function gif(frames: number): Bytes {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
  const start = join('GIF89a', [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  return join(start, ...Array.from({ length: frames }, () => frame), [0x3b]);
}

/** A JPEG of one pixel. */
export const jpeg = (): Bytes =>
  join(
    atob(
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
    ),
  );

/** @param root the attributes of the root element */
export const svgWith = (root: string, before = ''): Bytes =>
  new TextEncoder().encode(`${before}<svg xmlns="http://www.w3.org/2000/svg" ${root}><rect/></svg>`);

export const svg = (
  inside = '<rect width="40" height="30"/>',
  encoding: 'utf8' | 'latin1' = 'utf8',
): Bytes => {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 30">${inside}</svg>`;
  return encoding === 'utf8' ? new TextEncoder().encode(text) : join(text);
};

/** Uploads a file to the library, like the form does. */
export async function uploadPicture(
  administrator: Visitor,
  bytes: Bytes,
  name: string,
  { type = '', alt = '' }: { readonly type?: string; readonly alt?: string } = {},
): Promise<Answer> {
  const form = new FormData();
  form.set('file', new File([bytes], name, { type }));
  form.set('alt', alt);
  const encoded = new Response(form);
  return administrator.post('/api/media', new Uint8Array(await encoded.arrayBuffer()), {
    headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '' },
  });
}
