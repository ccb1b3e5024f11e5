/** What the editor and its preview say to each other; both are of this origin, and take messages from it alone. */
import { sectionNames, type SectionName } from '#contract/sections/index.ts';
import type { ContentRecord, Values } from '../content-calls.ts';

/** From the editor: what is typed. */
export interface PreviewDraft {
  readonly type: 'draft';
  readonly section: SectionName;
  /** The record being edited; undefined while one is added. */
  readonly id: string | undefined;
  readonly values: Values;
  /** Grows with each save: the records around this one are read anew. */
  readonly generation: number;
}

/** From the preview: that it listens, and how tall the section is in CSS pixels. */
export type PreviewReport = { readonly type: 'ready' } | { readonly type: 'height'; readonly height: number };

const has = <K extends string>(value: unknown, key: K): value is Readonly<Record<K, unknown>> =>
  typeof value === 'object' && value !== null && key in value;

export function isPreviewDraft(value: unknown): value is PreviewDraft {
  return (
    has(value, 'type') &&
    value.type === 'draft' &&
    has(value, 'section') &&
    sectionNames.some((name) => name === value.section) &&
    has(value, 'values') &&
    typeof value.values === 'object'
  );
}

export function isPreviewReport(value: unknown): value is PreviewReport {
  if (!has(value, 'type')) return false;
  return (
    value.type === 'ready' ||
    (value.type === 'height' && has(value, 'height') && typeof value.height === 'number')
  );
}

/** Of a longer list the preview shows so many records: the one being edited and those around it. */
const mostShown = 12;

/** The records of a section as they would be with the draft saved; an empty form adds nothing. */
export function withDraft(
  records: readonly ContentRecord[],
  { id, values }: Pick<PreviewDraft, 'id' | 'values'>,
): readonly ContentRecord[] {
  const isEmpty = Object.values(values).every((value) => value.trim() === '');
  if (id === undefined)
    return (isEmpty ? records : [...records, { ...values, _id: 'new' }]).slice(-mostShown);
  const place = records.findIndex((record) => record._id === id);
  const first = Math.max(0, Math.min(place - mostShown / 2, records.length - mostShown));
  return records
    .map((record) => (record._id === id ? { ...record, ...values, _id: id } : record))
    .slice(first, first + mostShown);
}
