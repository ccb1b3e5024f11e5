/**
 * Saves and restores, with the real pages. publishing-rules.test.ts proves the rules of a save alone, with
 * two isolates and lost connections.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newId } from '#contract/ids.ts';
import { readRemoved } from '#worker/content/history.ts';
import { contentPages } from '#contract/screens.ts';
import type { DryRun, RemovedRecord } from '#contract/content.calls.ts';
import {
  changedPagesOf,
  firstRecord,
  livePage,
  liveRevision,
  revisionOf,
  save,
  type PlainRecord,
} from '../support/content.ts';
import { openSystem } from '../support/in-process-system.ts';
import { sharedBuild } from '../support/system.ts';
import { registerCustomer, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

const paths = contentPages.map(({ pattern }) => pattern);

interface Publication {
  readonly revision: number;
  readonly pages: readonly { readonly path: string; readonly bytes: number; readonly etag: string }[];
}

const system = await openSystem();
const administrator = await signInAdministrator(system.url);
const visitor = new Visitor(system.url);
afterAll(() => system.stop());

const readPages = async (): Promise<Map<string, Answer>> =>
  new Map(await Promise.all(paths.map(async (path) => [path, await livePage(visitor, path)] as const)));

const fileOf = (path: string) => (path.endsWith('/') ? `${path}index.html` : `${path}.html`);

const publication = async () => (await administrator.get('/api/publication')).json as Publication;

/** A file of the built site. Every copy begins with the content that the site was built from. */
const deployedFile = (path: string) => readFile(join(sharedBuild, 'dist', fileOf(path)), 'utf8');

/** The page without white space between its tags, because the Worker leaves some where it replaces parts of a shell. */
const withoutGaps = (html: string) => html.replaceAll(/>\s+</g, '><');

test('With the same content, the stored page equals the deployed file, byte for byte', async () => {
  for (const path of paths) {
    const page = await livePage(visitor, path);
    expect(revisionOf(page), path).toBe(1);
    expect(page.text, path).toBe(await deployedFile(path));
  }
  const customer = await registerCustomer(system.url);
  for (const [path, answer] of [
    ['/thanks', await visitor.get('/thanks')],
    ['/404', await visitor.get('/nowhere')],
    ['/shell/customer', await customer.get('/dashboard')],
    ['/shell/denied', await customer.get('/admin')],
  ] as const)
    expect(withoutGaps(answer.text.replace(' data-time-zone="UTC"', '')), path).toBe(
      withoutGaps(await deployedFile(path)),
    );
});

/** One page of each kind that belongs to one request, with its status. */
async function readFrames(customer: Visitor): Promise<Map<string, Answer>> {
  return new Map([
    ['thanks 200', await visitor.get('/thanks')],
    ['an unknown path 404', await visitor.get('/nowhere')],
    ['login 200', await visitor.get('/login?next=%2Fmy-order')],
    ['reset-password 200', await visitor.get('/reset-password?token=one')],
    ['a message that comes back 422', await visitor.postForm('/api/add-message', { name: 'Ann' })],
    ['checkout 200', await customer.get(`/order-now/${newId()}`)],
    ['pay 200', await visitor.get(`/pay-now/${newId()}`)],
    ['customer 200', await customer.get('/dashboard')],
    ['administrators only 403', await customer.get('/admin')],
    ['administration 200', await administrator.get('/admin')],
  ]);
}

/** The pages other than single forms, which have the footer of every public page. */
const withFooter = /^(thanks|an unknown|login|reset|a message that comes back)/;

test('No page keeps an old logo or footer after a save, and no page that belongs to one visitor is cached', async () => {
  const customer = await registerCustomer(system.url);
  const [logo, copyright] = [
    await firstRecord(administrator, '/logo'),
    await firstRecord(administrator, '/copyrights'),
  ];
  const address = '/images/video-poster.svg';
  const copyrightText = '© 2026 The line of the frames';
  for (const page of (await readFrames(customer)).values()) {
    expect(page.text).not.toContain(`src="${address}"`);
    expect(page.text).toContain(`src="${String(logo['logo'])}"`);
  }
  const saves = [
    await save(administrator, `/logo/${logo._id}`, { logo: address }),
    await save(administrator, `/copyrights/${copyright._id}`, { copyrightText }),
  ];
  for (const saved of saves) {
    const changed = changedPagesOf(saved).filter((path) => !/^\/articles\/./.test(path));
    expect(changed.toSorted()).toEqual(paths.toSorted());
  }

  const frames = await readFrames(customer);
  for (const [name, page] of frames) {
    expect(page.status, `${name} ${page.text}`).toBe(Number(name.split(' ').at(-1)));
    expect(page.text, name).toContain(`src="${address}"`);
    expect(page.text, name).not.toContain(`src="${String(logo['logo'])}"`);
    expect(page.text.includes(copyrightText), name).toBe(withFooter.test(name));
    expect(page.headers.get('Cache-Control'), name).toBe('no-store');
    for (const header of ['ETag', 'X-Content-Revision', 'Cloudflare-CDN-Cache-Control', 'Cache-Tag'])
      expect(page.headers.has(header), `${name} ${header}`).toBe(false);
  }
  expect(frames.get('login 200')?.text).toContain('value="/my-order"');
  expect(frames.get('reset-password 200')?.text).toContain('value="one"');
  await save(administrator, `/logo/${logo._id}`, { logo: logo['logo'] });
  await save(administrator, `/copyrights/${copyright._id}`, { copyrightText: copyright['copyrightText'] });
});

