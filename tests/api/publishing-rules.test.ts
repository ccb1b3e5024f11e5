/**
 * The rules of publishing in this process, over a real database, with pages that a few lines render: one revision per
 * save, two isolates that do not know about each other, refusals that write nothing, lost responses, the copy outside
 * the database, and what visitors get while the database is unavailable.
 */
import { LibsqlError } from '@libsql/client';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Account } from '#contract/accounts.ts';
import type { Publication } from '#contract/content.calls.ts';
import { newId } from '#contract/ids.ts';
import { mediaPath } from '#contract/media.ts';
import { redirectsFrame } from '#contract/screens.ts';
import { sectionNamed, type PublicContent } from '#contract/sections/index.ts';
import { addRecord, removeRecord, updateRecord, type Edit } from '#worker/content/edits.ts';
import { restoreRevision } from '#worker/content/restore.ts';
import { readSnapshot } from '#worker/content/reader.ts';
import { accounts } from '#worker/accounts/schema.ts';
import { contentHistory, publications, releaseChanges, releases } from '#worker/content/schema.ts';
import { openDatabase, writeBatch } from '#worker/db/client.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import type { Env } from '#worker/env.ts';
import { originalKey } from '#worker/media/store.ts';
import { mountPublishing } from '#worker/publishing/routes.ts';
import type * as Publish from '#worker/publishing/publish.ts';
import { pages, pageSets } from '#worker/publishing/schema.ts';
import { staff } from './orders-shop.ts';
import { openAppAs, callerOf } from '../support/in-process-app.ts';
import { openBucket } from '../support/bucket.ts';
import { startDatabaseProxy, type Fate } from '../support/database-proxy.ts';
import { untilMs } from '../support/limits.ts';
import { actBefore } from '../support/overtake.ts';
import { openReplica } from '../support/replica.ts';
import { sampleOf } from '../support/samples.ts';
import { openTestDatabase } from '../support/test-database.ts';

/** worker/publishing/purge.test.ts proves when a purge happens, which takes time. */
const purged = vi.fn<(paths: readonly string[]) => Promise<void>>(() => Promise.resolve());
vi.mock('#worker/publishing/purge.ts', () => ({
  purgePages: purged,
  cacheTags: (path: string) => path,
}));

const rendered: string[] = [];

/** The landing page shows the banner, frames show the logo, and the other pages show neither. */
vi.mock('#site-renderer', () => ({
  buildId: 'this-build',
  unsafeLinkIn: () => Promise.resolve(undefined),
  renderPage: (path: string, content: PublicContent) => {
    rendered.push(path);
    const home = () => {
      const [shown] = content.banner;
      if (shown?.bannerHeading === 'Breaks') throw new RangeError('No such thing.');
      return `<h1>${shown?.bannerHeading ?? 'Nothing yet'}</h1><a href="${shown?.buttonURL ?? '/'}">Go</a>`;
    };
    const body =
      path === '/'
        ? home()
        : path === '/404'
          ? `<img src="${content.logo[0]?.logo ?? '/images/a.svg'}">`
          : path === redirectsFrame
            ? JSON.stringify(content.redirect.map(({ from, to }) => ({ from, to })))
            : path.endsWith('/broken')
              ? '<a href="/articles/no-such">Read</a>'
              : path;
    return Promise.resolve(body);
  },
}));

const editor: Account = { ...staff, email: 'ann@site.test', role: 'Editor' };

const work: Promise<unknown>[] = [];
const logged: string[] = [];
const told: unknown[] = [];
const log = (event: string, details?: object) => {
  logged.push(event);
  told.push({ event, ...details });
};

