/** Articles: pages that come from records, with the same saves, releases and history as everything else. */
import { afterAll, expect, test } from 'vitest';
import type { RemovedRecord } from '#contract/content.calls.ts';
import { newId } from '#contract/ids.ts';
import { compressLikeEdge } from '../bench/edge.ts';
import { changedPagesOf, livePage, revisionOf, save, type PlainRecord } from '../support/content.ts';
import {
  addChange,
  beginRelease,
  publishRelease,
  readRelease,
  releaseOf,
  sendChange,
} from '../support/releases.ts';
import { openSystem } from '../support/in-process-system.ts';
import { signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

const system = await openSystem();
const administrator = await signInAdministrator(system.url);
const visitor = new Visitor(system.url);
await livePage(visitor, '/articles/');
afterAll(() => system.stop());

interface Refusal {
  readonly errors?: Readonly<Record<string, string>>;
  readonly uses?: readonly object[];
}
function expectProblem(answer: Answer, status: number): Refusal {
  expect(answer.status, answer.text).toBe(status);
  return answer.json as Refusal;
}

const values = (title: string, change: Readonly<Record<string, string>> = {}) => ({
  title,
  summary: `All about ${title}.`,
  text: `## Why\n\nThe words of ${title}.`,
  publishedOn: '2026-01-05',
  ...change,
});
const add = (title: string, change?: Readonly<Record<string, string>>): Promise<Answer> =>
  administrator.post('/api/add-article', values(title, change));
async function write(title: string, change?: Readonly<Record<string, string>>): Promise<PlainRecord> {
  const answer = await add(title, change);
  expect(answer.status, answer.text).toBe(201);
  return answer.json as PlainRecord;
}
const put = (id: string, change: object): Promise<Answer> => administrator.put(`/api/article/${id}`, change);
const read = (path: string) => livePage(visitor, path);
/** Reads past the memory cache, like an administrator's browser. */
const readNow = (path: string) => visitor.get(path, { headers: { 'Cache-Control': 'no-cache' } });

test('A saved article is live on its page, in the list, the feed and the sitemap, and on its neighbor’s page, and other pages do not change', async () => {
  const pricing = revisionOf(await read('/pricing/'));
  const answer = await add('A First Article', { tags: 'Loan pages' });
  expect(answer.json).toMatchObject({ slug: 'a-first-article', kind: 'guide' });
  const path = '/articles/a-first-article';
  expect(changedPagesOf(answer).toSorted()).toEqual([
    '/articles/',
    path,
    '/articles/feed.xml',
    '/articles/harbor-street-mortgage',
    '/articles/kind/guides',
    '/articles/tag/loan-pages',
    '/articles/what-belongs-on-a-loan-page',
    '/sitemap.xml',
  ]);
  const page = await readNow(path);
  expect([page.status, revisionOf(page)]).toEqual([200, revisionOf(answer)]);
  expect(page.headers.get('Cache-Control')).toBe('public, max-age=0, must-revalidate');
  for (const part of [
    '<h1',
    'A First Article',
    '<h2 id="why">Why</h2>',
    'January 5, 2026',
    '"@type":"Article"',
    '"@type":"BreadcrumbList"',
    '"datePublished":"2026-01-05"',
    '<meta property="og:type" content="article">',
  ])
    expect(page.text, part).toContain(part);
  const [, canonical = ''] = /<link rel="canonical" href="([^"]*)"/.exec(page.text) ?? [];
  const { origin, pathname } = new URL(canonical);
  expect(pathname).toBe(path);
  for (const other of [
    '/articles/',
    '/articles/kind/guides',
    '/articles/tag/loan-pages',
    '/articles/what-belongs-on-a-loan-page',
  ])
    expect((await readNow(other)).text, other).toContain(`href="${path}"`);
  const feed = await readNow('/articles/feed.xml');
  expect(feed.headers.get('Content-Type')).toBe('application/xml; charset=utf-8');
  expect(feed.text).toContain('<pubDate>Mon, 05 Jan 2026 12:00:00 GMT</pubDate>');
  expect((await readNow('/sitemap.xml')).text).toContain(
    `<loc>${origin}${path}</loc><lastmod>2026-01-05</lastmod>`,
  );
  expect(revisionOf(await readNow('/pricing/'))).toBe(pricing);
});

