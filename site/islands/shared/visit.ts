/** Where the visitor of this tab came from, for a message or an order. */
import { readSource, sourceKey } from '#contract/source.ts';

/** For the body of a call: nothing where the tab has kept nothing. */
export function sourceOfVisit() {
  try {
    const source = readSource(sessionStorage.getItem(sourceKey), location.host);
    return source ? { source } : {};
  } catch {
    // Storage is shut off.
    return {};
  }
}
