/** The maximum page size, which is also the default. */
export const maxPageSize = 100;

/** The highest page number that a caller can ask for. */
export const maxPage = 1_000_000;

/** The header with the number of matching records on all pages. */
export const totalCountHeader = 'X-Total-Count';

/** The number of pages of a list. An empty list has one empty page. */
export const pageCount = (total: number, pageSize: number): number =>
  Math.max(1, Math.ceil(total / pageSize));

/** The page size on each screen (specification, section 9). */
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
