/** Anything that was thrown, as the error of a call, so that a screen has one kind of failure to show. */
import { CallError } from './call.ts';

export function callErrorOf(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown;
  console.error(thrown);
  return new CallError({
    title: 'Error',
    status: 0,
    detail: 'Something went wrong on this screen. Please try again.',
  });
}
