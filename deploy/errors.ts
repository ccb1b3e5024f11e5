/** Errors of the commands in this folder, and what a person reads about them. */
import Stripe from 'stripe';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A problem that a person can fix. Only its message is shown. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
}

/**
 * Whether the message of an error is enough for a person. An error about a file, a host or a database has its own code.
 * Node's codes for mistakes in a program begin with `ERR_`.
 */
const isPlain = (error: unknown): error is Error =>
  error instanceof DeployError ||
  error instanceof Stripe.errors.StripeError ||
  (error instanceof Error &&
    (('code' in error && typeof error.code === 'string' && !error.code.startsWith('ERR_')) ||
      isPlain(error.cause)));

/** Runs a command from beginning to end. If it fails, says why, and exits with the code 1. */
export async function runMain(work: () => Promise<void>): Promise<void> {
  // By default, a signal ends the process without its 'exit' event, which removes unfinished files.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  try {
    await work();
  } catch (error) {
    console.error(isPlain(error) ? messageOf(error) : error);
    process.exit(1);
  }
}

/** Reads the command line. An unknown option ends the process, because a typo must not deploy. */
export function readArguments<T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(messageOf(error));
    process.exit(1);
  }
}

/** An error's message with its cause, because Node only says 'fetch failed' about a host that it cannot find. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (!(cause instanceof Error)) return message;
  // An error that combines one error per address of a host has only a code.
  const reason = cause.message || ('code' in cause ? String(cause.code) : cause.name);
  return message.includes(reason) ? message : `${message} (${reason})`;
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
