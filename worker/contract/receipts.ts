/** The numbers of credit notes. */
import { displayOrderNumber } from './orders.ts';

/**
 * Such as `#1042-R1`.
 * @param ordinal counts the order's refunds from 1, including failed ones, so that no number changes
 */
export const creditNoteNumber = (orderNumber: number, ordinal: number): string =>
  `${displayOrderNumber(orderNumber)}-R${ordinal}`;
