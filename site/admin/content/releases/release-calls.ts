/** The calls of releases, as several screens make them. */
import { etagOf } from '#contract/etag.ts';
import type { Release } from '#contract/releases.calls.ts';
import type { ReleaseAction } from '#contract/releases.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { api } from '#site/app/call.ts';
import { callQuery } from '#site/app/query.ts';
import { toSent, type Values } from '../content-calls.ts';

/** Most open releases that are offered to choose from. */
export const offered = 100;

/** What a release holds a change of: one record, or any of a section. */
export type Subject = { readonly recordId: string } | { readonly section: SectionName };

/** The open releases. @param subject only those that hold a change of it */
export const openReleasesQuery = (subject?: Subject) =>
  callQuery('GET /releases', { query: { status: 'open', pageSize: offered, ...subject } });

export const readRelease = async (id: string): Promise<Release> =>
  (await api('GET /release/:id', { id })).data;

export const beginRelease = async (title: string): Promise<Release> =>
  (await api('POST /releases', { body: { title } })).data;

/** A change as a screen has it. */
export interface NewChange {
  readonly section: SectionName;
  readonly action: ReleaseAction;
  readonly recordId?: string | undefined;
  readonly values?: Values;
  readonly order?: readonly string[];
  /** The list as it stood when it was put in that order. */
  readonly orderSeen?: readonly string[];
  /** The version of the record that the change was made from. */
  readonly version?: number | undefined;
  /** The draft that it was typed as. */
  readonly draftId?: string | undefined;
}

/**
 * @param seen the version of the change that the release holds already, once somebody has decided to replace it
 * @param idempotencyKey with the same one, a new record that is sent again is added once
 */
export const addChange = async (
  id: string,
  { section, values, order, orderSeen, recordId, version, action, draftId }: NewChange,
  seen?: number,
  idempotencyKey?: string,
): Promise<Release> => {
  const body = {
    section,
    action,
    ...(recordId !== undefined && { recordId }),
    ...(values && { values: toSent(section, values) }),
    ...(order && { order: [...order] }),
    ...(orderSeen && { orderSeen: [...orderSeen] }),
    ...(version !== undefined && { version }),
  };
  const ifMatch = seen === undefined ? undefined : etagOf(seen);
  return (await api('POST /release/:id/changes', { id, body, ifMatch, draftId, idempotencyKey })).data;
};
