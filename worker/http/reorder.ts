import { positionsInOrder } from '../db/positions.ts';
import { invalid } from './errors.ts';

interface Move<T> {
  readonly record: T;
  readonly position: number;
}

/**
 * The smallest set of moves that puts records in a new order.
 * @param ids the ids of all records, in the new order
 * @throws ApiError 422 if these are not exactly the ids of the list
 */
export function planMoves<T extends { readonly _id: string; readonly position: number }>(
  records: readonly T[],
  ids: readonly string[],
): readonly Move<T>[] {
  const byId = new Map(records.map((record) => [record._id, record]));
  const ordered = [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
  if (ids.length !== records.length || ordered.length !== records.length)
    throw invalid({
      order: 'The list has changed in the meantime. Reload the page, then reorder the list again.',
    });
  const positions = positionsInOrder(ordered.map(({ position }) => position));
  return ordered.flatMap((record, index) => {
    const position = positions[index] ?? record.position;
    return position === record.position ? [] : [{ record, position }];
  });
}
