/**
 * Identifies the publication that data belongs to: the pages in memory, a stored copy, or a snapshot of the
 * content.
 */
import { publications } from './schema.ts';

/** Identifies a publication. If a restore causes a number to be reused, the time differs. */
export interface PublicationId {
  readonly revision: number;
  /** When it was created, in ms. */
  readonly publishedAt: number;
}

export const noPublication: PublicationId = { revision: 0, publishedAt: 0 };

export const publicationColumns = { revision: publications.revision, publishedAt: publications.at };

export const isSamePublication = (one: PublicationId, other: PublicationId): boolean =>
  one.revision === other.revision && one.publishedAt === other.publishedAt;
