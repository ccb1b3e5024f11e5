/**
 * What a call is. Its entry says all of itself: who may make it, what it takes and what it answers. The Worker's
 * handlers, the browser's calls and the description of the API (OpenAPI) derive from it. A call is named by its method
 * and path, as in `'PUT /order/:id'`, so that a browser needs the types of an entry and nothing of it at run time
 * (docs/decisions/contract.md).
 */
import type { z } from 'zod';
import type { Audience } from './audience.ts';
import type { AuditAction } from './audit.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Method and path below `/api`; `:id` and `:change` stand for ids, `:revision` for the number of a revision. */
export type CallName = `${Method} /${string}`;

export interface Call {
  /** One sentence for anyone who reads the description of the API. */
  readonly about: string;
  readonly who: Audience;
  /**
   * Whether the caller must have confirmed their identity within ten minutes, by a sign-in or a password typed again.
   */
  readonly confirmed?: true;
  /** The action that is audited each time the call succeeds. */
  readonly audited?: AuditAction;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Largest body, where it is not the usual one. */
  readonly maxBodyBytes?: number;
  /**
   * The JSON that it answers. `page`: a redirect or a page, for a browser that goes there; a text: a file of that media
   * type. Absent: nothing.
   */
  readonly answer?: z.ZodType | 'page' | `${string}/${string}`;
  /** Status of its success; by default 200, and 204 where it answers nothing. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Problems that belong to this call, besides those of its audience, its id and its fields. */
  readonly problems?: readonly (401 | 403 | 404 | 409 | 412 | 422 | 429)[];
  /**
   * `form`: a plain HTML form may post here too. `signed`: no same-origin check, the body carries a signature. `one-click`:
   * no same-origin check, the body is not looked at: anyone who has the address may (RFC 8058).
   * `file`: it takes multipart/form-data, which its handler reads itself. `bytes`: it takes application/octet-stream, whose
   * length is announced, and hands it on as it comes.
   */
  readonly accepts?: 'form' | 'signed' | 'one-click' | 'file' | 'bytes';
  /** Screens make it by themselves while they are open, so that it is no use of the session, which ends when it is idle. */
  readonly background?: true;
  /** Request headers of its own. */
  readonly headers?: readonly (keyof typeof headerNames | 'If-None-Match')[];
}

/** What handlers and screens call the headers of a call's own. A browser adds `If-None-Match` by itself. */
export const headerNames = {
  /** The id of the draft that is saved, which is then deleted. */
  Draft: 'draftId',
  /** The same key makes a repeated submit one change. */
  'Idempotency-Key': 'idempotencyKey',
  /** The version that the change was made from, as the ETag of a read gave it. */
  'If-Match': 'ifMatch',
} as const;

/** Largest body of a call, in bytes, where its entry names no other. */
export const usualBodyBytes = 64 * 1024;

/** Entries by the names of their calls. */
export type CallTable = Readonly<Record<CallName, Call>>;

/** A deeply read-only value, as services pass it on. */
export type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The type that a schema describes. */
export type Output<S extends z.ZodType> = DeepReadonly<z.output<S>>;

/** What a call takes: `undefined` where it takes nothing. */
export type BodyOf<C extends Call> = C extends { readonly body: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
export type QueryOf<C extends Call> = C extends { readonly query: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
/** The headers that a call declares, by their names. */
export type HeadersOf<C> = C extends { readonly headers: readonly (infer H)[] }
  ? { readonly [N in H & keyof typeof headerNames as (typeof headerNames)[N]]: string | undefined }
  : unknown;
/** What a call answers: `undefined` where it answers nothing, `Response` where it is a page or a file. */
export type AnswerOf<C extends Call> = C extends { readonly answer: infer S }
  ? S extends z.ZodType
    ? Output<S>
    : Response
  : undefined;

/** The method and the path of a call. */
export function splitCallName(name: CallName): readonly [method: Method, path: string] {
  const space = name.indexOf(' ');
  return [name.slice(0, space) as Method, name.slice(space + 1)];
}
