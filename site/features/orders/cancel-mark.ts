/**
 * Distinguishes our own cancel link from others. Our link sets a mark in the tab's session storage, which no other site
 * can write, so that a link in a mail or on another page cannot cancel an order by itself.
 */
const key = 'cancel-order';

/** Called when our own cancel link is followed. */
export function markCancellation(orderId: string, storage: Storage = sessionStorage): void {
  storage.setItem(key, orderId);
}

/** Whether our own link led here for this order; the mark counts once. */
export function takeCancellationMark(orderId: string, storage: Storage = sessionStorage): boolean {
  const marked = storage.getItem(key) === orderId;
  storage.removeItem(key);
  return marked;
}
