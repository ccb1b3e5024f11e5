/** The one way in which the browser calls the API: by the manifest, JSON in and out, problems as errors. */
import { callPath, type Call } from '../../../worker/contract/calls.ts';
import { isProblem, type FieldErrors, type Problem } from '../../../worker/contract/problem.ts';

/** A call that did not succeed; `message` is a sentence for the person at the screen. */
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

  /** A field's name to what is wrong with it. */
  get fieldErrors(): FieldErrors {
    return this.problem.errors ?? {};
  }
}

export interface CallOptions {
  /** Fills `:id` in the call's path. */
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** The version that the change was made from, as the ETag of a read gave it. */
  readonly ifMatch?: string;
  /** The same key makes a repeated submit one change. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

export interface CallAnswer<T> {
  readonly data: T;
  readonly headers: Headers;
}

const offline: Problem = {
  title: 'No connection',
  status: 0,
  detail: 'We could not reach the site. Check your connection and try again; what you typed is still here.',
};

/** The address of a call, for links such as CSV exports. */
export function callAddress(call: Call, { id, query = {} }: Pick<CallOptions, 'id' | 'query'> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return `${callPath(call.path, id)}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/**
 * Makes a call and answers its JSON; `T` is what the contract says the call answers.
 * @throws CallError with the server's problem details, or with status 0 when it could not be reached
 */
export async function makeCall<T = undefined>(call: Call, options: CallOptions = {}): Promise<CallAnswer<T>> {
  const { body, ifMatch, idempotencyKey, signal } = options;
  const headers = new Headers({ Accept: 'application/json' });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey);
  let response: Response;
  try {
    response = await fetch(callAddress(call, options), {
      method: call.method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new CallError(offline);
  }
  const data: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (!response.ok)
    throw new CallError(
      isProblem(data)
        ? data
        : { title: 'Error', status: response.status, detail: 'Something went wrong. Please try again.' },
    );
  return { data: data as T, headers: response.headers };
}
