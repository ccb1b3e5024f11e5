/** Creates, changes and publishes releases as an administrator, for tests. */
import { expect } from 'vitest';
import type { Release } from '#contract/releases.calls.ts';
import type { SectionName } from '#contract/sections/index.ts';
import type { Answer, Visitor } from './visitor.ts';

export const releaseOf = ({ json }: Answer): Release => json as Release;

export async function beginRelease(administrator: Visitor, title: string): Promise<Release> {
  const answer = await administrator.post('/api/releases', { title });
  expect(answer.status, answer.text).toBe(201);
  return releaseOf(answer);
}

/** The body of a change; see `POST /release/:id/changes`. */
interface ChangeSent {
  readonly section: SectionName;
  readonly action: 'add' | 'update' | 'remove' | 'reorder';
  readonly recordId?: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly order?: readonly string[];
  readonly orderSeen?: readonly string[];
  readonly version?: number;
}

/** @param ifMatch the version of the change that the release already contains, or any */
export const sendChange = (
  administrator: Visitor,
  id: string,
  change: ChangeSent,
  ifMatch?: number | '*',
): Promise<Answer> =>
  administrator.post(`/api/release/${id}/changes`, change, {
    headers: ifMatch === undefined ? {} : { 'If-Match': ifMatch === '*' ? '*' : `"${ifMatch}"` },
  });

export const readRelease = async (administrator: Visitor, id: string): Promise<Release> =>
  releaseOf(await administrator.get(`/api/release/${id}`));

/** Adds a change and expects success. @returns the release afterward */
export async function addChange(administrator: Visitor, id: string, change: ChangeSent): Promise<Release> {
  const answer = await sendChange(administrator, id, change);
  expect(answer.status, answer.text).toBe(201);
  return readRelease(administrator, id);
}

export const publishRelease = (administrator: Visitor, id: string): Promise<Answer> =>
  administrator.post(`/api/release/${id}/publish`);
