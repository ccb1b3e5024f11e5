/** Limits of customer records and searches. */

/** The maximum number of orders and of messages in a customer's record. The lists show older ones. */
export const newestOfCustomer = 20;

/** The minimum length of a search, in characters. */
export const leastSearched = 2;
