/** What the API tells of past saves: the versions of a record, and the publications of the site. */
import type { SectionName } from './sections/index.ts';

export const changeActions = ['added', 'updated', 'removed', 'restored', 'reordered'] as const;
export type ChangeAction = (typeof changeActions)[number];

type Values = Readonly<Record<string, string>>;

/** One version of a record, as `GET /history/{id}` lists them, newest first. */
export interface HistoryEntry {
  /** Counts the record's saves, from 1. */
  readonly version: number;
  readonly action: ChangeAction;
  /** ISO 8601, UTC */
  readonly at: string;
  /** Email of the administrator; null for what the site was set up with. */
  readonly by: string | null;
  /** The values before; null where the record was not there. */
  readonly before: Values | null;
  /** The values after; null where the record was removed. */
  readonly after: Values | null;
}

/** Body of `POST /history/{id}/restore`. */
export interface RestoreRequest {
  readonly version: number;
}

/** What a publication did to one record. */
export interface PublishedChange {
  readonly section: SectionName;
  readonly recordId: string;
  /** Value of the record's title field. */
  readonly title: string;
  readonly action: ChangeAction;
  /** The fields whose values differ. */
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[];
}

/** One save of content, as `GET /publications` lists the last 50, newest first. */
export interface Publication {
  readonly revision: number;
  /** ISO 8601, UTC */
  readonly at: string;
  readonly by: string | null;
  readonly summary: readonly PublishedChange[];
  /** Paths of the pages whose bytes changed. */
  readonly changedPages: readonly string[];
  readonly timings: Timings;
}

/**
 * What each part of a save took, in ms; null where it was not measured. Reading takes 0 when memory had the content.
 * On Cloudflare a clock stands still while code runs, so rendering counts there with the write that follows it
 * (https://developers.cloudflare.com/workers/reference/security-model/#step-1-disallow-timers-and-multi-threading).
 */
export interface Timings {
  readonly readMs: number | null;
  readonly renderMs: number | null;
  readonly writeMs: number | null;
}
