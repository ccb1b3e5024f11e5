/** A change that the user starts with a button: whether it is running, and how it ended. */
import { confirmExtension } from '#contract/problem.ts';
import { useRef } from 'react';
import { useMutation as useTanStackMutation, type UseMutationResult } from '@tanstack/react-query';
import { showToast } from './toasts.tsx';
import { reloadPage } from '#site/ui/reload-button.tsx';
import { callErrorOf, MissingPart } from './call-error.ts';
import type { CallError } from './call.ts';
import { refetchScreen } from './query.ts';

export interface MutationOptions<T, V> {
  readonly mutationFn: (variables: V) => Promise<T>;
  /** The toast after success. */
  readonly done?: string | ((data: T, variables: V) => string) | undefined;
  /** Whether to show an error as a toast. Otherwise, the screen shows `error`. */
  readonly toastsError?: boolean;
  /** Whether nothing changes on the server, so that the screen does not reload its data. */
  readonly changesNothing?: true | undefined;
  readonly onSuccess?: ((data: T, variables: V) => void) | undefined;
  readonly onError?: ((error: CallError, variables: V) => void) | undefined;
}

/** The statuses that mean that the screen shows outdated data. */
const staleStatuses = [404, 409, 412];

/** TanStack's `useMutation` for our calls. Shows the result, and reloads the screen's data after a change. */
export function useMutation<T, V = void>({
  mutationFn,
  done,
  toastsError,
  changesNothing,
  onSuccess,
  onError,
}: MutationOptions<T, V>): UseMutationResult<T, CallError, V> {
  /** Removes the toast of the last attempt, if it failed. */
  const forgetFailure = useRef<() => void>(undefined);

  function showFailure(error: CallError) {
    const reload = error instanceof MissingPart ? { label: 'Reload', onPress: reloadPage } : undefined;
    forgetFailure.current = showToast(error.message, 'danger', reload);
  }

  return useTanStackMutation<T, CallError, V>({
    mutationFn: (variables) =>
      mutationFn(variables).catch((thrown: unknown) => {
        throw callErrorOf(thrown);
      }),
    onMutate: () => forgetFailure.current?.(),
    onSuccess(data, variables) {
      if (done !== undefined) showToast(typeof done === 'string' ? done : done(data, variables));
      onSuccess?.(data, variables);
    },
    onError(error, variables) {
      // Users who close the question about their identity know why nothing happened.
      if (toastsError && error.problem[confirmExtension] !== true) showFailure(error);
      onError?.(error, variables);
    },
    onSettled(_data, error) {
      if (!changesNothing && (!error || staleStatuses.includes(error.status))) void refetchScreen();
    },
  });
}