/** An isolate with its own memory. */
async function openIsolate() {
  vi.resetModules();
  const [publish, live, content, stored, copy, keep, dryRun, due, changes, routes] = await Promise.all([
    import('#worker/publishing/publish.ts'),
    import('#worker/publishing/live.ts'),
    import('#worker/publishing/live-content.ts'),
    import('#worker/publishing/stored-pages.ts'),
    import('#worker/publishing/fallback-copy.ts'),
    import('#worker/publishing/publishing-jobs.ts'),
    import('#worker/publishing/dry-run.ts'),
    import('#worker/editing/release-publication.ts'),
    import('#worker/editing/release-changes.ts'),
    import('#worker/editing/release-routes.ts'),
  ]);
  return { publish, live, content, stored, copy, keep, dryRun, due, changes, routes };
}

type Isolate = Awaited<ReturnType<typeof openIsolate>>;

const db = () => openDatabase(env);
const save = (
  { publish }: Isolate,
  edit: Edit,
  more: Partial<Publish.SaveContext> = {},
  extra?: Publish.Extra,
): Promise<Publish.Published> =>
  publish.publish(
    {
      db: db(),
      env,
      log,
      account: { id: editor.id },
      waitUntil: (promise) => void work.push(promise),
      ...more,
    },
    edit,
    extra,
  );
const heading = (bannerHeading: string): Edit => updateRecord('banner', bannerId, { bannerHeading });
const historyOf = (revision: number) =>
  database.db.select().from(contentHistory).where(eq(contentHistory.revision, revision));
const settle = async () => {
  while (work.length > 0) await work.shift();
};

/** What a visitor of an isolate gets. */
const visit = async ({ live }: Isolate, path = '/', mayTrust = true) => {
  const kept: Promise<unknown>[] = [];
  const served = await live.liveState(db(), env, (promise) => void kept.push(promise), { path, mayTrust });
  return { text: served.live?.pages.get(path)?.html, revision: served.live?.revision, fresh: served.fresh };
};

/** Reads what is live from the database, after checking that its parts agree. */
async function readStored() {
  const { revision, content } = await readSnapshot(database.db);
  const [set] = await database.db.select().from(pageSets).where(eq(pageSets.buildId, 'this-build'));
  const [page] = await database.db.select().from(pages).where(eq(pages.path, '/'));
  expect(set?.revision).toBe(revision);
  expect(page?.html).toContain(content.banner[0]?.values['bannerHeading'] ?? 'Nothing yet');
  return { revision, heading: content.banner[0]?.values['bannerHeading'] };
}

const database = await openTestDatabase();
const proxy = await startDatabaseProxy(database.env.TURSO_DATABASE_URL);
const bucket = await openBucket();
const storedKeys = async () => (await bucket.list()).objects.map(({ key }) => key);
const env: Env = {
  ...database.env,
  TURSO_DATABASE_URL: proxy.url,
  FILES: bucket,
  ASSETS: {
    fetch: (input) =>
      Promise.resolve(
        new Response('', {
          status:
            new URL(input instanceof Request ? input.url : input).pathname === '/images/a.svg' ? 200 : 404,
        }),
      ),
  },
};
const [here, elsewhere] = [await openIsolate(), await openIsolate()];
/** An isolate that has just started. It belongs to one test. */
const started = await openIsolate();
const published = await save(
  here,
  addRecord('banner', { ...sampleOf(sectionNamed('banner')), bannerHeading: 'First' }),
);
const bannerId = published.changes[0]?.after?._id ?? '';
beforeEach(() => {
  logged.length = 0;
  told.length = 0;
  purged.mockClear();
});
afterEach(async () => {
  proxy.decide(() => 'pass');
  vi.useRealTimers();
  await settle();
});
afterAll(async () => {
  await proxy.close();
  await database.close();
  // The next file must not get these isolates' memory.
  vi.resetModules();
});

const isPublication = (body: string) => body.includes('insert into \\"publications\\"');

