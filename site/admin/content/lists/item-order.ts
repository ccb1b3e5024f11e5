/** Pure functions that move items in a list. */

const insertAt = <T>(items: readonly T[], place: number, item: T): readonly T[] => [
  ...items.slice(0, place),
  item,
  ...items.slice(place),
];

/** Returns the list with the item at `from` moved to `to`, within the ends of the list. */
export function moveItem<T>(items: readonly T[], from: number, to: number): readonly T[] {
  const item = items[from];
  if (item === undefined) return items;
  const place = Math.max(0, Math.min(items.length - 1, to));
  return place === from
    ? items
    : insertAt(
        items.filter((_, index) => index !== from),
        place,
        item,
      );
}

export function placeForKey(key: string, index: number, count: number): number | undefined {
  const places = new Map([
    ['ArrowUp', index - 1],
    ['ArrowDown', index + 1],
    ['Home', 0],
    ['End', count - 1],
  ]);
  const place = places.get(key);
  return place === undefined ? undefined : Math.max(0, Math.min(count - 1, place));
}

/** Returns the ids with a removed id back at its old position among the others. */
export function putBack(order: readonly string[], id: string, now: readonly string[]): readonly string[] {
  const before = order.slice(0, order.indexOf(id));
  const others = now.filter((other) => other !== id);
  const place = 1 + Math.max(-1, ...before.map((other) => others.indexOf(other)));
  return insertAt(others, place, id);
}
