/** Customers as browser and server agree on them. */
import type { Shape } from './call.ts';
import type * as calls from './calls/customers.ts';

export type Customer = Shape<typeof calls.customer>;
export type CustomerRecord = Shape<typeof calls.customerRecord>;
export type CustomerNote = Shape<typeof calls.customerNote>;
export type SearchResult = Shape<typeof calls.searchResult>;
export type Waiting = Shape<typeof calls.waiting>;

/** Most orders and messages that a customer's record shows; older ones are in the lists. */
export const newestOfCustomer = 20;

/** Least that is searched for, in characters. */
export const leastSearched = 2;
