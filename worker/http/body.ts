/** One way to read a body: size first, then JSON (or, where a call allows it, a plain form), then the schema. */
import type { Context } from 'hono';
import { type z } from 'zod';
import { fieldErrorsOf } from '#contract/field-errors.ts';
import type { AppEnv } from './app.ts';
import { ApiError, badRequest, invalid } from './errors.ts';

/** Largest body of a call, in bytes. */
export const maxBodyBytes = 64 * 1024;

const tooLarge = () => new ApiError(413, 'This is too large: at most 64 KiB can be sent at once.');

/** The raw body as text, read up to the limit, which the length header cannot change. */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('Content-Length') ?? 0) > maxBodyBytes) throw tooLarge();
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxBodyBytes) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return await new Blob(chunks as BlobPart[])
      .arrayBuffer()
      .then((bytes) => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw badRequest('The body is not valid UTF-8.');
  }
}

/** Whether a request comes from a plain HTML form rather than from a script. */
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

/** A value that holds against the schema, or an error 422 that names the fields. */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(fieldErrorsOf(result));
  return result.data;
}

/**
 * The body of a call, as yet unchecked; one that is not there counts as empty.
 * @throws ApiError 400 malformed, 413 too large
 */
export async function readObject(c: Context<AppEnv>): Promise<Readonly<Record<string, unknown>>> {
  const body = parse(await readText(c.req.raw), isFormPost(c));
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('The body must be an object.');
  return body as Readonly<Record<string, unknown>>;
}
