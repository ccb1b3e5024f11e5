/** Two administrators edit one release. Its conflicts differ from conflicts with the live record. */
import { afterEach, expect, test, vi } from 'vitest';
import { etagOf } from '#contract/etag.ts';
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import { addUnlessReplacing } from './existing-change.ts';

afterEach(() => vi.unstubAllGlobals());

const wanted = {
  section: 'banner',
  action: 'update',
  recordId: 'b',
  values: { bannerHeading: 'Mine' },
} as const;
const existing = (version: number, field: string, after: string) =>
  ({ ...wanted, _id: 'c', version, changes: [{ field, before: 'Live', after }] }) as unknown as ReleaseChange;

/**
 * A fake server whose release has a change. It rejects a call with another version of the change, and every call if
 * `isStale`.
 */
function serve(change: ReleaseChange | undefined, isStale = false) {
  const release = { _id: 'r', title: 'Spring', changes: change ? [change] : [] } as unknown as Release;
  const added: (string | null)[] = [];
  vi.stubGlobal('fetch', (_address: string, { method, headers }: { method: string; headers: Headers }) => {
    if (method === 'GET') return Promise.resolve(Response.json(release));
    const seen = headers.get('If-Match');
    const isRefused = isStale || (change && seen !== etagOf(change.version));
    if (!isRefused) added.push(seen);
    const isThere = change?.changes.some(({ after }) => after === wanted.values.bannerHeading);
    const answer = change && { ...change, version: isThere ? change.version : change.version + 1 };
    const refusal = { title: 'Precondition Failed', status: 412, detail: 'Someone else saved this.' };
    return Promise.resolve(
      isRefused ? Response.json(refusal, { status: 412 }) : Response.json(answer ?? null, { status: 201 }),
    );
  });
  return { release, added };
}

test('An editor is asked again when a colleague changed the same field in the release', async () => {
  const theirs = existing(2, 'bannerHeading', 'Theirs');
  const { release, added } = serve(theirs);
  for (const seen of [undefined, 1])
    expect(await addUnlessReplacing('r', wanted, seen)).toEqual({ other: { release, change: theirs } });
  expect(added).toEqual([]);
});

test('An editor is not asked about a colleague’s change of another field', async () => {
  const { added } = serve(existing(2, 'bannerText', 'Theirs'));
  expect(await addUnlessReplacing('r', wanted, 1)).toBe('added');
  expect(added).toEqual(['"2"']);
});

test.each([1, 2])(
  'A change that the release already contains is not reported as added (seen at version %i)',
  async (seen) => {
    serve(existing(2, 'bannerHeading', 'Mine'));
    expect(await addUnlessReplacing('r', wanted, seen)).toBe('present');
  },
);

test('A record that was saved in the meantime is compared by the form', async () => {
  for (const change of [existing(2, 'bannerHeading', 'Theirs'), undefined]) {
    serve(change, true);
    await expect(addUnlessReplacing('r', wanted, change?.version)).rejects.toMatchObject({ status: 412 });
  }
});
