/**
 * Tells the list of pending orders which order was just placed, so that it can be paid there immediately. The form
 * stores the id in the tab's session storage. The list moves the id to its own history entry, so a reload finds it and
 * a later visit does not.
 */
const key = 'placed-order';

/** Call this after placing an order, before the list opens. */
export function markPlacedOrder(orderId: string): void {
  sessionStorage.setItem(key, orderId);
}

/** The order that was just placed; undefined on any other visit. */
export function findPlacedOrder(): string | undefined {
  const marked = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const before = Object(history.state) as Readonly<Record<string, unknown>>;
  if (marked !== null) history.replaceState({ ...before, [key]: marked }, '');
  const orderId = marked ?? before[key];
  return typeof orderId === 'string' ? orderId : undefined;
}
