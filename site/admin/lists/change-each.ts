/** Changes several records, each by the call that changes it alone, and tells what was done and what was not. */
import { callErrorOf } from '#site/app/call-error.ts';

/** Failures that every further call would meet too: no connection, signed out, no longer allowed, too many, out of order. */
const meetsAll = [0, 401, 403, 429, 503];

export interface NotDone<T> {
  readonly row: T;
  /** A sentence for the person at the screen. */
  readonly reason: string;
}

export interface Outcome<T> {
  readonly done: readonly T[];
  readonly notDone: readonly NotDone<T>[];
}

export interface Change<T> {
  /** Changes one record. @throws CallError with the reason why it cannot be changed */
  readonly change: (row: T) => Promise<unknown>;
  /** Why there is nothing to change, where that is known without asking; then no call is made. */
  readonly whyNot?: (row: T) => string | undefined;
}

/**
 * One after the other, so that each meets what the one before it has changed.
 * @param onProgress told how many have been seen to
 */
export async function changeEach<T>(
  rows: readonly T[],
  { change, whyNot }: Change<T>,
  onProgress?: (seenTo: number) => void,
): Promise<Outcome<T>> {
  const done: T[] = [];
  const notDone: NotDone<T>[] = [];
  let stopped: string | undefined;
  for (const [index, row] of rows.entries()) {
    const known = stopped ?? whyNot?.(row);
    const error = known === undefined ? await change(row).then(() => undefined, callErrorOf) : undefined;
    if (error && meetsAll.includes(error.status)) stopped = error.message;
    const reason = known ?? error?.message;
    if (reason === undefined) done.push(row);
    else notDone.push({ row, reason });
    onProgress?.(index + 1);
  }
  return { done, notDone };
}

/** What was not done, by its reason: the names of the records, in their order. */
export function byReason<T>(
  notDone: readonly NotDone<T>[],
  nameOf: (row: T) => string,
): readonly (readonly [reason: string, names: readonly string[]])[] {
  const names = new Map<string, readonly string[]>();
  for (const { row, reason } of notDone) names.set(reason, [...(names.get(reason) ?? []), nameOf(row)]);
  return [...names];
}