test('The API lists articles without their texts, and a save of one field keeps the others', async () => {
  const { _id } = await write('Kept Text');
  const listed = (await visitor.get('/api/articles')).json as readonly PlainRecord[];
  expect(listed.find((article) => article._id === _id)).not.toHaveProperty('text');
  await save(administrator, `/article/${_id}`, { author: 'Ruth Okafor' });
  const { json } = await visitor.get(`/api/article/${_id}`);
  expect(json).toMatchObject({ text: '## Why\n\nThe words of Kept Text.', author: 'Ruth Okafor' });
  const history = (await administrator.get(`/api/history/${_id}`)).json as readonly {
    readonly before: Record<string, string> | null;
    readonly after: Record<string, string>;
  }[];
  for (const { before, after } of history)
    for (const state of before ? [before, after] : [after]) expect(state['text']).toContain('The words of');
});

test('An old address of an article redirects to it, even after its kind changed', async () => {
  const { _id } = await write('Moves Twice');
  const saved = await put(_id, { slug: 'moved-once' });
  expect(saved.status, saved.text).toBe(200);
  await put(_id, { slug: 'moved-twice' });
  for (const path of ['/articles/moves-twice', '/articles/moved-once']) {
    const { status, headers } = await visitor.get(path);
    expect([status, headers.get('Location')], path).toEqual([301, '/articles/moved-twice']);
  }
  await put(_id, { kind: 'page' });
  expect((await visitor.get('/articles/moves-twice')).headers.get('Location')).toBe('/moved-twice');
  const page = await readNow('/moved-twice');
  expect(page.text).toContain('The words of Moves Twice.');
  expect(page.text).not.toContain('minute to read');
  expect((await readNow('/articles/')).text).not.toContain('Moves Twice');
  // Other spellings redirect to the canonical address.
  for (const path of ['/moved-twice/', '/Moved-Twice']) {
    const { status, headers } = await visitor.get(path);
    expect([status, headers.get('Location')], path).toEqual([308, '/moved-twice']);
  }
  await put(_id, { kind: 'guide', slug: 'moves-twice' });
  expect((await readNow('/articles/moves-twice')).status).toBe(200);
});

test('A restored article has its old addresses again, except those that something else has taken since', async () => {
  const { _id } = await write('Returns');
  for (const slug of ['returned-once', 'returned-twice', 'returned']) await put(_id, { slug });
  const own = await administrator.post('/api/add-redirect', { from: '/own-old', to: '/articles/returned' });
  expect(own.status, own.text).toBe(201);
  const removed = await administrator.delete(`/api/article/${_id}`);
  const listed = (await administrator.get('/api/removed-records')).json as readonly RemovedRecord[];
  expect(listed[0]).toMatchObject({ section: 'article', recordId: _id });
  expect(listed.filter(({ section }) => section === 'redirect')).toEqual([]);

  await write('Other', { slug: 'returned-once' });
  await administrator.post('/api/add-redirect', { from: '/articles/returned-twice/', to: '/pricing/' });
  const version = Number(removed.headers.get('ETag')?.replaceAll('"', ''));
  const restored = await administrator.post(`/api/history/${_id}/restore`, { version });
  expect(restored.status, restored.text).toBe(200);
  expect(restored.json).toMatchObject({ _id, slug: 'returned' });
  for (const [path, to] of [
    ['/articles/returns', '/articles/returned'],
    ['/own-old', '/articles/returned'],
    ['/articles/returned-twice', '/pricing/'],
  ] as const)
    expect((await visitor.get(path)).headers.get('Location'), path).toBe(to);
  expect((await readNow('/articles/returned-once')).text).toContain('The words of Other.');

  // A redirect that was removed separately is listed, and can be restored separately.
  const { _id: redirect } = own.json as PlainRecord;
  expect((await administrator.delete(`/api/redirect/${redirect}`)).status).toBe(200);
  const [newest] = (await administrator.get('/api/removed-records')).json as readonly RemovedRecord[];
  expect(newest).toMatchObject({ section: 'redirect', recordId: redirect });
});

