/** How lists that grow are paged and exported: the same words in every list. */
import { z } from 'zod';

/** Largest page of a list; also what comes when no page is asked for. */
export const maxPageSize = 100;

const counting = (most: number) =>
  z.coerce.number({ error: 'Give a whole number.' }).int('Give a whole number.').min(1).max(most);

/** `?page=` counts from 1. Without it the newest 100 come. */
export const pageQuery = z.strictObject({
  page: counting(1_000_000).default(1),
  pageSize: counting(maxPageSize).default(maxPageSize),
});
export type PageQuery = z.output<typeof pageQuery>;

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
} as const;
