/** Tests which redirects may be saved. `serve.test.ts` tests how they are followed. */
import { beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { mediaPath, variantPath } from '#contract/media.ts';
import { sectionNames } from '#contract/sections/index.ts';
import type { RecordChange } from '../content/edits.ts';
import type { StoredContent, StoredRecord } from '../content/stored.ts';
import type * as Redirects from './redirects.ts';

vi.mock('#site-renderer', () => ({ buildId: 'this-build', renderPage: () => Promise.resolve('') }));

let { checkPages, checkRedirects } = {} as typeof Redirects;
beforeAll(async () => {
  vi.resetModules();
  ({ checkPages, checkRedirects } = await import('./redirects.ts'));
});

const none = Object.fromEntries(sectionNames.map((name) => [name, []])) as unknown as StoredContent;
const redirect = (from: string, to: string): StoredRecord => ({
  _id: from,
  version: 1,
  position: 0,
  values: { from, to },
});
const added = (after: StoredRecord): RecordChange => ({
  section: 'redirect',
  action: 'added',
  before: undefined,
  after,
});
const removed = (before: StoredRecord): RecordChange => ({
  section: 'redirect',
  action: 'removed',
  before,
  after: undefined,
});

/** A site with one deployed file. */
const env = {
  ASSETS: {
    fetch: (input: RequestInfo | URL) =>
      Promise.resolve(
        new Response(null, {
          status: new URL((input as Request).url).pathname === '/file.pdf' ? 200 : 404,
        }),
      ),
  },
  SITE_URL: 'https://site.test',
};
const check = (after: readonly StoredRecord[], ...changes: readonly RecordChange[]) =>
  checkRedirects({ ...none, redirect: after }, changes, env);
const checkAdded = (one: StoredRecord, ...others: readonly StoredRecord[]) =>
  check([...others, one], added(one));

test('A redirect starts at an unused path and leads to a page, a file or another site', async () => {
  for (const to of ['/pricing?a=1', '/file.pdf', 'HTTPS://other.test', 'https://site.test/contact'])
    await expect(checkAdded(redirect('/old', to)), to).resolves.toBeUndefined();
  for (const from of ['/apis', '/old/api/x', '/media-kit', '/404th'])
    await expect(checkAdded(redirect(from, '/')), from).resolves.toBeUndefined();
});

test('A redirect may lead to an article, with or without a slash at the end', async () => {
  const values = { title: 'One', kind: 'guide', slug: 'one', tags: '', publishedOn: '2026-01-05' };
  const article = [{ _id: 'a', version: 1, position: 0, values }];
  for (const to of ['/articles/one', '/articles/one/', 'https://site.test/articles/one/?a=1']) {
    const after = redirect('/old', to);
    const content = { ...none, article, redirect: [after] };
    await expect(checkRedirects(content, [added(after)], env), to).resolves.toBeUndefined();
  }
});

test('A redirect without an existing target, or that would never be reached, is refused with the reason', async () => {
  const noAddress = 'Use a path on this site (/…) or a web address (https://…).';
  for (const [to, sentence] of [
    ['/nowhere', 'There is no page at /nowhere on this site.'],
    ['http://site.test/nowhere', 'There is no page at /nowhere on this site.'],
    ['#part', noAddress],
    ['mailto:ann@site.test', noAddress],
    ['notes:/file.pdf', noAddress],
  ] as const)
    await expect(checkAdded(redirect('/old', to)), to).rejects.toMatchObject({
      status: 422,
      extensions: { errors: { to: sentence } },
    });
  for (const from of [
    ...['/', '/pricing', '/Pricing', '/login', '/admin', '/file.pdf', '/API/x', '/shell', '/404.html'],
    '/add-paypal-Email',
    ...['/_astro/x', '/media/x'],
  ])
    await expect(checkAdded(redirect(from, '/service/')), from).rejects.toMatchObject({
      status: 422,
      extensions: {
        errors: {
          from: `${from} already leads to a page, so a redirect from it would not work. Choose another address.`,
        },
      },
    });
});

test('Two redirects from one address are refused, however the address is spelled', async () => {
  const errors = { from: 'There is already a redirect from /caf%C3%A9/.' };
  await expect(
    checkAdded(redirect('/caf%C3%A9/', '/'), redirect('/other', '/'), redirect('/café', '/contact')),
  ).rejects.toMatchObject({ extensions: { errors } });
  await expect(checkAdded(redirect('/caf%C3%A9/', '/'), redirect('/other', '/'))).resolves.toBeUndefined();
  await expect(checkAdded(redirect('/a?b=2&c=3', '/'), redirect('/a?c=3&b=2', '/'))).rejects.toThrow();
  await expect(checkAdded(redirect('/a?b=2', '/'), redirect('/a?b=3', '/'))).resolves.toBeUndefined();
});

test('A chain of redirects may be long, but not circular', async () => {
  const way = [redirect('/b', '/c?x=1'), redirect('/c', 'https://site.test/d/'), redirect('/d', '/')];
  await expect(checkAdded(redirect('/a', '/b'), ...way)).resolves.toBeUndefined();
  await expect(checkAdded(redirect('/a', '/a#part'))).rejects.toMatchObject({
    extensions: { errors: { to: 'This redirect leads back to itself: /a → /a.' } },
  });
  await expect(checkAdded(redirect('/a', 'http://site.test/a'))).rejects.toMatchObject({
    extensions: { errors: { to: 'This redirect leads back to itself: /a → /a.' } },
  });
  await expect(
    checkAdded(redirect('/d', 'https://site.test/b/'), redirect('/b', '/c?x=1'), redirect('/c', '/d')),
  ).rejects.toMatchObject({
    extensions: { errors: { to: 'This redirect leads back to itself: /d → /b → /c → /d.' } },
  });
});

test('A redirect can be removed unless another one leads to it', async () => {
  const old = redirect('/old', '/');
  await expect(check([redirect('/older', '/pricing/')], removed(old))).resolves.toBeUndefined();
  await expect(check([redirect('/older', 'https://other.test/old')], removed(old))).resolves.toBeUndefined();
  await expect(
    check([redirect('/other', '/'), redirect('/older', 'https://site.test/old/')], removed(old)),
  ).rejects.toMatchObject({
    status: 409,
    message: 'The redirect from /older leads to /old. Change the target of that redirect first.',
  });
  // The target exists without the redirect, because it has become a file.
  await expect(
    check([redirect('/older', '/file.pdf')], removed(redirect('/file.pdf', '/'))),
  ).resolves.toBeUndefined();
  // The same address in another spelling still redirects.
  await expect(
    check([redirect('/Old/', '/'), redirect('/older', '/Old')], removed(redirect('/Old', '/'))),
  ).resolves.toBeUndefined();
});

test('An article cannot be removed while a redirect in another spelling leads to it', async () => {
  const article = {
    ...redirect('', ''),
    values: { kind: 'guide', slug: 'one', tags: '', publishedOn: '2026-01-01', title: 'One' },
  };
  const removedArticle = { ...removed(article), section: 'article' } as const;
  await expect(
    check([redirect('/old', 'https://site.test/articles/one/')], removedArticle),
  ).rejects.toMatchObject({
    status: 409,
    message: 'The redirect from /old leads to /articles/one. Change the target of that redirect first.',
  });
  await expect(check([redirect('/old', '/articles/two')], removedArticle)).resolves.toBeUndefined();
  const there = { ...none, article: [article], redirect: [redirect('/old', '/articles/one')] };
  await expect(checkRedirects(there, [removedArticle], env)).resolves.toBeUndefined();
});

test('A redirect that a page links to cannot be removed or moved to another address', async () => {
  const html = '<a href="/pricing/">Prices</a><a href="/caf%C3%A9/?a=1">Coffee</a>';
  const page = { path: '/', html, etag: '', csp: '' };
  const [café, other] = [redirect('/café', '/'), redirect('/other', '/')];
  const checkPage = (
    after: readonly StoredRecord[],
    changes: readonly RecordChange[],
    changed: readonly (typeof page)[] = [],
  ) => checkPages({ ...none, redirect: after }, changes, { changed, all: [page] }, env);
  await expect(checkPage([café], [], [page])).resolves.toBeUndefined();
  await expect(checkPage([], [], [page])).rejects.toMatchObject({ status: 422, extensions: { page: '/' } });
  await expect(checkPage([other], [removed(café)])).rejects.toMatchObject({
    status: 422,
    message: '/ links to /caf%C3%A9/, which does not exist on this site.',
  });
  await expect(checkPage([café], [removed(other)])).resolves.toBeUndefined();
  const respelled = { ...café, values: { from: '/caf%C3%A9/', to: '/contact' } };
  await expect(
    checkPage([respelled], [{ ...removed(café), action: 'updated', after: respelled }]),
  ).resolves.toBeUndefined();
});

test('Pages and redirects may lead to a picture of the media library in each of its widths', async () => {
  const id = newId();
  const path = mediaPath(id, 'flyer.png', 'a'.repeat(24), 'webp');
  const picture = (values: Record<string, string>) => ({ _id: id, version: 1, position: 0, values });
  const content = { ...none, media: [picture({ path, width: '1000' })] };
  const leads = (to: string, there: StoredContent = content) => {
    const [old, html] = [redirect('/old', to), `<a href="${to}">Flyer</a>`];
    const changed = [{ path: '/', html, etag: '', csp: '' }];
    return Promise.all([
      expectation(checkRedirects({ ...there, redirect: [old] }, [added(old)], env)),
      expectation(checkPages(there, [], { changed, all: changed }, env)),
    ]);
  };
  const expectation = (check: Promise<void>) =>
    check.then(
      () => 'there',
      (error: unknown) => (error as { readonly status?: number }).status,
    );
  for (const to of [path, `${path}?a=1`, variantPath(path, 480), variantPath(path, 960)])
    expect(await leads(to), to).toEqual(['there', 'there']);
  for (const to of [
    variantPath(path, 1440),
    path.replace('flyer', 'poster'),
    path.replace(id, newId()),
    '/media/flyer.webp',
    '/media/',
  ])
    expect(await leads(to), to).toEqual([422, 422]);
  expect(await leads(path, none)).toEqual([422, 422]);
  const svg = path.replace('.webp', '.svg');
  expect(await leads(svg, { ...none, media: [picture({ path: svg, width: '' })] })).toEqual([
    'there',
    'there',
  ]);
});

test('Pages are checked again only if they link to a redirect that is removed', async () => {
  const [café, other] = [redirect('/café', '/'), redirect('/other', '/')];
  const unseen: Iterable<never> = {
    [Symbol.iterator]: () => {
      throw new Error('Nobody needs to look.');
    },
  };
  const banner: RecordChange = {
    ...removed({ _id: 'a', version: 1, position: 0, values: {} }),
    section: 'banner',
  };
  const content = { ...none, redirect: [café] };
  await expect(
    checkPages(content, [added(café), banner], { changed: [], all: unseen }, env),
  ).resolves.toBeUndefined();
  // The removed redirect did not cause the broken link of this page.
  const broken = { path: '/pricing/', html: '<a href="/gone">Gone</a>', etag: '', csp: '' };
  await expect(
    checkPages(content, [removed(other)], { changed: [], all: [broken] }, env),
  ).resolves.toBeUndefined();
});
