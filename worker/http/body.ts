/**
 * Reads the body of a request: checks its size, parses JSON or, where a call allows it, a plain form, and validates it
 * against the schema. Also reads the idempotency key.
 */
import type { Context } from 'hono';
import { type z } from 'zod';
import { defaultMaxBodyBytes } from '#contract/call.ts';
import { fieldErrorsOf } from '#contract/problem.ts';
import { fieldMessage } from './field-messages.ts';
import type { AppEnv } from './app.ts';
import { ApiError, badRequest, invalid } from './errors.ts';

const tooLarge = (maxBytes: number) =>
  new ApiError(413, `This is too large: at most ${Math.floor(maxBytes / 1024)} KiB can be sent at once.`);

/**
 * How many bytes beyond the limit are read and discarded. A client that is still sending does not read the response.
 */
const discardedBytes = 1_048_576;

/**
 * Reads a body up to a maximum size, regardless of its Content-Length.
 * @param tooLarge creates the error for a larger body
 * @param discarded how many bytes beyond the limit are read and discarded
 */
export async function readBytes(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  maxBytes: number,
  tooLarge: () => ApiError,
  discarded = 0,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers.get('Content-Length') ?? 0) > maxBytes + discarded) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBytes + discarded) break;
    if (size <= maxBytes) chunks.push(chunk);
  }
  if (size > maxBytes) throw tooLarge();
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The raw body as text. @throws ApiError 400 if it is not UTF-8, 413 if it is larger than `maxBytes` */
export async function readText(request: Request, maxBytes = defaultMaxBodyBytes): Promise<string> {
  const bytes = await readBytes(request, maxBytes, () => tooLarge(maxBytes), discardedBytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('The body is not valid UTF-8.');
  }
}

/** Whether a request comes from a plain HTML form and not from a script. */
export const isFormPost = (c: Context<AppEnv>): boolean =>
  (c.req.header('Content-Type') ?? '').startsWith('application/x-www-form-urlencoded');

function parse(text: string, form: boolean): unknown {
  if (form) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}

/** @throws ApiError 422 with an error for each invalid field */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: fieldMessage });
  if (!result.success) throw invalid(fieldErrorsOf(result));
  return result.data;
}

/**
 * The body of a call, before validation.
 * @throws ApiError 400 if it is malformed, 413 if it is too large
 */
export async function readObject(
  c: Context<AppEnv>,
  maxBytes?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const body = parse(await readText(c.req.raw, maxBytes), isFormPost(c));
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('The body must be an object.');
  return body as Readonly<Record<string, unknown>>;
}

/** @throws ApiError 400 if the key is malformed */
export function idempotencyKeyOf(c: Context<AppEnv>): string | undefined {
  const key = c.req.header('Idempotency-Key');
  if (key !== undefined && !/^[\w-]{8,100}$/.test(key))
    throw badRequest('Idempotency-Key takes 8 to 100 letters, digits, - or _.');
  return key;
}
