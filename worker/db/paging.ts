/** Pages of lists that grow. `OFFSET` costs with depth, so a page in the far half is read from the list's other end. */
import type { PageQuery } from '#contract/paging.ts';

export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
  /** Read in the opposite order; the page's rows are then put back into the list's own. */
  readonly isFromEnd: boolean;
}

/**
 * Where a page lies in a list of `total` records.
 * @returns undefined for a page beyond the end
 */
export function pageWindow(total: number, { page, pageSize }: PageQuery): PageWindow | undefined {
  const skipped = (page - 1) * pageSize;
  const limit = Math.min(pageSize, total - skipped);
  if (limit <= 0) return undefined;
  const isFromEnd = skipped > total / 2;
  return { limit, isFromEnd, offset: isFromEnd ? total - skipped - limit : skipped };
}
