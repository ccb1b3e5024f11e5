/**
 * Reads the whole content as one consistent snapshot: every section in one batch. The Worker and the static build
 * read by this module, so that both render from the same records in the same order.
 */
import { asc, desc, getTableColumns } from 'drizzle-orm';
import {
  isShown,
  sectionNames,
  type PublicContent,
  type RecordOf,
  type SectionName,
} from '../contract/sections/index.ts';
import { contentTables } from '../db/content-tables.ts';
import { toLibsql, type Database } from '../db/client.ts';
import { publications } from '../publishing/schema.ts';

/** A record as it is stored: its fields, its version (from 1) and its place in the display order. */
export interface StoredRecord {
  readonly _id: string;
  readonly version: number;
  readonly position: number;
  readonly values: Readonly<Record<string, string>>;
}

export type StoredContent = { readonly [N in SectionName]: readonly StoredRecord[] };

export interface Snapshot {
  /** Number of the last publication, 0 before the first. */
  readonly revision: number;
  readonly content: StoredContent;
}

/** The record as the API answers it and as components take it: its id and its fields. */
export const toRecord = <N extends SectionName>(_name: N, { _id, values }: StoredRecord): RecordOf<N> =>
  ({ _id, ...values }) as RecordOf<N>;

/** A text column's value. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads all sections and the revision in one read transaction. */
export async function readSnapshot(db: Database): Promise<Snapshot> {
  const statements = [
    db
      .select({ revision: publications.revision })
      .from(publications)
      .orderBy(desc(publications.revision))
      .limit(1),
    ...sectionNames.map((name) => {
      const table = contentTables[name];
      return db.select(getTableColumns(table)).from(table).orderBy(asc(table.position), asc(table._id));
    }),
  ];
  const [last, ...lists] = await db.$client.batch(statements.map(toLibsql), 'read');
  const content = Object.fromEntries(
    sectionNames.map((name, index) => {
      const result = lists[index];
      const records = (result?.rows ?? []).map((row): StoredRecord => {
        const values: Record<string, string> = {};
        result?.columns.forEach((column, at) => {
          if (!['_id', 'version', 'position'].includes(column)) values[column] = asText(row[at]);
        });
        return {
          _id: asText(row['_id']),
          version: Number(row['version']),
          position: Number(row['position']),
          values,
        };
      });
      return [name, records];
    }),
  ) as unknown as StoredContent;
  return { revision: Number(last?.rows[0]?.['revision'] ?? 0), content };
}

/** The part of the content that pages are rendered from, as plain records. */
export function publicContentOf(content: StoredContent): PublicContent {
  return Object.fromEntries(
    sectionNames.filter(isShown).map((name) => [name, content[name].map((record) => toRecord(name, record))]),
  ) as unknown as PublicContent;
}
