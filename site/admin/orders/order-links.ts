/** Links to the list of orders, to an order's forms, and to the form that places an order for a customer. */
import { linkTo } from '#contract/screens.ts';
import { queryWith } from '#site/app/in-address.ts';
import type { OrderFilterName } from './order-filters.tsx';

export const linkToOrders = (filters: Readonly<Partial<Record<OrderFilterName, string>>>): string =>
  linkTo('orders') + queryWith('', filters);

export const emailParameter = 'email';

/** @param email the customer's email; the form is prefilled with their details */
export const linkToNewOrder = (email: string): string =>
  linkTo('newOrder') + queryWith('', { [emailParameter]: email });

/** The URL fragments that open an order's most common forms. */
export const orderForms = { deliver: '#deliver', refund: '#refund' } as const;
