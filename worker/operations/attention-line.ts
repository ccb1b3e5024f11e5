/** A line of what needs a person, as each feature makes its own. */
import { displayOrderNumber } from '#contract/orders.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';

/** A line of what needs a person. */
export interface AttentionLine extends Omit<AttentionItem, 'at'> {
  /** Since when it waits, in ms: what the list is sorted by. */
  readonly time: number;
  /** What it shows where that is another moment. */
  readonly at?: string;
}

/** Which order a line is about, as the end of a phrase; empty where no order is known. */
export const ofOrder = (number: number | null): string =>
  number === null ? '' : ` for order ${displayOrderNumber(number)}`;
