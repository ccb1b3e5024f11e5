/** Errors of the commands of this folder, and what a person reads about them. */

/** A problem that a person can fix. Only its message is shown. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
}

/** Whether the message of an error is enough for a person, who may have mistyped the name of a file. */
const isPlain = (error: unknown): error is Error =>
  error instanceof DeployError || (error instanceof Error && 'syscall' in error);

/** Runs a command from beginning to end. If it fails, says why, and exits with the code 1. */
export async function runMain(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(isPlain(error) ? error.message : error);
    process.exit(1);
  }
}

/** An error's message with its cause, because Node says only 'fetch failed' about a host that it cannot find. */
export function messageOf(error: unknown): string {
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
    console.log(`WARNING: ${messageOf(error)}\n  ${whatToDo}`);
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
    console.log(`WARNING: ${messageOf(error)}`);
    return left;
  }
}