test('A save is one revision with its history, its pages and its author, and names the pages that it changed', async () => {
  const before = await readStored();
  rendered.length = 0;
  const { revision, changedPages, changes, timings } = await save(here, heading('Told once'));
  expect(await readStored()).toEqual({ revision: before.revision + 1, heading: 'Told once' });
  // Only the page that shows it.
  expect(rendered).toEqual(['/']);
  expect(told).toContainEqual({ event: 'content.published', revision, pages: 1, ...timings });
  expect(timings.readMs).toBe(0);
  expect([revision, changedPages]).toEqual([before.revision + 1, ['/']]);
  expect(changes).toMatchObject([
    { section: 'banner', action: 'updated', before: { values: { bannerHeading: before.heading } } },
  ]);
  const [publication] = await database.db.select().from(publications).orderBy(desc(publications.revision));
  expect(publication).toMatchObject({ revision, by: editor.id, changedPages: ['/'] });
  expect(await historyOf(revision)).toMatchObject([
    { section: 'banner', recordId: bannerId, action: 'updated', by: editor.id },
  ]);
  expect(await visit(here)).toMatchObject({
    revision,
    fresh: true,
    text: expect.stringContaining('Told once') as string,
  });
  await settle();
  const [timed] = await database.db.select().from(publications).where(eq(publications.revision, revision));
  expect(timed?.writeMs).toBeGreaterThanOrEqual(0);
  expect(logged).toContain('content.published');
  expect(purged.mock.calls.map(([paths]) => paths)).toEqual([['/']]);
  // What visitors see while the database is unavailable.
  const copy = await bucket.head(here.copy.copyKeyOf('this-build'));
  expect(copy?.customMetadata).toMatchObject({ revision: String(revision) });
});

test('A record that no page shows changes no page and purges nothing, and a frame does not count as a changed page', async () => {
  const before = await readStored();
  purged.mockClear();
  const hidden = await save(here, addRecord('planStep', sampleOf(sectionNamed('planStep'))));
  expect([hidden.changedPages, hidden.revision]).toEqual([[], before.revision + 1]);
  // In an isolate that does not know yet what the pages show, no page is rendered for it either.
  rendered.length = 0;
  const second = await save(elsewhere, addRecord('planStep', sampleOf(sectionNamed('planStep'))));
  expect(rendered).toEqual([]);
  const steps = [second, hidden].map(({ changes }) => changes[0]?.after?._id ?? '');
  const { revision } = await save(elsewhere, {
    changesTo: (content) =>
      steps.flatMap((id) => updateRecord('planStep', id, { title: `Step ${id}` }).changesTo(content)),
  });
  // A save of several records has a history entry for each.
  expect((await historyOf(revision)).map(({ recordId }) => recordId).toSorted()).toEqual(steps.toSorted());
  const logo = await save(here, addRecord('logo', { logo: 'https://images.example/logo.svg' }));
  expect(logo.changedPages).toEqual([]);
  expect(purged).not.toHaveBeenCalled();
  // A save without an edit makes no revision.
  expect(await save(here, { changesTo: () => [] })).toMatchObject({
    revision: logo.revision,
    changedPages: [],
    changes: [],
    timings: { writeMs: null },
  });
  expect((await readStored()).revision).toBe(logo.revision);
});

