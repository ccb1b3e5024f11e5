/** What went wrong, as people read it. */

/** An error's message with its cause: Node says only 'fetch failed' about a host that it cannot find. */
export function describeTrouble(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/**
 * Does what a deployment can do without: where it fails, a person reads why and what to do, and the deployment goes on.
 * @param whatToDo a sentence
 */
export async function orWarn<T>(work: () => Promise<T>, whatToDo: string): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    console.log(`WARNING: ${describeTrouble(error)}\n  ${whatToDo}`);
    return undefined;
  }
}
