/**
 * Defines what a call is. A call's entry says who may make it, what it accepts and what it returns. The Worker's
 * handlers, the browser's calls and the description of the API (OpenAPI) derive from it. A call is named by its method
 * and path, as in `'PUT /order/:id'`, so that a browser needs only the types of an entry (docs/decisions/contract.md).
 */
import type { z } from 'zod';
import type { Audience } from './audience.ts';
import type { AuditAction } from './audit.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Method and path below `/api`. `:id` and `:change` are ids, `:revision` is the number of a revision. */
export type CallName = `${Method} /${string}`;

export interface Call {
  /** A short text for the description of the API. */
  readonly about: string;
  readonly who: Audience;
  /** Whether the caller must have confirmed their identity within the last ten minutes. A sign-in counts. */
  readonly confirmed?: true;
  /** The action to record in the audit log when the call succeeds. */
  readonly audited?: AuditAction;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The maximum size of the body in bytes, if it is not `defaultMaxBodyBytes`. */
  readonly maxBodyBytes?: number;
  /**
   * The answer: a schema for JSON, `page` for a page or a redirect, or a media type for a file. Absent if the call
   * returns nothing.
   */
  readonly answer?: z.ZodType | 'page' | `${string}/${string}`;
  /** The status of a success. The default is 200, or 204 without an answer. */
  readonly status?: 201 | 202;
  /**
   * The error statuses of this call, besides those of its audience, confirmation, id and fields. If they include 429,
   * Cloudflare's rate limit applies too.
   */
  readonly problems?: readonly (401 | 403 | 404 | 409 | 412 | 422 | 429)[];
  /**
   * What the call accepts besides JSON:
   * - `form`: a plain HTML form.
   * - `signed`: a body with a signature. There is no same-origin check.
   * - `one-click`: a POST from anyone who has the address (RFC 8058). There is no same-origin check, and the body is
   *   ignored.
   * - `file`: multipart/form-data, which the handler reads itself.
   * - `bytes`: application/octet-stream with a Content-Length, which the handler streams.
   */
  readonly accepts?: 'form' | 'signed' | 'one-click' | 'file' | 'bytes';
  /** Open screens make this call automatically, so it does not keep an idle session alive. */
  readonly background?: true;
  readonly headers?: readonly (keyof typeof headerNames | 'If-None-Match')[];
}

/** The names of the headers in handlers and screens. Browsers add `If-None-Match` automatically. */
export const headerNames = {
  /** The id of the draft that this save completes and deletes. */
  Draft: 'draftId',
  /** Repeated requests with the same key make one change. */
  'Idempotency-Key': 'idempotencyKey',
  /** The version that the change is based on, from the ETag of a read. */
  'If-Match': 'ifMatch',
} as const;

/** The default maximum size of a body, in bytes. */
export const defaultMaxBodyBytes = 64 * 1024;

export type CallTable = Readonly<Record<CallName, Call>>;

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

export type Output<S extends z.ZodType> = DeepReadonly<z.output<S>>;

/** The body of a call; `undefined` if it has none. */
export type BodyOf<C extends Call> = C extends { readonly body: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
export type QueryOf<C extends Call> = C extends { readonly query: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
export type HeadersOf<C> = C extends { readonly headers: readonly (infer H)[] }
  ? { readonly [N in H & keyof typeof headerNames as (typeof headerNames)[N]]: string | undefined }
  : unknown;
/** The answer of a call: `undefined` if it has none, `Response` for a page or a file. */
export type AnswerOf<C extends Call> = C extends { readonly answer: infer S }
  ? S extends z.ZodType
    ? Output<S>
    : Response
  : undefined;

export function splitCallName(name: CallName): readonly [method: Method, path: string] {
  const space = name.indexOf(' ');
  return [name.slice(0, space) as Method, name.slice(space + 1)];
}