test('The refusal to restore an article names the address that is taken, and what to do', async () => {
  const { _id } = await write('Came First');
  const restore = async () =>
    (await administrator.post(`/api/history/${_id}/restore`, { version: 1 })).json as { detail?: string };
  await administrator.delete(`/api/article/${_id}`);
  const redirect = { from: '/articles/came-first', to: '/pricing/' };
  const { _id: redirectId } = (await administrator.post('/api/add-redirect', redirect)).json as PlainRecord;
  expect((await restore()).detail).toBe(
    'There is a redirect from /articles/came-first. Remove that redirect, then restore this article.',
  );
  await administrator.delete(`/api/redirect/${redirectId}`);
  await write('Came Later', { slug: 'came-first', kind: 'page' });
  expect((await restore()).detail).toBe(
    'Address “came-first” is taken by the article “Came Later”. Change it there, then restore this article.',
  );
});

test('The first page of a list has one address, without a number', async () => {
  await write('Listed', { tags: 'First pages' });
  for (const list of ['/articles/', '/articles/kind/guides', '/articles/tag/first-pages'])
    for (const page of ['page/1', 'Page/1/']) {
      const { status, headers } = await visitor.get(`${list.replace(/\/?$/, '/')}${page}?utm_source=mail`);
      expect([status, headers.get('Location')], list).toEqual([308, `${list}?utm_source=mail`]);
    }
  expect((await visitor.get('/articles/page/9')).status).toBe(404);
});

test('An address that is already in use is refused at its field', async () => {
  const { _id } = await write('Taken');
  const slugError = (answer: Answer, status = 422) => expectProblem(answer, status).errors?.['slug'];
  expect(slugError(await add('Other', { slug: 'taken' }), 409)).toBeTruthy();
  for (const slug of ['Taken', 'a--b', '-a', 'a/b', 'a b', 'ä'])
    expect(slugError(await put(_id, { slug })), slug).toMatch(/lowercase letters/);
  for (const slug of [
    ...['privacy', 'login', 'admin', 'api', 'articles', 'media', 'preview', 'shell'],
    ...['add-paypal-email', 'banner', 'order-now', 'edit-articles', newId()],
  ])
    expect(slugError(await put(_id, { kind: 'page', slug })), slug).toMatch(/in use/);
  expect(slugError(await put(_id, { kind: 'page', slug: 'packages' }))).toMatch(/redirect from \/packages/);
  const redirect = { from: '/articles/taken/', to: '/pricing/' };
  expect(expectProblem(await administrator.post('/api/add-redirect', redirect), 422).errors).toHaveProperty(
    'from',
  );
});

test('A link in a text that its page could not show is refused, and the refusal names the address', async () => {
  const { _id } = await write('With a Link');
  const text = 'Read [this](javascript:alert(1)) or [that](/pricing/).';
  const { _id: release } = await beginRelease(administrator, 'With a Link');
  const refused = [
    await put(_id, { text }),
    await add('With Another Link', { text }),
    await sendChange(administrator, release, {
      section: 'article',
      recordId: _id,
      action: 'update',
      values: { text },
    }),
  ];
  for (const answer of refused)
    expect(expectProblem(answer, 422).errors?.['text']).toContain('a link to “javascript:alert(1)”');
  const saved = await put(_id, { text: 'Read `[this](javascript:alert(1))` or [that](/pricing/).' });
  expect(saved.status, saved.text).toBe(200);
});

