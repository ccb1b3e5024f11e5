/** Changes several records with one call each, and collects the results. */
import { callErrorOf } from '#site/app/call-error.ts';

/** Errors that every later call would also get: no connection, a lost session, or a rate limit. */
const meetsAll = [0, 401, 403, 429, 503];

interface NotDone<T> {
  readonly row: T;
  readonly reason: string;
}

interface Outcome<T> {
  readonly done: readonly T[];
  readonly notDone: readonly NotDone<T>[];
}

export interface Change<T> {
  /** Changes one record. @throws CallError with the reason why it cannot be changed */
  readonly change: (row: T) => Promise<unknown>;
  /** Why a record needs no change, if that is known without a call. No call is made then. */
  readonly disabledReason?: (row: T) => string | undefined;
}

/**
 * Makes one call after another, so that each sees the changes of the previous one.
 * @param onProgress called with the number of records processed so far
 */
export async function changeEach<T>(
  rows: readonly T[],
  { change, disabledReason }: Change<T>,
  onProgress?: (seenTo: number) => void,
): Promise<Outcome<T>> {
  const done: T[] = [];
  const notDone: NotDone<T>[] = [];
  let stopped: string | undefined;
  for (const [index, row] of rows.entries()) {
    const known = stopped ?? disabledReason?.(row);
    const error = known === undefined ? await change(row).then(() => undefined, callErrorOf) : undefined;
    if (error && meetsAll.includes(error.status)) stopped = error.message;
    const reason = known ?? error?.message;
    if (reason === undefined) done.push(row);
    else notDone.push({ row, reason });
    onProgress?.(index + 1);
  }
  return { done, notDone };
}

/** The names of records that were not changed, by reason and in their original order. */
export function byReason<T>(
  notDone: readonly NotDone<T>[],
  nameOf: (row: T) => string,
): readonly (readonly [reason: string, names: readonly string[]])[] {
  const names = new Map<string, readonly string[]>();
  for (const { row, reason } of notDone) names.set(reason, [...(names.get(reason) ?? []), nameOf(row)]);
  return [...names];
}
