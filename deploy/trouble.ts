/** Describes errors for people. */

/** An error's message with its cause, because Node says only 'fetch failed' about a host that it cannot find. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

/**
 * Runs an optional step of a deployment. If it fails, prints why and what to do, and the deployment continues.
 * @param whatToDo a sentence
 */
export async function orWarn<T>(work: () => Promise<T>, whatToDo: string): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    console.log(`WARNING: ${describeError(error)}\n  ${whatToDo}`);
    return undefined;
  }
}

/**
 * Runs an optional step that may leave something for the person to do. If it fails, prints why, and the deployment
 * continues.
 * @param left what is left to do after a failure, as a sentence
 * @returns what is left to do; undefined if nothing is
 */
export async function orLeave(
  work: () => Promise<string | undefined>,
  left: string,
): Promise<string | undefined> {
  try {
    return await work();
  } catch (error) {
    console.log(`WARNING: ${describeError(error)}`);
    return left;
  }
}