test('Saves of an isolate take turns, and one that hangs blocks the next for ten seconds', async () => {
  const before = await readStored();
  const statements: string[] = [];
  proxy.decide((body) => {
    if (isPublication(body)) statements.push(body);
    return 'pass';
  });
  await Promise.all(['First', 'Second', 'Third'].map((text) => save(here, heading(text))));
  // No save was refused because of another and written again.
  expect(statements).toHaveLength(3);
  expect(await readStored()).toEqual({ revision: before.revision + 3, heading: 'Third' });

  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { promise, resolve } = Promise.withResolvers<Response>();
  const fetch = vi.fn(() => promise);
  const hanging = save(here, updateRecord('banner', bannerId, { buttonURL: '/hangs.pdf' }), {
    env: { ...env, ASSETS: { fetch } },
  });
  const next = save(here, heading('After ten seconds'));
  let isDone = false;
  void next.then(() => (isDone = true));
  await vi.waitUntil(() => fetch.mock.calls.length > 0, { timeout: untilMs });
  await vi.advanceTimersByTimeAsync(9_999);
  expect(isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await next;
  expect((await readStored()).heading).toBe('After ten seconds');
  resolve(new Response(null, { status: 404 }));
  await expect(hanging).rejects.toMatchObject({ status: 422 });
  // The copies also wait for their turn.
  await vi.runAllTimersAsync();
  await settle();
});

test('Two isolates that do not know about each other lose no save, and each shows the last one', async () => {
  const { revision } = await readStored();
  const readBanner = async () => (await readSnapshot(database.db)).content.banner[0];
  const version = (await readBanner())?.version ?? 0;
  for (const [index, isolate] of [here, elsewhere, here, elsewhere].entries())
    expect((await save(isolate, heading(`Turn ${String(index)}`))).revision).toBe(revision + index + 1);
  const both = await Promise.all(
    [here, elsewhere, here, elsewhere].map((isolate, index) =>
      save(
        isolate,
        updateRecord('banner', bannerId, {
          [index % 2 === 0 ? 'bannerText' : 'buttonText']: `Text ${String(index)}`,
        }),
      ),
    ),
  );
  expect(both.map((one) => one.revision).toSorted((a, b) => a - b)).toEqual(
    [5, 6, 7, 8].map((more) => revision + more),
  );
  expect(await readBanner()).toMatchObject({ version: version + 8, values: { bannerHeading: 'Turn 3' } });
  for (const isolate of [here, elsewhere])
    expect(await visit(isolate, '/', false)).toMatchObject({ revision: revision + 8, fresh: true });
});

test('A save is rejected by the state of the database, never by stale memory', async () => {
  await save(here, heading('Again'));
  await save(elsewhere, heading('Known elsewhere'));
  // In this isolate's memory, it changes nothing.
  await save(here, heading('Again'));
  expect((await readStored()).heading).toBe('Again');
  await save(elsewhere, heading('Known elsewhere'));
  const { revision } = await readStored();
  // This isolate does not know about it: the named revision is newer than its own.
  const ok = await save(here, heading('On top of it'), { ifMatch: `"${String(revision)}"` });
  expect(ok.revision).toBe(revision + 1);
  await expect(save(here, heading('Too late'), { ifMatch: `"${String(revision)}"` })).rejects.toMatchObject({
    status: 412,
    extensions: { current: { revision: revision + 1 } },
  });
  await expect(save(here, updateRecord('banner', newId(), { bannerText: 'x' }))).rejects.toMatchObject({
    status: 404,
  });
  expect(await readStored()).toEqual({ revision: revision + 1, heading: 'On top of it' });
});

test('A page that fails to render or has a broken link is refused with its name, and nothing is written', async () => {
  const before = await readStored();
  await expect(save(here, heading('Breaks'))).rejects.toMatchObject({
    status: 422,
    extensions: { page: '/', cause: 'RangeError' },
  });
  const nowhere = updateRecord('banner', bannerId, { buttonURL: '/nowhere?from=here' });
  await expect(save(here, nowhere)).rejects.toMatchObject({
    status: 422,
    extensions: { page: '/', errors: { buttonURL: expect.stringContaining('/nowhere,') as string } },
  });
  expect(await readStored()).toEqual(before);
});

type DueChange = Pick<
  typeof releaseChanges.$inferInsert,
  'section' | 'recordId' | 'action' | 'value' | 'base'
>;

async function addDueRelease(change: DueChange): Promise<void> {
  const releaseId = newId();
  const release = { title: 'Due', version: 1, createdAt: 1, createdBy: '', publishAt: Date.now() - 1 };
  await database.db.insert(releases).values({ ...release, _id: releaseId });
  await database.db
    .insert(releaseChanges)
    .values({ ...change, _id: newId(), releaseId, version: 1, at: 1, by: '' });
}

test('All due releases are live while the purge of the first one is still waiting', async () => {
  const { revision, heading: base = '' } = await readStored();
  const { promise, resolve } = Promise.withResolvers<undefined>();
  purged.mockReturnValueOnce(promise);
  await addDueRelease({
    section: 'banner',
    recordId: bannerId,
    action: 'update',
    value: { bannerHeading: 'Due' },
    base: { bannerHeading: base },
  });
  const step = sampleOf(sectionNamed('planStep'));
  for (let count = 0; count < 2; count += 1)
    await addDueRelease({ section: 'planStep', recordId: newId(), action: 'add', value: step, base: null });
  const run = here.due.publishDueReleases(env, log, database.db);
  await expect.poll(readStored).toEqual({ revision: revision + 3, heading: 'Due' });
  expect(purged).toHaveBeenCalledOnce();
  resolve(undefined);
  await run;
  expect(logged.filter((event) => event === 'release.published')).toHaveLength(3);
});

test.each([
  ['showing it', '{\\"imageOne\\"', 422],
  ['removing it', 'delete from \\"media\\"', 409],
] as const)(
  'A picture that is put into a release and removed from the library at the same time: %s comes second',
  async (late, marker, status) => {
    const [_id, releaseId, hash] = [newId(), newId(), 'a'.repeat(24)];
    const path = mediaPath(_id, 'x.png', hash, 'webp');
    await bucket.put(originalKey(hash), '');
    await save(here, addRecord('media', { ...sampleOf(sectionNamed('media')), path }, _id));
    const row = { _id: releaseId, title: 'Pictures', version: 1, createdAt: 1, createdBy: '' };
    await database.db.insert(releases).values(row);
    const change = { section: 'banner', action: 'update', recordId: bannerId } as const;
    const show = () =>
      here.changes.addChange(
        { db: db(), env, account: editor },
        releaseId,
        { ...change, values: { imageOne: path } },
        { ifMatch: undefined, draftId: undefined },
      );
    const remove = () => save(here, removeRecord('media', _id));
    const [first, second] = late === 'showing it' ? [remove, show] : [show, remove];
    await expect(actBefore<unknown>(marker, first, second)).rejects.toMatchObject({ status });
    await bucket.delete(originalKey(hash));
    const counts = [
      await database.db.$count(contentTables.media, eq(contentTables.media._id, _id)),
      await database.db.$count(releaseChanges, eq(releaseChanges.releaseId, releaseId)),
    ];
    expect(counts).toEqual(late === 'showing it' ? [0, 0] : [1, 1]);
  },
);

test('Adding a change to a release, or removing one, takes constant time', async () => {
  const app = openAppAs(editor);
  here.routes.mountReleases(app);
  const send = async (path: string, body: object): Promise<string> => {
    const { status, text } = await callerOf(app, env).post(path, body);
    expect(status).toBe(201);
    return text;
  };
  const idIn = (text: string) => (JSON.parse(text) as { readonly _id: string })._id;
  const release = idIn(await send('/releases', { title: 'Imported' }));
  const add = { section: 'article', action: 'add' };
  const sample = { ...sampleOf(sectionNamed('article')), kind: 'guide', publishedOn: '2020-01-01' };
  rendered.length = 0;
  const added: string[] = [];
  for (const slug of ['article-1', 'article-2', 'article-3'])
    added.push(await send(`/release/${release}/changes`, { ...add, values: { ...sample, cover: '', slug } }));
  expect(new Set(added.map(({ length }) => length)).size).toBe(1);
  const change = `/release/${release}/changes/${idIn(added[0] ?? '')}`;
  expect((await callerOf(app, env).delete(change)).status).toBe(204);
  expect(rendered).toEqual([]);
});

test('A dry run shows what a save would change, and writes nothing', async () => {
  const before = await readStored();
  const live = await here.content.readLive(db());
  const dryRun = (edit: Edit) => here.dryRun.dryRun(live, edit, { db: db(), env });
  expect(await dryRun(heading('Not yet'))).toMatchObject({
    revision: before.revision,
    changes: [{ section: 'banner', action: 'updated' }],
    pages: [{ path: '/', sections: ['banner'] }],
  });
  const removal = await dryRun(removeRecord('banner', bannerId));
  expect(removal.changes).toMatchObject([{ section: 'banner', recordId: bannerId, action: 'removed' }]);
  const both = await dryRun({
    changesTo: (content) => [
      ...updateRecord('banner', bannerId, { bannerText: 'Twice' }).changesTo(content),
      ...heading('Twice').changesTo(content),
      ...addRecord('logo', { logo: 'https://images.example/other.svg' }).changesTo({ ...content, logo: [] }),
    ],
  });
  // Each section once, and only on pages that show it.
  expect(both.pages).toEqual([{ path: '/', sections: ['banner'] }]);
  // It refuses what a save would refuse: a picture without its file, and a broken link.
  const path = mediaPath(newId(), 'x.png', 'b'.repeat(24), 'webp');
  const picture = addRecord('media', { ...sampleOf(sectionNamed('media')), path });
  const nowhere = updateRecord('banner', bannerId, { buttonURL: '/nowhere' });
  for (const [edit, status] of [
    [picture, 409],
    [nowhere, 422],
  ] as const)
    await expect(dryRun(edit)).rejects.toMatchObject({ status });
  expect(await readStored()).toEqual(before);
});

test('A save of many articles is refused for a broken link in any of them', async () => {
  const before = await readStored();
  const sample = { ...sampleOf(sectionNamed('article')), kind: 'guide', cover: '' };
  const slugs = ['broken', ...Array.from({ length: 20 }, (_, at) => `many-${at}`)];
  const edit: Edit = {
    changesTo: (content) =>
      slugs.flatMap((slug, at) =>
        addRecord('article', { ...sample, slug, publishedOn: `2020-01-${at + 10}` }).changesTo(content),
      ),
  };
  const live = await here.content.readLive(db());
  for (const make of [() => here.dryRun.dryRun(live, edit, { db: db(), env }), () => save(here, edit)])
    await expect(make()).rejects.toMatchObject({ status: 422, extensions: { page: '/articles/broken' } });
  expect(await readStored()).toEqual(before);
});

test('A conflict in an added statement refuses the whole save, and a save that never gets its turn gives up after ten seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const pauses = vi.spyOn(globalThis, 'setTimeout');
  const before = await readStored();
  let tries = 0;
  const refused = save(here, heading('Half of it'), {}, () => {
    tries += 1;
    vi.setSystemTime(Date.now() + 2_500);
    return [db().insert(publications).values({ revision: 1, at: 1, by: '', changedPages: [] })];
  });
  await expect(refused).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('save again') as string,
  });
  expect(tries).toBe(4);
  // A save that is overtaken again waits longer.
  expect(pauses.mock.calls.map(([, ms]) => ms)).toEqual(expect.arrayContaining([30, 60, 90]));
  expect(await readStored()).toEqual(before);
});