test('The list of live pages has the size and the ETag of each', async () => {
  const pages = await readPages();
  const listed = (await publication()).pages;
  expect(listed.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
  for (const { path, bytes, etag } of listed) {
    expect(etag, path).toBe(pages.get(path)?.headers.get('ETag'));
    expect(bytes, path).toBe(new TextEncoder().encode(pages.get(path)?.text).length);
  }
});

test('Restoring a revision is itself a save', async () => {
  const [before, pages] = [await publication(), await readPages()];
  const [faq, contact, step] = [
    await firstRecord(administrator, '/faq'),
    await firstRecord(administrator, '/contacts'),
    // No page shows it.
    await firstRecord(administrator, '/plan-steps'),
  ];
  await save(administrator, `/faq/${faq._id}`, { faqHeading: 'To be taken back' });
  await save(administrator, `/contacts/${contact._id}`, { contactTitle: 'To be taken back' });
  await save(administrator, `/plan-step/${step._id}`, { title: 'To be taken back' });
  const goBack = `/api/publications/${String(before.revision)}/go-back`;
  const told = (await administrator.get(goBack)).json as DryRun;
  expect(told.changes.map(({ recordId, changes }) => [recordId, changes.map(({ field }) => field)])).toEqual([
    [faq._id, ['faqHeading']],
    [contact._id, ['contactTitle']],
    [step._id, ['title']],
  ]);
  expect(told.pages).toEqual([
    { path: '/pricing/', sections: ['faqText'] },
    { path: '/contact', sections: ['faqText', 'contactDetail'] },
    { path: '/contact-us', sections: ['faqText', 'contactDetail'] },
  ]);
  expect(await liveRevision(visitor)).toBe(before.revision + 3);
  const answer = await administrator.post(goBack);
  expect(answer.status, answer.text).toBe(200);
  expect(revisionOf(answer)).toBe(before.revision + 4);
  for (const [path, page] of await readPages()) expect(page.text, path).toBe(pages.get(path)?.text);
  expect(await firstRecord(administrator, '/faq')).toEqual(faq);
  expect(await firstRecord(administrator, '/plan-steps')).toEqual(step);
  expect((await administrator.post('/api/publications/999999999/go-back')).status).toBe(404);
});

test('A removed record can be restored to its place, once', async () => {
  const list = async () => (await administrator.get('/api/faq-items')).json as readonly PlainRecord[];
  const removed = async () => (await administrator.get('/api/removed-records')).json as RemovedRecord[];
  const before = await list();
  const [, second] = before;
  if (!second) throw new Error('There are no questions.');
  expect((await administrator.delete(`/api/faq-item/${second._id}`)).status).toBe(200);
  const [entry] = await removed();
  expect(entry).toMatchObject({ section: 'faqItem', recordId: second._id, title: second['accodingTitle'] });
  const isListedAfter = async (hours: number) => {
    const later = Date.parse(entry?.at ?? '') + hours * 3_600_000;
    const { rows } = await readRemoved(system.db, later, { page: 1, pageSize: 100 });
    return rows.some(({ recordId }) => recordId === second._id);
  };
  expect([await isListedAfter(30 * 24 - 1), await isListedAfter(30 * 24 + 1)]).toEqual([true, false]);
  const putBack = () => administrator.post(`/api/history/${second._id}/restore`, { version: entry?.version });
  expect((await putBack()).status).toBe(200);
  expect(await list()).toEqual(before);
  expect((await removed()).map(({ recordId }) => recordId)).not.toContain(second._id);
});

test('Nobody undoes changes that they have not seen: a restore from an outdated screen is refused', async () => {
  const faq = await firstRecord(administrator, '/faq');
  const path = `/api/faq/${faq._id}`;
  const seen = { headers: { 'If-Match': (await administrator.get(path)).headers.get('ETag') ?? '' } };
  const version = Number(seen.headers['If-Match'].replaceAll('"', ''));
  const goBack = `/api/publications/${String(await liveRevision(visitor))}/go-back`;
  await save(administrator, `/faq/${faq._id}`, { faqHeading: 'Seen' });
  const told = (await administrator.get(goBack)).json as DryRun;
  await save(administrator, `/faq/${faq._id}`, { faqHeading: 'Saved meanwhile' });
  const revision = await liveRevision(visitor);
  const wholeSite = { headers: { 'If-Match': `"${told.revision}"` } };
  for (const refused of [
    await administrator.post(`/api/history/${faq._id}/restore`, { version }, seen),
    await administrator.post(goBack, undefined, wholeSite),
  ])
    expect(refused.status, refused.text).toBe(412);
  expect(await liveRevision(visitor)).toBe(revision);
  expect(await firstRecord(administrator, '/faq')).toMatchObject({ faqHeading: 'Saved meanwhile' });
  const now = { headers: { 'If-Match': `"${revision}"` } };
  const restored = await administrator.post(goBack, undefined, now);
  expect(restored.status).toBe(200);
  expect(await firstRecord(administrator, '/faq')).toEqual(faq);
  // A request that is sent again because its response was lost changes nothing.
  const again = await administrator.post(goBack, undefined, now);
  expect([again.status, again.json]).toEqual([200, restored.json]);

  // Two people restore the same record. The second restore would undo later changes.
  const { json } = await administrator.post('/api/add-faq-item', {
    accodingTitle: 'Twice',
    accodingText: 'A',
  });
  const { _id } = json as PlainRecord;
  const removed = (await administrator.delete(`/api/faq-item/${_id}`)).headers.get('ETag') ?? '';
  const putBack = () =>
    administrator.post(`/api/history/${_id}/restore`, { version: 1 }, { headers: { 'If-Match': removed } });
  expect((await putBack()).status).toBe(200);
  await save(administrator, `/faq-item/${_id}`, { accodingText: 'B' });
  expect((await putBack()).status).toBe(412);
  expect((await administrator.delete(`/api/faq-item/${_id}`)).status).toBe(200);
});
