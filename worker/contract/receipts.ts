/** Receipts and credit notes as browser and server agree on them. */
import { displayOrderNumber } from './orders.ts';

/** @param ordinal which refund of the order it is, from 1; those that failed count too, so that no number changes */
export const creditNoteNumber = (orderNumber: number, ordinal: number): string =>
  `${displayOrderNumber(orderNumber)}-R${ordinal}`;
