/** What went wrong, as people read it. */

/** An error's message with its cause: Node says of a host that it cannot find no more than 'fetch failed'. */
export function describeTrouble(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
