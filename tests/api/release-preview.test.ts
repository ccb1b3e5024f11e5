/** A release is looked at by a link before it is published: anyone who holds it sees the pages, and nothing else. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contentPages } from '#contract/screens.ts';
import { previewLinks } from '#worker/editing/schema.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { firstRecord, type PlainRecord } from '../support/content.ts';
import { dumpDatabase } from '../support/database.ts';
import { addChange, beginRelease, publishRelease, readRelease, releaseOf } from '../support/releases.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

let system: TestSystem;
let administrator: Visitor;
let visitor: Visitor;
let banner: PlainRecord;

beforeAll(async () => {
  system = await startTestSystem();
  administrator = await signInAdministrator(system.url);
  visitor = new Visitor(system.url);
  banner = await firstRecord(visitor, '/banner');
  await visitor.get('/');
});
afterAll(() => system.stop());

async function prepare(title: string, bannerHeading: string): Promise<string> {
  const { _id } = await beginRelease(administrator, title);
  const change = {
    section: 'banner',
    action: 'update',
    recordId: banner._id,
    values: { bannerHeading },
  } as const;
  await addChange(administrator, _id, change);
  return _id;
}

/** @returns the path below which the preview's pages are */
async function makeLink(id: string): Promise<string> {
  const answer = await administrator.post(`/api/release/${id}/preview-link`);
  expect(answer.status, answer.text).toBe(201);
  const { pathname } = new URL((answer.json as { readonly url: string }).url);
  expect(pathname).toMatch(/^\/preview\/[\w-]{43}\/$/);
  return pathname.slice(0, -1);
}

test('Anyone who holds the link sees every page with the release applied, and nothing is written', async () => {
  const id = await prepare('<b>Spring</b> & more', 'Spring is coming');
  const path = await makeLink(id);
  const before = await dumpDatabase(system);
  for (const { pattern } of contentPages) {
    const page = await visitor.get(path + pattern);
    expect(page.status, pattern).toBe(200);
    expect(page.text).toContain(
      'This is a preview of the release “&lt;b>Spring&lt;/b> &amp; more”'.replaceAll('>', '&gt;'),
    );
    expect(page.text.includes('Spring is coming'), pattern).toBe(pattern === '/');
    expect(page.text).not.toMatch(/<script|rel="canonical"|content="index/);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    for (const [, href = ''] of page.text.matchAll(/<a\b[^>]*\shref="(\/[^"]*)"/g))
      expect(href.startsWith(`${path}/`), `${pattern} links to ${href}`).toBe(true);
    for (const [form] of page.text.matchAll(/<form\b[^>]*>/g)) {
      expect(form).toContain('inert');
      expect(form).not.toContain('action=');
    }
    const { headers } = page;
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Robots-Tag')).toBe('noindex');
    expect(headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(headers.get('Content-Security-Policy')).toMatch(
      /script-src 'none'.*connect-src 'none'.*form-action 'none'.*frame-ancestors 'none'/,
    );
    expect(headers.has('ETag')).toBe(false);
  }
  expect((await visitor.get('/')).text).not.toContain('Spring is coming');
  expect(await dumpDatabase(system)).toEqual(before);
  expect((await visitor.get(`${path}/pricing`)).headers.get('Location')).toBe(`${path}/pricing/`);
  expect((await visitor.get(path)).headers.get('Location')).toBe(`${path}/`);
  for (const other of ['/login', '/admin', '/api/banner', '/nowhere', '/shell/admin', '//pricing/'])
    expect((await visitor.get(path + other)).status, other).toBe(404);
});

test('A link is over after seven days, when it is ended, and when the release is removed; of a published one it leads to the site', async () => {
  const id = await prepare('Short', 'A short one');
  const [first, second] = [await makeLink(id), await makeLink(id)];
  expect((await readRelease(administrator, id)).previewUntil).not.toBeNull();
  const { db, close } = openSystemDatabase(system.database);
  const stored = await db.select().from(previewLinks).where(eq(previewLinks.releaseId, id));
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain(first.split('/')[2]);
  const days = ((stored[0]?.expiresAt ?? 0) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  expect((await visitor.get(`${second}/`)).status).toBe(200);
  await db.update(previewLinks).set({ expiresAt: sql`${Date.now()} - 1` });
  expect((await visitor.get(`${second}/`)).status).toBe(404);
  await system.worker.tick();
  expect(await db.$count(previewLinks)).toBe(0);
  close();

  const third = await makeLink(id);
  const ended = await administrator.delete(`/api/release/${id}/preview-link`);
  expect(releaseOf(ended).previewUntil).toBeNull();
  expect((await visitor.get(`${third}/`)).status).toBe(404);
  const fourth = await makeLink(id);
  expect((await publishRelease(administrator, id)).status).toBe(200);
  const led = await visitor.get(`${fourth}/pricing/`);
  expect([led.status, led.headers.get('Location')]).toEqual([302, '/pricing/']);
  await administrator.delete(`/api/release/${id}`);
  expect((await visitor.get(`${fourth}/pricing/`)).status).toBe(404);
});

test('A change that conflicts with what is live is shown as the release has it, and told of', async () => {
  const id = await prepare('In conflict', 'Ours');
  const path = await makeLink(id);
  await administrator.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Theirs' });
  const page = await visitor.get(`${path}/`);
  expect(page.text).toContain('Ours');
  expect(page.text).toContain('1 change is still to be decided on');
});

test('The editor reads all content, as it is live and as a release will leave it', async () => {
  const id = await prepare('Editor', 'As the editor shows it');
  const headings = async (query: string) => {
    const answer = await administrator.get(`/api/content${query}`);
    expect(answer.status, answer.text).toBe(200);
    return (answer.json as { readonly banner: readonly PlainRecord[] }).banner.map(
      (record) => record['bannerHeading'],
    );
  };
  expect(await headings('')).toEqual([(await firstRecord(visitor, '/banner'))['bannerHeading']]);
  expect(await headings(`?release=${id}`)).toEqual(['As the editor shows it']);
  // Once it is published, what comes after it counts.
  await publishRelease(administrator, id);
  await administrator.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Newer' });
  expect(await headings(`?release=${id}`)).toEqual(['Newer']);
  expect((await administrator.get(`/api/content?release=${banner._id}`)).status).toBe(404);
  expect((await visitor.get('/api/content')).status).toBe(401);
});
