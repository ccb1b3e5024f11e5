/** Where the visitor of this tab came from, for a message or an order. */
import { readSource, sourceKey } from '#contract/source.ts';

/** The first URL and the referrer; null if the tab has stored none. */
function storedVisit(): string | null {
  try {
    return sessionStorage.getItem(sourceKey);
  } catch {
    return null; // Session storage is disabled.
  }
}

/** The first URL of the visit in this tab; empty if the tab has stored none. */
export const firstAddress = (): string => storedVisit()?.split(' ')[0] ?? '';

/** The source for the body of a call; empty if the tab has stored none. */
export function sourceOfVisit() {
  const source = readSource(storedVisit(), location.host);
  return source ? { source } : {};
}