test('A save is tried again if the database is busy', async () => {
  const before = await readStored();
  const busy = db();
  const batch = busy.$client.batch.bind(busy.$client);
  let left = 2;
  busy.$client.batch = (statements, mode) =>
    isPublication(JSON.stringify(statements)) && left-- > 0
      ? Promise.reject(new LibsqlError('SQLite error: database is locked', 'SQLITE_BUSY'))
      : batch(statements, mode);
  const { revision } = await save(here, heading('In its turn'), { db: busy });
  expect(revision).toBe(before.revision + 1);
  expect(await readStored()).toEqual({ revision, heading: 'In its turn' });
});

test('A save that loses its connection reports its real outcome, and no success if the outcome is unknown', async () => {
  const lose = async (text: string, fates: readonly Fate[]) => {
    let next = 0;
    proxy.decide((body) => {
      const fate = next > 0 || isPublication(body) ? fates[next] : undefined;
      if (fate) next += 1;
      return fate ?? 'pass';
    });
    return save(here, heading(text)).finally(() => proxy.decide(() => 'pass'));
  };
  const before = await readStored();
  await expect(lose('Never written', ['cutBefore'])).rejects.toThrow();
  expect(await readStored()).toEqual(before);
  const revision = before.revision + 1;
  expect((await lose('Written', ['cutAfter'])).revision).toBe(revision);
  expect(await readStored()).toEqual({ revision, heading: 'Written' });
  const gone = Array<Fate>(100).fill('cutBefore');
  await expect(lose('Written, and nobody knows', ['cutAfter', ...gone])).rejects.toThrow();
  expect(await readStored()).toEqual({ revision: revision + 1, heading: 'Written, and nobody knows' });
});