test('An article with a future date waits for its release', async () => {
  const later = values('Later', { publishedOn: '2999-01-01' });
  expect(expectProblem(await administrator.post('/api/add-article', later), 422).errors).toHaveProperty(
    'publishedOn',
  );
  const today = await write('Today', { publishedOn: '' });
  expect(today['publishedOn']).toMatch(/^20\d\d-\d\d-\d\d$/);

  const { _id } = await beginRelease(administrator, 'Later');
  await addChange(administrator, _id, { section: 'article', action: 'add', values: later });
  const schedule = (at: string | null) => administrator.put(`/api/release/${_id}/schedule`, { at });
  expect(expectProblem(await schedule('2998-12-30T12:00:00Z'), 422)).toMatchObject({
    detail:
      '“Later” is dated 01/01/2999, which is in the future. Schedule a release with it for that day or later.',
  });
  expect(releaseOf(await schedule('2999-01-01T12:00:00Z'))).toMatchObject({
    problem: null,
    isBlocked: false,
  });
  const evenLater = values('Even later', { publishedOn: '2999-01-02' });
  const addition = { section: 'article', action: 'add', values: evenLater } as const;
  const refused = expectProblem(await sendChange(administrator, _id, addition), 422);
  expect(refused.errors).toHaveProperty('publishedOn');
  expect(releaseOf(await schedule(null))).toMatchObject({
    problem: expect.stringContaining('in the future') as unknown,
  });
});

test('A removed article can be restored with its text, and an article that pages link to cannot be removed', async () => {
  const { _id, slug = '' } = await write('Comes Back');
  const banner = ((await visitor.get('/api/banner')).json as readonly PlainRecord[])[0];
  await save(administrator, `/update-banner/${banner?._id ?? ''}`, { buttonURL: `/articles/${slug}` });
  expectProblem(await administrator.delete(`/api/article/${_id}`), 422);
  await save(administrator, `/update-banner/${banner?._id ?? ''}`, { buttonURL: '/pricing/' });
  const linking = await write('Links There', {
    text: `[Read](/articles/${slug}#why) /articles/${slug}-more`,
  });
  // After a save that every page shows, texts are not in memory.
  await save(administrator, `/update-banner/${banner?._id ?? ''}`, { buttonURL: '/service/' });
  const refused = expectProblem(await administrator.delete(`/api/article/${_id}`), 422);
  expect(refused).toMatchObject({ page: '/articles/links-there' });
  await put(linking._id, { text: `No link, just /articles/${slug}.` });
  await save(administrator, `/update-banner/${banner?._id ?? ''}`, { buttonURL: '/pricing/' });
  const removed = await administrator.delete(`/api/article/${_id}`);
  expect([removed.status, changedPagesOf(removed)]).toEqual([
    200,
    expect.arrayContaining([`/articles/${slug}`]),
  ]);
  expect((await readNow(`/articles/${slug}`)).status).toBe(404);
  expect((await administrator.post(`/api/history/${_id}/restore`, { version: 1 })).status).toBe(200);
  expect((await readNow(`/articles/${slug}`)).text).toContain('The words of Comes Back.');
  expectProblem(await add('Dead', { text: '[x](/articles/no-such)' }), 422);
});

