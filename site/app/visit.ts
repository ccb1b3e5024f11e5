/** Where the visitor of this tab came from, for a message or an order. */
import { readSource, sourceKey } from '#contract/source.ts';

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
