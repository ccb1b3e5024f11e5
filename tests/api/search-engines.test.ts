/** What search engines and shared links read. It is consistent, and matches what the page shows people. */
import { beforeAll, expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import * as z from 'zod';
import { allScreens } from '#contract/all-screens.ts';
import { isRecordPath } from '#contract/articles.ts';
import { contentPages } from '#contract/screens.ts';
import { fetchAlone, Visitor } from '../support/visitor.ts';

const visitor = new Visitor(sharedSystem.url);

/** The pages to find: one per canonical address. */
const canonicalPaths = contentPages
  .filter(({ pattern, canonical }) => pattern === canonical)
  .map(({ pattern }) => pattern);

const unescape = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const all = (html: string, pattern: RegExp) =>
  Array.from(html.matchAll(pattern), ([, found = '']) => unescape(found));
const one = (html: string, pattern: RegExp): string => {
  const found = all(html, pattern);
  expect(found, String(pattern)).toHaveLength(1);
  return found[0] ?? '';
};

const thing = z.looseObject({ '@type': z.string() });

interface Page {
  readonly html: string;
  /** What people read, without scripts, styles and tags. */
  readonly words: string;
  readonly title: string;
  readonly description: string;
  readonly canonical: string;
  readonly graph: readonly z.output<typeof thing>[];
}

async function readPage(path: string): Promise<Page> {
  const { status, text: html } = await visitor.get(path);
  expect(status, path).toBe(200);
  return {
    html,
    words: unescape(html.replaceAll(/<(script|style)\b.*?<\/\1>/gs, '').replaceAll(/<[^>]+>/g, ' ')),
    title: one(html, /<title>(.*?)<\/title>/g),
    description: one(html, /<meta name="description" content="([^"]*)"/g),
    canonical: one(html, /<link rel="canonical" href="([^"]*)"/g),
    graph: all(html, /<script type="application\/ld\+json">(.*?)<\/script>/gs).map((json) =>
      thing.parse(JSON.parse(json)),
    ),
  };
}

const pages = new Map<string, Page>();
beforeAll(async () => {
  for (const path of canonicalPaths) pages.set(path, await readPage(path));
});
const pageAt = (path: string): Page => {
  const page = pages.get(path);
  if (!page) throw new Error(`${path} was not read.`);
  return page;
};

const siteOf = ({ canonical }: Page) => new URL(canonical).origin;

test('Every page has its own title and description, and names its real address', () => {
  const found = [...pages.values()];
  for (const field of ['title', 'description', 'canonical'] as const)
    expect(new Set(found.map((page) => page[field])).size, field).toBe(found.length);
  for (const [path, page] of pages) {
    expect(new URL(page.canonical).pathname).toBe(path);
    expect(page.title.length, page.title).toBeLessThanOrEqual(60);
    expect(page.description.length, page.description).toBeLessThanOrEqual(160);
    expect(one(page.html, /<meta property="og:title" content="([^"]*)"/g)).toBe(page.title);
    expect(one(page.html, /<meta property="og:url" content="([^"]*)"/g)).toBe(page.canonical);
  }
});

test('Every page has exactly one main heading', async () => {
  const frames = allScreens.filter(({ kind }) => kind === 'frame').map(({ pattern }) => pattern);
  for (const path of [...contentPages.map(({ pattern }) => pattern), ...frames, '/nowhere'])
    expect((await visitor.get(path)).text.match(/<h1\b/g), path).toHaveLength(1);
});

test('Sitemap, canonical addresses and robots agree', async () => {
  const sitemap = await visitor.get('/sitemap.xml');
  const robots = await visitor.get('/robots.txt');
  const listed = all(sitemap.text, /<loc>(.*?)<\/loc>/g);
  const origin = siteOf(pageAt('/'));
  const ofRecords = listed.filter(
    (address) => isRecordPath(address.slice(origin.length)) && !pages.has(address.slice(origin.length)),
  );
  expect(ofRecords).toContain(`${origin}/articles/local-listings-for-lenders`);
  // Three articles make a list that is worth finding; fewer do not.
  expect(ofRecords).toContain(`${origin}/articles/tag/loan-pages`);
  expect(ofRecords).not.toContain(`${origin}/articles/tag/compliance`);
  expect(listed.filter((address) => !ofRecords.includes(address)).toSorted()).toEqual(
    [...pages.values()].map(({ canonical }) => canonical).toSorted(),
  );
  expect(robots.text).toContain(`Sitemap: ${siteOf(pageAt('/'))}/sitemap.xml`);
  const closed = all(robots.text, /^Disallow: (.+)$/gm);
  for (const { canonical, html } of pages.values()) {
    expect(html).not.toMatch(/<meta name="robots"/);
    expect(closed.filter((path) => new URL(canonical).pathname.startsWith(path))).toEqual([]);
  }
  // The second address of a page points to the first. All other pages ask not to be indexed, but may be crawled.
  expect((await readPage('/contact-us')).canonical).toBe(pageAt('/contact').canonical);
  const left = allScreens.filter(({ kind, who }) => kind !== 'content' && who === 'anyone');
  for (const path of [...left.map(({ pattern }) => pattern.replace(':id', 'x')), '/nowhere']) {
    expect((await visitor.get(path)).text, path).toContain('<meta name="robots" content="noindex"');
    expect(closed.filter((start) => path.startsWith(start))).toEqual([]);
  }
});

test('Search engines read about the packages where visitors see them', () => {
  for (const path of ['/', '/pricing/', '/service/'])
    expect(
      pageAt(path).graph.map((part) => part['@type']),
      path,
    ).toContain('Service');
});

/** Width and height of a PNG file, from its first chunk. */
function sizeOfPng(bytes: ArrayBuffer): string {
  const view = new DataView(bytes);
  return `${String(view.getUint32(16))}x${String(view.getUint32(20))}`;
}

test('Icons and the picture for shared links exist, in the sizes that they claim', async () => {
  const { html } = pageAt('/');
  const fetchFile = async (path: string, type: RegExp): Promise<ArrayBuffer> => {
    const answer = await fetchAlone(new URL(path, sharedSystem.url));
    expect(answer.status, path).toBe(200);
    expect(answer.headers.get('Content-Type'), path).toMatch(type);
    return answer.arrayBuffer();
  };
  const linked = (name: string) => one(html, new RegExp(`<link rel="${name}" href="([^"]*)"`, 'g'));
  const meta = (name: string) => one(html, new RegExp(`<meta property="${name}" content="([^"]*)"`, 'g'));
  const shared = await fetchFile(new URL(meta('og:image')).pathname, /png/);
  expect(sizeOfPng(shared)).toBe('1200x630');
  expect(meta('og:image:alt')).not.toBe('');
  for (const icon of all(html, /<link rel="icon" href="([^"]*)"/g)) await fetchFile(icon, /png/);
  expect(sizeOfPng(await fetchFile(linked('apple-touch-icon'), /png/))).toBe('180x180');
});
