/** How lists that grow are paged and exported: the same words in every list. */

/** Largest page of a list; also what comes when no page is asked for. */
export const maxPageSize = 100;

/** Last page that can be asked for. */
export const maxPage = 1_000_000;

/** The header that says how many records match, over all pages. */
export const totalCountHeader = 'X-Total-Count';

/** Pages of a list; an empty list has one empty page. */
export const pageCount = (total: number, pageSize: number): number =>
  Math.max(1, Math.ceil(total / pageSize));

/** Records a page on each screen (spec, section 9). */
export const pageSizes = {
  customerOrders: 5,
  adminOrders: 3,
  adminSubscribers: 3,
  allOrders: 10,
  subscribers: 5,
  messages: 3,
  customers: 20,
  ledger: 20,
  releases: 20,
  history: 20,
  removed: 20,
  auditLog: 50,
  attention: 100,
  notes: 20,
} as const;
