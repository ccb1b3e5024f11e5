/** The calls of any section, by the registry: a screen says which section and what to do, never a path. */
import {
  sectionCalls,
  type ContentRecord,
  type SectionCallName,
  type SectionVerb,
} from '#contract/section-calls.ts';
import { readTypedPrice } from '#contract/money.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { api, type ApiResponse } from '#site/app/call.ts';

export type { ContentRecord };

/** Fields of a record by name. */
export type Values = Readonly<Record<string, string>>;

/** A record with the version it was read at. */
export interface VersionedRecord {
  readonly record: ContentRecord;
  readonly etag: string | undefined;
}

/** The call of a section, by what it does. @throws Error where the section has no such call */
export function callOf<V extends SectionVerb>(name: SectionName, verb: V): SectionCallName<V> {
  const call: SectionCallName<V> | undefined = sectionCalls(name)[verb];
  if (!call) throw new Error(`The section ${name} has no call to ${verb} a record.`);
  return call;
}

/** Whether the section's records can be added, removed or put in another order. */
export const can = (name: SectionName, verb: SectionVerb): boolean => sectionCalls(name)[verb] !== undefined;

export const versioned = ({ data, headers }: ApiResponse<ContentRecord>): VersionedRecord => ({
  record: data,
  etag: headers.get('ETag') ?? undefined,
});

/** The fields of a record, without its id. */
export const valuesOf = (name: SectionName, record: Values): Values =>
  Object.fromEntries(Object.keys(sectionNamed(name).fields).map((field) => [field, record[field] ?? '']));

/** Values as the server takes them: a price may be typed as `$599` or `1,200`, and what is fixed is not sent. */
export function toSent(name: SectionName, values: Values): Values {
  const { fields } = sectionNamed(name);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([field]) => !fields[field]?.fixed)
      .map(([field, value]) => [field, fields[field]?.kind === 'price' ? readTypedPrice(value) : value]),
  );
}

/** All records of a section, in display order. */
export const listRecords = async (name: SectionName, signal?: AbortSignal) =>
  (await api(callOf(name, 'list'), { signal })).data;

export const readRecord = async (name: SectionName, id: string, signal?: AbortSignal) =>
  versioned(await api(callOf(name, 'read'), { id, signal }));

/**
 * @param draftId the draft that this was typed as; the others of the form stay
 * @param idempotencyKey with the same one, what is sent again is added once
 */
export const addRecord = (name: SectionName, body: Values, draftId?: string, idempotencyKey?: string) =>
  api(callOf(name, 'add'), { body: toSent(name, body), draftId, idempotencyKey });

/**
 * @param etag the version that the change was made from; a stale one is refused with status 412
 * @param draftId the draft that this was typed as; the others of the form stay
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

/**
 * @param order every id of the list, in the new order
 * @param seen the ids as they stood before; where somebody else reordered them meanwhile it is refused with status 412
 */
export const reorderRecords = (name: SectionName, order: readonly string[], seen: readonly string[]) =>
  api(callOf(name, 'reorder'), { body: { order: [...order], orderSeen: [...seen] } });

/** @param etag the version that is restored over; another one is refused with status 412 */
export const restoreVersion = (id: string, version: number, etag: string | undefined) =>
  api('POST /history/:id/restore', { id, body: { version }, ifMatch: etag });