test('A save after a restore of the database builds on what is there, and brings back nothing that was lost', async () => {
  await save(here, heading('Lost in the restore'));
  const { revision } = await readStored();
  for (const table of ['publications', 'content_history'])
    await database.db.$client.execute(`DROP TRIGGER ${table}_keeps_rows`);
  await writeBatch(database.db, [
    database.db.delete(publications).where(eq(publications.revision, revision)),
    database.db.delete(contentHistory).where(eq(contentHistory.revision, revision)),
    database.db.delete(pages).where(eq(pages.revision, revision)),
    database.db.update(pageSets).set({ revision: revision - 1 }),
  ]);
  await database.db.run(sql`UPDATE banners SET bannerHeading = 'Restored'`);
  const next = await save(here, updateRecord('banner', bannerId, { bannerText: 'Afterwards' }));
  expect(next.revision).toBe(revision);
  expect(await readStored()).toEqual({ revision, heading: 'Restored' });
  expect((await visit(here)).text).toContain('Restored');
  // The isolate that only shows pages also accepts the restored state.
  expect(await visit(elsewhere, '/', false)).toMatchObject({ revision, fresh: true });
});

test('A save over a replica that lags behind builds on what is in memory, or is refused, and nothing is overwritten', async () => {
  await save(here, heading('Known to the replica'));
  await settle();
  const behind = await openReplica(database.db);
  proxy.decide(behind);
  await save(here, heading('After it'));
  await save(here, heading('And once more'));
  expect((await visit(started)).text).toContain('Known to the replica');
  vi.useFakeTimers({ toFake: ['Date'] });
  proxy.decide((body) => {
    vi.setSystemTime(Date.now() + 1_000);
    return behind(body);
  });
  await expect(save(started, heading('Too early'))).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('What you typed is still here') as string,
  });
  vi.useRealTimers();
  proxy.decide(() => 'pass');
  await settle();
  expect((await readStored()).heading).toBe('And once more');
  await save(started, heading('In time'));
  expect((await readStored()).heading).toBe('In time');
  const history = await database.db
    .select()
    .from(contentHistory)
    .orderBy(desc(contentHistory.revision))
    .limit(4);
  expect(
    history.map(({ after }) => /Known|After|more|early|In time/.exec(JSON.stringify(after))?.[0]),
  ).toEqual(['In time', 'more', 'After', 'Known']);
});

