/** The API calls of releases that several screens use. */
import { etagOf } from '#contract/etag.ts';
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import type { ReleaseAction } from '#contract/releases.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { api } from '#site/app/call.ts';
import { callQuery } from '#site/app/query.ts';
import { toSent, type Values } from '../content-calls.ts';

/** The maximum number of open releases to choose from. */
export const offered = 100;

/** What a change is to: one record, or any record of a section. */
export type Subject = { readonly recordId: string } | { readonly section: SectionName };

/** Returns the open releases. @param subject only releases with a change to it */
export const openReleasesQuery = (subject?: Subject) =>
  callQuery('GET /releases', { query: { status: 'open', pageSize: offered, ...subject } });

export const readRelease = async (id: string): Promise<Release> =>
  (await api('GET /release/:id', { id })).data;

export const beginRelease = async (title: string): Promise<Release> =>
  (await api('POST /releases', { body: { title } })).data;

export interface NewChange {
  readonly section: SectionName;
  readonly action: ReleaseAction;
  readonly recordId?: string | undefined;
  readonly values?: Values;
  readonly order?: readonly string[];
  /** The order of the list before the change. */
  readonly orderSeen?: readonly string[];
  /** The version of the record that was edited. */
  readonly version?: number | undefined;
  readonly draftId?: string | undefined;
}

/**
 * @param seen the version of the release's own change that the user has decided to replace
 * @param idempotencyKey requests with the same key add a new record only once
 * @returns the change in the release; null if it does not differ from the live content
 */
export const addChange = async (
  id: string,
  { section, values, order, orderSeen, recordId, version, action, draftId }: NewChange,
  seen?: number,
  idempotencyKey?: string,
): Promise<ReleaseChange | null> => {
  const body = {
    section,
    action,
    recordId,
    values: values && toSent(section, values),
    order: order && [...order],
    orderSeen: orderSeen && [...orderSeen],
    version,
  };
  const ifMatch = seen === undefined ? undefined : etagOf(seen);
  return (await api('POST /release/:id/changes', { id, body, ifMatch, draftId, idempotencyKey })).data;
};
