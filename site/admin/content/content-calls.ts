/** The API calls of every section, from the registry. A screen specifies the section and the action, never a path. */
import {
  sectionCalls,
  type ContentRecord,
  type SectionCallName,
  type SectionVerb,
} from '#contract/section-calls.ts';
import { readTypedPrice } from '#contract/money.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { api, type ApiResponse } from '#site/app/call.ts';

/** The fields of a record by name. */
export type Values = Readonly<Record<string, string>>;

export interface VersionedRecord {
  readonly record: ContentRecord;
  readonly etag: string | undefined;
}

/** Returns a section's call for an action. @throws Error if the section has no such call */
export function callOf<V extends SectionVerb>(name: SectionName, verb: V): SectionCallName<V> {
  const call: SectionCallName<V> | undefined = sectionCalls(name)[verb];
  if (!call) throw new Error(`The section ${name} has no call to ${verb} a record.`);
  return call;
}

/** Whether users can add, remove or reorder the section's records. */
export const can = (name: SectionName, verb: SectionVerb): boolean => sectionCalls(name)[verb] !== undefined;

export const versioned = ({ data, headers }: ApiResponse<ContentRecord>): VersionedRecord => ({
  record: data,
  etag: headers.get('ETag') ?? undefined,
});

/** The fields of a record, without the id. */
export const valuesOf = (name: SectionName, record: Values): Values =>
  Object.fromEntries(Object.keys(sectionNamed(name).fields).map((field) => [field, record[field] ?? '']));

/** Returns values as the server stores them: prices without `$` or commas, and no fixed fields. */
export function toSent(name: SectionName, values: Values): Values {
  const { fields } = sectionNamed(name);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([field]) => !fields[field]?.fixed)
      .map(([field, value]) => [field, fields[field]?.kind === 'price' ? readTypedPrice(value) : value]),
  );
}

/** Returns all records of a section in display order. */
export const listRecords = async (name: SectionName) => (await api(callOf(name, 'list'))).data;

export const readRecord = async (name: SectionName, id: string) =>
  versioned(await api(callOf(name, 'read'), { id }));

/** @param draftId the server draft to delete @param idempotencyKey requests with the same key add the record once */
export const addRecord = (name: SectionName, body: Values, draftId?: string, idempotencyKey?: string) =>
  api(callOf(name, 'add'), { body: toSent(name, body), draftId, idempotencyKey });

/**
 * @param etag the version that was edited; the server rejects an old one with 412
 * @param draftId the id of the server draft to delete; other drafts of the form are kept
 */
export const updateRecord = (
  name: SectionName,
  id: string,
  body: Values,
  etag: string | undefined,
  draftId?: string,
) =>
  api(callOf(name, 'update'), {
    id,
    body: toSent(name, body),
    ifMatch: etag,
    draftId,
  });

export const removeRecord = (name: SectionName, id: string) => api(callOf(name, 'remove'), { id });

/** @param seen the ids in the previous order; the server rejects another one with 412 */
export const reorderRecords = (name: SectionName, order: readonly string[], seen: readonly string[]) =>
  api(callOf(name, 'reorder'), { body: { order: [...order], orderSeen: [...seen] } });

/** @param etag the version that the restore replaces; the server rejects another one with 412 */
export const restoreVersion = (id: string, version: number, etag: string | undefined) =>
  api('POST /history/:id/restore', { id, body: { version }, ifMatch: etag });
