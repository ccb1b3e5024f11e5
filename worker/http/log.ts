/** Structured logs: one JSON object per line, without personal data. */

/** The id shared by a request, its log lines and its response. It is Cloudflare's id if there is one. */
export const requestIdOf = (request: Request): string => request.headers.get('CF-Ray') ?? crypto.randomUUID();

export type Log = (
  event: string,
  facts?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

/** Creates a log whose lines all contain the given fields, such as the request id. */
export function createLog(base: Readonly<Record<string, string>>): Log {
  return (event, facts) => {
    console.log(JSON.stringify({ event, ...base, ...facts }));
  };
}

/** The stack frames without the message, which may contain typed text. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const messageAt = stack.indexOf(message);
  return stack
    .slice(messageAt < 0 ? 0 : messageAt + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}

/**
 * An error of Stripe's client. Its class is not imported, because the module is large and every page loads this one.
 */
interface StripeFailure extends Error {
  readonly type: string;
  readonly code?: string;
  readonly requestId?: string;
}

export const isStripeFailure = (error: unknown): error is StripeFailure =>
  error instanceof Error && 'type' in error && /^Stripe\w+Error$/.test(String(error.type));

/** What may be logged about an unexpected error: its name and where it happened, never a value from a request. */
export function describeError(error: unknown): { error: string; at: string | undefined } {
  if (!(error instanceof Error)) return { error: typeof error, at: undefined };
  const code = 'code' in error && /^(string|number)$/.test(typeof error.code) ? `:${String(error.code)}` : '';
  return {
    // All of Stripe's errors have the name 'Error'.
    error: `${isStripeFailure(error) ? error.type : error.name}${code}`,
    at: framesOf(error).slice(0, 3).join(' | '),
  };
}
