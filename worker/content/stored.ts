/** The content as the Worker stores it. */
import type { SectionName } from '#contract/sections/index.ts';

/**
 * A stored record: its fields, its version (from 1) and its place in the display order. The content in memory does not
 * contain long texts, so one of those may be missing (long-texts.ts).
 */
export interface StoredRecord {
  readonly _id: string;
  readonly version: number;
  readonly position: number;
  readonly values: Readonly<Record<string, string>>;
}

export type StoredContent = { readonly [N in SectionName]: readonly StoredRecord[] };