test('The list of publications says who saved what', async () => {
  const app = openAppAs(editor);
  mountPublishing(app);
  await database.db.insert(accounts).values({ id: editor.id, email: editor.email, createdAt: 1 });
  const get = async (path: string) => (await callerOf(app, env).get(path)).json;
  const { revision } = await save(here, heading('Told of'));
  await save(here, addRecord('planStep', sampleOf(sectionNamed('planStep'))));
  expect(await get('/publication')).toMatchObject({
    revision: revision + 1,
    buildId: 'this-build',
    publishedBy: 'ann@site.test',
    publishedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  });
  const [last, before] = (await get('/publications')) as Publication[];
  expect(last).toMatchObject({
    revision: revision + 1,
    changedPages: [],
    summary: [{ section: 'planStep' }],
  });
  expect(before).toMatchObject({
    revision,
    by: 'ann@site.test',
    changedPages: ['/'],
    summary: [
      {
        section: 'banner',
        recordId: bannerId,
        changes: [{ field: 'bannerHeading', after: 'Told of', before: expect.any(String) as string }],
      },
    ],
    timings: { readMs: expect.any(Number) as number, renderMs: expect.any(Number) as number },
  });
});

test('Pages of builds that no longer run are deleted a month after their last page, five builds at a time', async () => {
  const builds = ['previous', ...Array.from({ length: 6 }, (_, index) => `old${index}`)];
  for (const [age, buildId] of builds.entries()) {
    const renderedAt = Date.now() - (buildId === 'previous' ? 29 : 31 + age) * 86_400_000;
    await database.db.insert(pageSets).values({ buildId, revision: 1, renderedAt });
    await database.db.insert(pages).values({ buildId, path: '/', html: '', etag: '', csp: '', revision: 1 });
    await bucket.put(here.copy.copyKeyOf(buildId), '{}');
  }
  const expectBuilds = async (...left: readonly string[]) => {
    await here.keep.pruneBuilds(database.db, bucket, log, 30);
    const all = ['this-build', 'previous', ...left].toSorted();
    const sets = await database.db.select().from(pageSets);
    expect(sets.map(({ buildId }) => buildId).toSorted()).toEqual(all);
    const stored = await database.db.selectDistinct({ buildId: pages.buildId }).from(pages);
    expect(stored.map(({ buildId }) => buildId).toSorted()).toEqual(all);
    expect(await storedKeys()).toEqual(all.map(here.copy.copyKeyOf));
  };
  await expectBuilds('old0');
  await expectBuilds();
  // A setting changes the month.
  await here.keep.pruneBuilds(database.db, bucket, log, 28);
  expect(await database.db.$count(pageSets)).toBe(1);
});

