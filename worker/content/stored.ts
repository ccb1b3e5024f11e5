import type { SectionName } from '#contract/sections/index.ts';

export type Values = Readonly<Record<string, string>>;

export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const filterValues = (values: Values, keep: (field: string, value: string) => boolean): Values =>
  Object.fromEntries(Object.entries(values).filter(([field, value]) => keep(field, value)));

/**
 * A stored record: its fields, its version (from 1) and its position in the display order. The content in memory
 * does not contain long texts, so a long text may be missing (long-texts.ts).
 */
export interface StoredRecord {
  readonly _id: string;
  readonly version: number;
  readonly position: number;
  readonly values: Values;
}

export type StoredContent = { readonly [N in SectionName]: readonly StoredRecord[] };
