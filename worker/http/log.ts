/** Structured logs: one JSON object a line, without personal data. */

/** The id that connects a request with its log lines and its answer: Cloudflare's where there is one. */
export const requestIdOf = (request: Request): string => request.headers.get('CF-Ray') ?? crypto.randomUUID();

export type Log = (
  event: string,
  facts?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

/** A log whose lines all carry the same facts, such as the request's id. */
export function createLog(base: Readonly<Record<string, string>>): Log {
  return (event, facts) => {
    console.log(JSON.stringify({ event, ...base, ...facts }));
  };
}

/** The lines of a stack that say where it happened: without the message, which may hold what somebody typed. */
function framesOf({ stack = '', message }: Error): readonly string[] {
  const messageAt = stack.indexOf(message);
  return stack
    .slice(messageAt < 0 ? 0 : messageAt + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim());
}

/** What a log may contain of an unexpected error: its name and where it happened, never a value from a request. */
export function describeError(error: unknown): { error: string; at: string | undefined } {
  if (!(error instanceof Error)) return { error: typeof error, at: undefined };
  const code = 'code' in error && /^(string|number)$/.test(typeof error.code) ? `:${String(error.code)}` : '';
  return {
    error: `${error.name}${code}`,
    at: framesOf(error).slice(0, 3).join(' | '),
  };
}
