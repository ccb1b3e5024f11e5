import type { AttentionItem } from '#contract/payments.ts';

/** A line of what needs a person. */
export interface AttentionLine extends Omit<AttentionItem, 'at'> {
  /** Since when it waits, in ms: what the list is sorted by. */
  readonly time: number;
  /** What it shows where that is another moment. */
  readonly at?: string;
}
