/**
 * The body of the one call that accepts a file (multipart/form-data, RFC 7578). It is read into one buffer of limited
 * size, and its parts are views of it; `Request.formData()` has no limit and copies the data.
 */
import { readBytes } from '../http/body.ts';
import { badRequest, type ApiError } from '../http/errors.ts';

type Bytes = Uint8Array<ArrayBuffer>;

export interface Part {
  /** Name of the file, for a part that is one. */
  readonly fileName: string | undefined;
  /** Type that the sender says; empty where it says none. */
  readonly type: string;
  readonly bytes: Bytes;
}

const encode = (text: string) => new TextEncoder().encode(text);

/** Where a sequence of bytes begins in others, or -1. */
function find(bytes: Bytes, wanted: Uint8Array, from = 0): number {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  return -1;
}

/** A value of a part's headers, in which browsers write line breaks and quotes as percent codes. */
const valueOf = (headers: string, pattern: RegExp): string | undefined =>
  pattern.exec(headers)?.[1]?.replace(/%(0A|0D|22)/gi, (code) => decodeURIComponent(code));

const endOfHeaders = encode('\r\n\r\n');

function readPart(part: Bytes): readonly [name: string, part: Part] {
  const end = find(part, endOfHeaders);
  const headers = new TextDecoder().decode(part.subarray(0, Math.max(0, end)));
  const name = valueOf(headers, /^content-disposition:[^\r\n]*[;\s]name="([^"]*)"/im);
  if (end < 0 || name === undefined) throw badRequest('The body is not valid multipart/form-data.');
  return [
    name,
    {
      fileName: valueOf(headers, /^content-disposition:[^\r\n]*[;\s]filename="([^"]*)"/im),
      type: (valueOf(headers, /^content-type:\s*([^;\s]*)/im) ?? '').toLowerCase(),
      bytes: part.subarray(end + endOfHeaders.length),
    },
  ];
}

const boundaryIn = /^multipart\/form-data\s*;.*\bboundary="?([^";]{1,70})"?/i;
const dash = '-'.charCodeAt(0);

/**
 * The parts of a body by their names.
 * @param tooLarge the error for a body over `maxBytes`
 * @throws ApiError 400 if the body is malformed or was cut off
 */
export async function readParts(
  request: Request,
  maxBytes: number,
  tooLarge: () => ApiError,
): Promise<ReadonlyMap<string, Part>> {
  const boundary = boundaryIn.exec(request.headers.get('Content-Type') ?? '')?.[1];
  const body = await readBytes(request, maxBytes, tooLarge);
  if (body.length < Number(request.headers.get('Content-Length') ?? 0))
    throw badRequest('The upload was cut off.');
  if (boundary === undefined) throw badRequest('Send the file as multipart/form-data.');
  const first = encode(`--${boundary}\r\n`);
  const between = encode(`\r\n--${boundary}`);
  const parts = new Map<string, Part>();
  for (let start = find(body, first); start >= 0;) {
    const next = find(body, between, start + first.length - 2);
    if (next < 0) throw badRequest('The upload was cut off.');
    const [name, part] = readPart(body.subarray(start + first.length, next));
    parts.set(name, part);
    const after = next + between.length;
    if (body[after] === dash && body[after + 1] === dash) return parts;
    start = next + 2;
  }
  throw badRequest('The body is not valid multipart/form-data.');
}
