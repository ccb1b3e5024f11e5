/**
 * Identifies the publication that data belongs to: the pages in memory, a stored copy, or a snapshot of the
 * content.
 */
import type { ResultSet } from '@libsql/client/http';

/** Identifies a publication. If a number is reused after a restore, the time differs. */
export interface PublicationId {
  /** Number of the publication, 0 before the first. */
  readonly revision: number;
  /** When it was created, in ms; 0 before the first. */
  readonly publishedAt: number;
}

/** The publication that a row of `publications` names; without a row the state before the first. */
export const publicationFrom = (row: ResultSet['rows'][number] | undefined): PublicationId => ({
  revision: Number(row?.['revision'] ?? 0),
  publishedAt: Number(row?.['at'] ?? 0),
});

export const isSamePublication = (one: PublicationId, other: PublicationId): boolean =>
  one.revision === other.revision && one.publishedAt === other.publishedAt;
