/**
 * Distinguishes our own cancel link from others. Our link sets a mark in the tab's session storage, which no other site
 * can write, so a link in an email or on another page cannot cancel an order without a click.
 */
const key = 'cancel-order';

/** Call this when the user follows our own cancel link. */
export function markCancellation(orderId: string, storage: Storage = sessionStorage): void {
  storage.setItem(key, orderId);
}

/** Whether the user came from our own link for this order. Removes the mark, so it counts only once. */
export function takeCancellationMark(orderId: string, storage: Storage = sessionStorage): boolean {
  const marked = storage.getItem(key) === orderId;
  storage.removeItem(key);
  return marked;
}
