/** The link to the form that places an order for a customer. */
import { linkTo } from '#contract/screens.ts';

/** The part of the address that says whose order it is. */
export const emailParameter = 'email';

/** @param email whose order it is; the form is filled in with what is known of them */
export const linkToNewOrder = (email: string): string =>
  `${linkTo('newOrder')}?${emailParameter}=${encodeURIComponent(email)}`;
