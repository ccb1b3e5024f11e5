/** Reads and saves content as an administrator, for tests of publishing. */
import { expect, vi } from 'vitest';
import { untilMs } from './limits.ts';
import type { Answer, CallInit, Visitor } from './visitor.ts';

export interface PlainRecord {
  readonly _id: string;
  readonly [field: string]: string;
}

/** The first record of a list, at a path below `/api`. */
export async function firstRecord(visitor: Visitor, path: string): Promise<PlainRecord> {
  const [record] = (await visitor.get(`/api${path}`)).json as readonly PlainRecord[];
  if (!record) throw new Error(`${path} lists nothing.`);
  return record;
}

export const revisionOf = ({ headers }: Answer): number => Number(headers.get('X-Content-Revision'));
export const changedPagesOf = ({ headers }: Answer): string[] =>
  (headers.get('X-Changed-Pages') ?? '').split(',').filter(Boolean);

/** Saves values and expects success. */
export async function save(administrator: Visitor, path: string, values: object): Promise<Answer> {
  const answer = await administrator.put(`/api${path}`, values);
  expect(answer.status, answer.text).toBe(200);
  return answer;
}

/**
 * Whether a page is the deployed one and not the live one. A lookup takes a second at most, so a slow machine serves a
 * few deployed pages before its memory is filled.
 */
export const isStandIn = (page: Answer): boolean => page.headers.get('Cache-Control') === 'no-store';

/** The live version of a page. Retries while it gets the deployed one. */
export const livePage = (visitor: Visitor, path: string, init?: CallInit): Promise<Answer> =>
  vi.waitFor(async () => {
    const page = await visitor.get(path, init);
    if (isStandIn(page)) throw new Error(`${path} was not read in time.`);
    return page;
  }, untilMs);

/** The revision that visitors get. A save takes effect within the second for which memory is trusted. */
export async function liveRevision(visitor: Visitor): Promise<number | null> {
  return ((await visitor.get('/revision.json')).json as { readonly revision: number | null }).revision;
}