test('The cron writes a missing copy, and deletes what old builds stored', async () => {
  await database.db.insert(pageSets).values({ buildId: 'older', revision: 1, renderedAt: 1 });
  await bucket.delete(await storedKeys());
  await here.keep.runPublishingJobs(env, log, database.db);
  expect(await storedKeys()).toEqual([here.copy.copyKeyOf('this-build')]);
  expect(logged.toSorted()).toEqual(['builds.pruned', 'fallback-copy.repaired']);
});

const redirect = (from: string, to: string) => addRecord('redirect', { from, to });

test('An earlier revision can be restored even if other records have taken the place or the path of old ones', async () => {
  const [one, other] = [
    await save(here, redirect('/one', '/contact')),
    await save(here, redirect('/other', '/pricing/')),
  ].map(({ changes }) => changes[0]?.after?._id ?? '');
  const { revision, content } = await readSnapshot(database.db);
  const sample = { ...sampleOf(sectionNamed('banner')), bannerHeading: 'In its place' };
  await save(here, removeRecord('banner', bannerId));
  await save(here, addRecord('banner', sample));
  for (const [id = '', from] of [
    [one, '/third'],
    [other, '/one'],
    [one, '/other'],
  ] as const)
    await save(here, updateRecord('redirect', id, { from }));
  await save(here, await restoreRevision(database.db, revision, () => Promise.resolve(true)));
  const now = (await readSnapshot(database.db)).content;
  const told = (all: typeof content) =>
    [...all.banner, ...all.redirect].map(({ _id, values }) => ({ _id, values }));
  expect(told(now)).toEqual(told(content));
});

test('Late pages of an earlier revision do not overwrite newer ones', async () => {
  const { revision } = await save(here, heading('Newest'));
  const page = here.live.remembered()?.pages.get('/');
  if (!page) throw new Error('Nothing is remembered.');
  const late = { ...page, html: 'Late', revision: revision - 1 };
  await writeBatch(database.db, here.stored.pageStatements(database.db, [late], revision - 1));
  expect(await readStored()).toEqual({ revision, heading: 'Newest' });
});
