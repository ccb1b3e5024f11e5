/** Tests the checks of a page before it is published: that it renders, which sections it reads, and that its links work. */
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { sectionNames, type PublicContent, type SectionName } from '#contract/sections/index.ts';
import type { RecordChange } from '../content/edits.ts';
import type { StoredContent } from '../content/stored.ts';
import type * as Render from './render.ts';

const renderPage = vi.fn<(path: string, content: PublicContent) => Promise<string>>();
vi.mock('#site-renderer', () => ({
  buildId: 'this-build',
  renderPage: (path: string, content: PublicContent) => renderPage(path, content),
}));

let { checkLinks, internalPaths, pathExists, renderPages } = {} as typeof Render;
beforeAll(async () => {
  vi.resetModules();
  ({ checkLinks, internalPaths, pathExists, renderPages } = await import('./render.ts'));
});

/** The requests to the deployed files, as `HEAD /path`. */
const asked: string[] = [];
const assetsWith = (...files: readonly string[]) => ({
  fetch({ method, url, redirect }: Request) {
    const { pathname } = new URL(url);
    asked.push(`${method} ${pathname}`);
    // The asset server redirects a page's file name to the page's address.
    const isPageFile = pathname.endsWith('.html');
    const status = isPageFile && redirect === 'manual' ? 307 : 200;
    return Promise.resolve(
      new Response(null, { status: files.includes(pathname) || isPageFile ? status : 404 }),
    );
  },
});
afterEach(() => {
  asked.length = 0;
});

const content = Object.fromEntries(sectionNames.map((name) => [name, []])) as unknown as StoredContent;
const pageWith = (html: string) => ({ path: '/', html, etag: '', csp: '' });
const changeOf = (section: SectionName, values: Record<string, string>): RecordChange => ({
  section,
  action: 'updated',
  before: undefined,
  after: { _id: 'a', version: 1, position: 0, values },
});

test('A rendered page lists the sections that it reads, and its ETag depends only on its bytes', async () => {
  renderPage.mockImplementation((path, shown) =>
    Promise.resolve(path === '/' ? `home ${shown.banner.length}` : `other ${shown.logo.length}`),
  );
  const [home, other] = await renderPages(['/', '/404'], content);
  expect([home?.sections, other?.sections]).toEqual([new Set(['banner']), new Set(['logo'])]);
  expect(home).toMatchObject({
    path: '/',
    html: 'home 0',
    csp: expect.stringContaining('script-src') as string,
  });
  expect(home?.etag).toMatch(/^"[0-9a-f]{32}"$/);
  expect(other?.etag).not.toBe(home?.etag);
  expect((await renderPages(['/'], content))[0]?.etag).toBe(home?.etag);
});

test('The error for a page that does not render names the page, without internal details', async () => {
  renderPage.mockRejectedValue(new RangeError('deep inside'));
  await expect(renderPages(['/service/'], content)).rejects.toMatchObject({
    status: 422,
    message: 'The page /service/ cannot be shown with this change, so nothing was saved.',
    extensions: { page: '/service/', cause: 'RangeError' },
  });
});

test('Only a page’s links to this site are checked', () => {
  const html = [
    '<a href="/one?a=1">1</a><img src="/two.png"><form action="/three#x"><video poster="/four.png">',
    '<a href="/five&amp;six">5</a><a href="/seven&#38;eight">7</a><a href="/one">again</a>',
    '<a href="https://other.test/nine">9</a><a href="//other.test/ten">10</a><a href="#part">11</a>',
    '<i data-href="/eleven" data-src="/twelve"></i><a title="href=/thirteen">13</a>',
    // A component's form, whose call is checked by its type, and a link to the same call.
    '<form action="/api/fourteen"><form action="/apis"><a href="/api/fifteen">15</a>',
  ].join('\n');
  expect([...internalPaths(html)]).toEqual([
    '/one',
    '/two.png',
    '/three',
    '/four.png',
    '/five&six',
    '/seven&eight',
    '/apis',
    '/api/fifteen',
  ]);
});

test('The picture for shared links is checked if it is on this site', () => {
  const head = (site: string, picture: string) =>
    `<meta property="og:url" content="${site}/pricing/"><meta property="og:title" content="Prices"><meta property="og:image" content="${picture}">`;
  for (const site of ['https://site.test', 'http://127.0.0.1:4321'])
    expect([...internalPaths(head(site, `${site}/images/a.png?v=1`))], site).toEqual(['/images/a.png']);
  for (const picture of ['https://other.test/a.png', 'https://site.test.other/a.png'])
    expect([...internalPaths(head('https://site.test', picture))], picture).toEqual([]);
});

test('Pages and public calls exist without a request, and a file is requested only once', async () => {
  const assets = assetsWith('/files/a.pdf', '/shell/pay', '/apiary.txt');
  for (const path of ['/', '/pricing/', '/api/banner', '/api/openapi.json', '/api/auth/google'])
    expect(await pathExists(path, assets), path).toBe(true);
  expect(asked).toEqual([]);
  // A shell's file is served only at its screen's address.
  expect(await pathExists('/shell/pay', assets)).toBe(false);
  expect(asked).toEqual([]);
  for (const [path, isThere] of [
    ['/files/a.pdf', true],
    ['/files/a.pdf', true],
    ['/files/b.pdf', false],
    ['/files/b.pdf', false],
    ['/apiary.txt', true],
    ['/notes/api/', false],
    ['/contact.html', false],
  ] as const)
    expect(await pathExists(path, assets), path).toBe(isThere);
  expect(asked).toEqual([
    'HEAD /files/a.pdf',
    'HEAD /files/b.pdf',
    'HEAD /files/b.pdf',
    'HEAD /apiary.txt',
    'HEAD /notes/api/',
    'HEAD /contact.html',
  ]);
});

test('A link to the API is valid only if everyone can follow it', async () => {
  // An unknown call, one that writes, one for accounts, one for staff, and one for a record.
  for (const path of ['/api/x', '/api/add-message', '/api/drafts', '/api/releases', `/api/banner/${newId()}`])
    expect(await pathExists(path, assetsWith()), path).toBe(false);
});

test('A broken link is reported at the field that contains it, and at no other', async () => {
  const link = (path: string) => pageWith(`<p> <a href="${path}">there</a></p>`);
  const changes = [
    changeOf('banner', { bannerHeading: '/gone', buttonURL: '/gone?from=here', imageOne: '/gone/too' }),
    changeOf('legalPage', { title: 'Terms', path: '/terms', text: 'Read [this](/gone).' }),
    changeOf('legalPage', { title: 'Refunds' }),
    { ...changeOf('legalPage', {}), after: undefined },
    { ...changeOf('logo', {}), after: undefined },
  ];
  const detail = '/ links to /gone, which does not exist on this site.';
  const check = (pages: readonly ReturnType<typeof link>[], made: readonly RecordChange[]) =>
    checkLinks(pages, made, assetsWith(), () => false);
  const refusal = check([link('/contact'), link('/gone')], changes);
  await expect(refusal).rejects.toMatchObject({ status: 422, message: detail });
  // These fields and no others.
  await expect(refusal).rejects.toHaveProperty('extensions', {
    page: '/',
    errors: { bannerHeading: detail, buttonURL: detail, text: detail },
  });
  await expect(check([link('/gone')], [])).rejects.toMatchObject({ extensions: { errors: {} } });
  await expect(check([link('/contact')], changes)).resolves.toBeUndefined();
});
