/** The only way to call the API from the browser: by the call's name, with JSON and problem details. */
import type { z } from 'zod';
import { callAddress, type KnownCall } from '#contract/call-address.ts';
import { headerNames, splitCallName, type HeadersOf, type Output } from '#contract/call.ts';
import type { Calls } from '#contract/all-calls.ts';
import { confirmExtension, isProblem, type FieldErrors, type Problem } from '#contract/problem.ts';
import type { HasId, IdsOf } from '#contract/route-pattern.ts';
import type { SectionEntries } from '#contract/content.calls.ts';
import type { SectionCallName } from '#contract/section-calls.ts';

/** A call that failed. `message` is a sentence for the user. */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }

  /** Whether the outcome is unknown: the server may or may not have done the work. */
  get isUnanswered(): boolean {
    return this.status === 0 || this.status >= 500;
  }

  get fieldErrors(): FieldErrors {
    return this.problem.errors ?? {};
  }
}

/** The contract's entry for a call that the browser may make. */
type EntryOf<K extends KnownCall> =
  K extends SectionCallName<infer V> ? SectionEntries[V] : K extends keyof Calls ? Calls[K] : never;

/** The id in the path of a call, or all ids if there are several. */
type IdOption<K extends KnownCall> =
  K extends SectionCallName<infer V>
    ? V extends 'read' | 'update' | 'remove'
      ? { readonly id: string }
      : unknown
    : HasId<K> extends true
      ? { readonly id: IdsOf<K> }
      : unknown;

type BodyOption<C> = C extends { readonly body: infer S extends z.ZodType }
  ? { readonly body: z.input<S> }
  : unknown;

type QueryOption<C> = C extends { readonly query: infer S extends z.ZodType }
  ? { readonly query?: { readonly [F in keyof z.input<S>]: z.input<S>[F] | '' } | undefined }
  : unknown;

/** The options of a call: `id` if its path has one, and `body`, `query` and headers as its entry defines them. */
export type CallOptions<K extends KnownCall> = {
  readonly signal?: AbortSignal | undefined;
  /** Whether the request continues after the user leaves the page. Its body is then limited to 64 KiB. */
  readonly keepalive?: boolean;
} & IdOption<K> &
  BodyOption<EntryOf<K>> &
  QueryOption<EntryOf<K>> &
  Partial<HeadersOf<EntryOf<K>>>;

/** The options, which may be omitted if the call requires none. */
export type ApiOptions<K extends KnownCall> =
  Partial<CallOptions<K>> extends CallOptions<K> ? [options?: CallOptions<K>] : [options: CallOptions<K>];

/** The data that a call returns; `undefined` for a call that returns nothing, a file or a page. */
export type CallData<K extends KnownCall> =
  EntryOf<K> extends { readonly answer: infer S extends z.ZodType } ? Output<S> : undefined;

export interface ApiResponse<T> {
  readonly data: T;
  readonly headers: Headers;
}

const offline: Problem = {
  title: 'No connection',
  status: 0,
  detail: 'We could not reach the site. Check your connection and try again; what you typed is still here.',
};

export type CallBody<K extends KnownCall> =
  EntryOf<K> extends { readonly body: infer S extends z.ZodType } ? z.input<S> : never;

/** Returns the fields of a form as the body of a call. The server decides which of them are invalid. */
export const formBody = <K extends KnownCall>(_name: K, form: HTMLFormElement): CallBody<K> =>
  Object.fromEntries(new FormData(form)) as CallBody<K>;

/** The options of all calls together. */
interface AnyOptions extends Partial<
  Record<(typeof headerNames)[keyof typeof headerNames], string | undefined>
> {
  readonly id?: string | readonly string[] | undefined;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly keepalive?: boolean | undefined;
}

/** Returns the URL of a call with its query, for links such as CSV exports. It omits empty values. */
export function addressWith(name: KnownCall, { id, query = {} }: AnyOptions = {}): string {
  const search = new URLSearchParams();
  for (const [field, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(field, String(value));
  return `${callAddress(name, id)}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/** The request of a call, for `fetch`. */
function requestOf(name: KnownCall, options: AnyOptions): RequestInit {
  const { body, signal, keepalive } = options;
  const headers = new Headers({ Accept: 'application/json' });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  for (const [header, option] of Object.entries(headerNames)) {
    const value = options[option];
    if (value !== undefined) headers.set(header, value);
  }
  return {
    method: splitCallName(name)[0],
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    ...(keepalive && { keepalive }),
  };
}

/**
 * Makes a call and returns its JSON. If the call requires a recent confirmation of identity, it asks the user
 * for one and repeats the call.
 * @throws CallError with the server's problem details, or with status 0 if the server is unreachable
 */
export async function api<K extends KnownCall>(
  name: K,
  ...rest: ApiOptions<K>
): Promise<ApiResponse<CallData<K>>> {
  const options = (rest[0] ?? {}) as AnyOptions;
  let response: Response;
  try {
    response = await fetch(addressWith(name, options), requestOf(name, options));
  } catch (cause) {
    if (options.signal?.aborted === true) throw cause;
    throw new CallError(offline);
  }
  const data: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (response.ok) return { data: data as CallData<K>, headers: response.headers };
  if (!isProblem(data))
    throw new CallError({
      title: 'Error',
      status: response.status,
      detail: 'Something went wrong. Please try again.',
    });
  if (data[confirmExtension] !== true) throw new CallError(data);
  if (await promptForIdentity()) return api(name, ...rest);
  throw new CallError({
    ...data,
    title: 'Not done',
    detail: 'You did not confirm that it is you, so nothing was done. To confirm, try again.',
  });
}

/** Asks the user to confirm their identity. @returns whether they did */
type IdentityPrompt = () => Promise<boolean>;
let promptForIdentity: IdentityPrompt = () => Promise.resolve(false);

/** Screens whose calls may require a confirmation call this when they load. */
export function setIdentityPrompt(prompt: IdentityPrompt): void {
  promptForIdentity = prompt;
}

/** Starts a download. It cannot ask the user to confirm their identity, so this asks first if necessary. */
export async function download(address: string): Promise<void> {
  const { data } = await api('GET /auth/confirm');
  if (!data.isConfirmed && !(await promptForIdentity())) return;
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
