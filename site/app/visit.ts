/** Where the visitor of this tab came from, for a message or an order. */
import { readSource, sourceKey } from '#contract/source.ts';

/** The first URL of the visit in this tab; empty if the tab has stored none. */
export function firstAddress(): string {
  try {
    return sessionStorage.getItem(sourceKey)?.split(' ')[0] ?? '';
  } catch {
    // Session storage is disabled.
    return '';
  }
}

/** The source for the body of a call; empty if the tab has stored none. */
export function sourceOfVisit() {
  try {
    const source = readSource(sessionStorage.getItem(sourceKey), location.host);
    return source ? { source } : {};
  } catch {
    // Session storage is disabled.
    return {};
  }
}