test('An article in a release is not live until the release is published, and the preview shows its page and the list', async () => {
  const { _id } = await beginRelease(administrator, 'An article');
  const existing = await write('Edited In A Release');
  await addChange(administrator, _id, {
    section: 'article',
    action: 'add',
    values: values('From A Release'),
  });
  await addChange(administrator, _id, {
    section: 'article',
    action: 'update',
    recordId: existing._id,
    values: { text: 'Words of the release.' },
  });
  expect((await visitor.get('/articles/from-a-release')).status).toBe(404);
  const edited = await administrator.get(`/api/content?release=${_id}`);
  expect((edited.json as { readonly article: readonly PlainRecord[] }).article).toContainEqual(
    expect.objectContaining({ title: 'From A Release', slug: 'from-a-release' }),
  );
  const { changes, problem, pages } = await readRelease(administrator, _id);
  expect([problem, changes.map(({ conflict }) => conflict)]).toEqual([null, [null, null]]);
  expect(pages).toContain('/articles/from-a-release');
  const link = await administrator.post(`/api/release/${_id}/preview-link`);
  const { pathname } = new URL((link.json as { readonly url: string }).url);
  const preview = pathname.slice(0, -1);
  const list = await visitor.get(`${preview}/articles/`);
  expect(list.text).toContain(`href="${preview}/articles/from-a-release"`);
  const shown = await visitor.get(`${preview}/articles/from-a-release`);
  expect(shown.text).toContain('The words of From A Release.');
  expect((await visitor.get(`${preview}/articles/edited-in-a-release`)).text).toContain(
    'Words of the release.',
  );
  expect((await publishRelease(administrator, _id)).status).toBe(200);
  expect((await readNow('/articles/from-a-release')).text).toContain('The words of From A Release.');
  expect((await readNow('/articles/edited-in-a-release')).text).toContain('Words of the release.');
});

test('A change that every page shows is on each article’s page', async () => {
  const path = '/articles/local-listings-for-lenders';
  await readNow(path);
  const copyright = ((await visitor.get('/api/copyrights')).json as readonly PlainRecord[])[0];
  const saved = await save(administrator, `/copyrights/${copyright?._id ?? ''}`, {
    copyrightText: '© Everybody',
  });
  expect(changedPagesOf(saved)).toContain(path);
  expect((await system.worker.askPages(path)).status, 'Cloudflare’s cache can fetch the marked page').toBe(
    200,
  );
  const page = await readNow(path);
  expect(page.text).toContain('© Everybody');
  expect(revisionOf(page)).toBe(revisionOf(saved));
});

test('The landing page shows the newest three articles if the setting is on', async () => {
  expect((await readNow('/')).text).not.toContain('/articles/from-a-release');
  const text = ((await visitor.get('/api/articles-text')).json as readonly PlainRecord[])[0];
  await save(administrator, `/articles-text/${text?._id ?? ''}`, { onLanding: 'yes' });
  await write('The Newest', { publishedOn: '' });
  expect((await readNow('/')).text).toContain('/articles/the-newest');
});

test('A text shows a library picture in its sizes, the library lists where it is used, and other pictures show as typed', async () => {
  const [picture] = (await administrator.get('/api/media')).json as readonly PlainRecord[];
  const text = `![A map](${picture?.['path'] ?? ''})\n\n![Away](https://pictures.example/x.png)`;
  const { slug = '' } = await write('With Pictures', { text });
  const page = await readNow(`/articles/${slug}`);
  expect(page.text).toContain(`<img src="${picture?.['path'] ?? ''}" alt="A map"`);
  expect(page.text).not.toMatch(/<img[^>]*pictures\.example/);
  const uses = expectProblem(await administrator.delete(`/api/media/${picture?._id ?? ''}`), 409).uses;
  expect(uses).toEqual(
    expect.arrayContaining([expect.objectContaining({ section: 'article', field: 'text' })]),
  );
});

test('The page of a 1,500-word article is small and loads no script', async () => {
  const words = Array.from({ length: 1_500 }, (_, index) => `word${String((index * 7919) % 1_500)}`).join(
    ' ',
  );
  const { slug = '' } = await write('A Long Read', { text: `## One\n\n${words}\n\n## Two\n\n## Three` });
  const { text } = await readNow(`/articles/${slug}`);
  expect(text).toContain('In this article');
  expect(text).not.toMatch(/<script[^>]*\bsrc=/);
  expect((await compressLikeEdge(text)).byteLength).toBeLessThanOrEqual(25_000);
});
