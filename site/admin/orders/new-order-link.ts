/** Links to the form that places an order for a customer. */
import { linkTo } from '#contract/screens.ts';

/** The query parameter with the customer's email. */
export const emailParameter = 'email';

/** @param email of the customer; the form is prefilled with their details */
export const linkToNewOrder = (email: string): string =>
  `${linkTo('newOrder')}?${emailParameter}=${encodeURIComponent(email)}`;
