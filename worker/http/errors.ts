/** Services throw an `ApiError`, which the one `onError` turns into problem details (RFC 9457). */
import type { Context } from 'hono';
import type { FieldErrors, Problem } from '#contract/problem.ts';
import { isFailedAssertion } from '../db/client.ts';
import type { AppEnv } from './app.ts';
import { describeError, isStripeFailure } from './log.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not logged in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'This cannot be done',
  411: 'Length required',
  412: 'Changed in the meantime',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Some fields are not valid',
  429: 'Too many attempts',
  500: 'Something went wrong',
  503: 'Not available right now',
};

/** Additional members of the problem. */
interface Extensions {
  /** Present if fields are not valid. */
  readonly errors?: FieldErrors;
  readonly [name: string]: unknown;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly extensions: Extensions;
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param status HTTP status
   * @param detail a sentence to show on the screen
   * @param extensions such as `errors` or `current`
   * @param headers additional response headers, such as `Retry-After`
   */
  constructor(
    status: number,
    detail: string,
    extensions: Extensions = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.status = status;
    this.extensions = extensions;
    this.headers = headers;
  }
}

export const badRequest = (detail: string) => new ApiError(400, detail);
export const signInFirst = () => new ApiError(401, 'Please log in first.');
export const notAllowed = (detail = "You don't have any permission") => new ApiError(403, detail);
export const notFound = (detail = 'There is nothing at this address.') => new ApiError(404, detail);
export const conflict = (detail: string, extensions: Extensions = {}) =>
  new ApiError(409, detail, extensions);
export const invalid = (errors: FieldErrors) =>
  new ApiError(422, Object.values(errors)[0] ?? 'Please check what you typed.', { errors });
/** @param retryAfterSeconds how long the caller should wait */
export const tooManyRequests = (detail: string, retryAfterSeconds: number) =>
  new ApiError(429, detail, {}, { 'Retry-After': String(retryAfterSeconds) });
export const unavailable = (detail = 'Please try again in a moment.') =>
  new ApiError(503, detail, {}, { 'Retry-After': '2' });

export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
  });
}

/**
 * R2 error codes, at the end of the message, for internal errors, a missing bucket and too many requests
 * (https://developers.cloudflare.com/r2/api/error-codes/).
 */
const bucketErrors = /\((10001|10006|10043|10058)\)$/;

/**
 * Whether Cloudflare Images failed with one of its codes, or another server answered in its place. Callers must handle
 * the codes for an invalid picture first.
 */
const isImagesUnavailable = (error: unknown): boolean =>
  error instanceof Error && /^(IMAGES_|Unexpected error response \d)/.test(error.message);

export const isBucketUnavailable = (error: unknown): boolean =>
  error instanceof Error && bucketErrors.test(error.message);

/**
 * Whether an error means that the database cannot be reached, times out, is too busy, or temporarily rejects writes
 * (`BLOCKED`: a Turso quota is used up; `SQLITE_FULL`: the disk is full).
 */
export function isDatabaseDown(error: unknown): boolean {
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 5;
    cause = cause.cause, depth += 1
  ) {
    if (cause.name === 'TimeoutError') return true;
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (
      /^(SQLITE_BUSY|SQLITE_LOCKED|SQLITE_FULL|SQLITE_IOERR|SERVER_ERROR|HRANA_|STREAM_|TRANSACTION_|BLOCKED$)/.test(
        code,
      )
    )
      return true;
    if (/network connection lost|fetch failed|ECONNREFUSED|internal error; reference/i.test(cause.message))
      return true;
  }
  return false;
}

/**
 * The error to return. A known error says what is wrong. An unknown error is logged, and its response reveals nothing
 * internal.
 */
export function toApiError(error: unknown, c: Context<AppEnv>): ApiError {
  if (error instanceof ApiError) return error;
  // The session ended, or the account was deleted, during this request.
  if (isFailedAssertion(error, 'signedIn')) return signInFirst();
  if (isStripeFailure(error)) {
    const { type, code, requestId } = error;
    c.var.log('stripe.failed', { type, code, stripeRequest: requestId });
    return unavailable('Our payment provider is not responding right now. Please try again in a moment.');
  }
  c.var.log('request.failed', describeError(error));
  return isDatabaseDown(error) || isBucketUnavailable(error) || isImagesUnavailable(error)
    ? unavailable()
    : new ApiError(
        500,
        `This is our fault. Please try again. If it happens again, write to us and include this code: ${c.var.requestId}`,
      );
}

/** The `onError` of the app. */
export function answerError(error: unknown, c: Context<AppEnv>): Response {
  const { status, message, extensions, headers } = toApiError(error, c);
  return problemResponse(
    { title: titles[status] ?? 'Error', status, detail: message, ...extensions, requestId: c.var.requestId },
    headers,
  );
}

/** The error for an idempotency key that was used with another body. @param what such as 'message' */
export const idempotencyKeyReused = (what: string): ApiError =>
  invalid({ body: `This form already sent another ${what}. Please reload the page and try again.` });
