/**
 * Tells the list of pending orders which order was placed a moment ago, so that it can be paid there at once. The form
 * leaves the id in the tab's session storage. The list moves it to its own entry of the history, where a reload finds it
 * again and a later visit does not.
 */
const key = 'placed-order';

/** Called when an order was placed, before the list opens. */
export function markPlacedOrder(orderId: string): void {
  sessionStorage.setItem(key, orderId);
}

/** The order that led to this page; undefined on any other visit. */
export function findPlacedOrder(): string | undefined {
  const marked = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  const before = Object(history.state) as Readonly<Record<string, unknown>>;
  if (marked !== null) history.replaceState({ ...before, [key]: marked }, '');
  const orderId = marked ?? before[key];
  return typeof orderId === 'string' ? orderId : undefined;
}
