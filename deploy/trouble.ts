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

interface OnFailure<T> {
  /** What to do about the failure, as a sentence. */
  readonly advice?: string;
  readonly result?: T;
}

/**
 * Runs an optional step of a deployment. If it fails, prints why, and the deployment continues.
 * @returns the result of the step; after a failure, the given one
 */
export async function tryStep<T>(
  work: () => Promise<T>,
  { advice, result }: OnFailure<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    console.log(`WARNING: ${messageOf(error)}${advice === undefined ? '' : `\n  ${advice}`}`);
    return result;
  }
}
