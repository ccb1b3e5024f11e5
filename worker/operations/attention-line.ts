/** Lines of the attention list. Each feature creates its own. */
import { displayOrderNumber } from '#contract/orders.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';

/** A line of what needs attention. */
export interface AttentionLine extends Omit<AttentionItem, 'at'> {
  /** When it began to wait, in ms. The list is sorted by this time. */
  readonly time: number;
  /** The time to show, if it differs from `time`. */
  readonly at?: string;
}

/** The end of a phrase that names an order; empty if the order is unknown. */
export const ofOrder = (number: number | null): string =>
  number === null ? '' : ` for order ${displayOrderNumber(number)}`;
