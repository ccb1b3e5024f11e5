/** Receipts and credit notes as browser and server agree on them. */
import type { Shape } from './call.ts';
import type * as calls from './calls/receipts.ts';
import { displayOrderNumber } from './orders.ts';

export type Receipt = Shape<typeof calls.receipt>;
export type CreditNote = Shape<typeof calls.creditNote>;

/** @param ordinal which refund of the order it is, from 1; those that failed count too, so that no number changes */
export const creditNoteNumber = (orderNumber: number, ordinal: number): string =>
  `${displayOrderNumber(orderNumber)}-R${ordinal}`;
