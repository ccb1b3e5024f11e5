/** Customers as browser and server agree on them. */

/** Most orders and messages that a customer's record shows; older ones are in the lists. */
export const newestOfCustomer = 20;

/** Least that is searched for, in characters. */
export const leastSearched = 2;
