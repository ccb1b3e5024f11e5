/** Drafts: what an administrator entered and did not save waits for them, on every device, and nobody else sees it. */
import { eq } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type { Draft } from '#contract/drafts.calls.ts';
import { newId } from '#contract/ids.ts';
import { drafts } from '#worker/editing/schema.ts';
import { registerAdministrator } from '../support/cast.ts';
import { firstRecord, type PlainRecord } from '../support/content.ts';
import { addChange, beginRelease } from '../support/releases.ts';
import { openSystem } from '../support/in-process-system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const system = await openSystem();
const administrator = await signInAdministrator(system.url);
const member = await registerAdministrator(system.url, administrator);
const banner = await firstRecord(administrator, '/banner');
afterAll(() => system.stop());

const read = async (who: Visitor, query = '') =>
  (await who.get(`/api/drafts${query}`)).json as readonly Draft[];
const keep = (who: Visitor, body: object) => who.put('/api/drafts', body);
const ofBanner = (bannerHeading: string) => ({
  section: 'banner',
  recordId: banner._id,
  version: 1,
  values: { bannerHeading },
});

test('An unsaved draft waits on another device, for its author only, and does not block others', async () => {
  expect((await keep(member, ofBanner('Half a'))).status).toBe(204);
  expect((await keep(member, ofBanner('Half a heading'))).status).toBe(204);
  expect((await keep(member, { section: 'faqItem', values: { accodingTitle: 'New?' } })).status).toBe(204);

  const tablet = new Visitor(system.url);
  await tablet.post('/api/auth/login', { email: member.email, password: member.password });
  expect(await read(tablet)).toHaveLength(2);
  const at = expect.any(String) as string;
  expect(await read(tablet, `?section=banner&recordId=${banner._id}`)).toEqual([
    { ...ofBanner('Half a heading'), draftId: '', at },
  ]);
  expect(await read(tablet, '?section=faqItem')).toMatchObject([{ recordId: null, version: null }]);
  expect(await read(administrator)).toEqual([]);

  const saved = await administrator.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Whole' });
  expect(saved.status).toBe(200);
  expect(await read(tablet, `?section=banner&recordId=${banner._id}`)).toHaveLength(1);
  expect((await new Visitor(system.url).get('/')).text).not.toContain('Half a heading');
});

test('A draft is deleted once it is saved, put into a release or discarded', async () => {
  const banners = `?section=banner&recordId=${banner._id}`;
  await keep(member, ofBanner('Saved'));
  await keep(administrator, ofBanner('Of somebody else'));
  await member.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Saved' });
  expect(await read(member, banners)).toEqual([]);
  expect(await read(administrator, banners)).toHaveLength(1);

  await keep(member, ofBanner('Released'));
  const { _id } = await beginRelease(member, 'Of a draft');
  const { section, recordId, values } = ofBanner('Released');
  await addChange(member, _id, { section: 'banner', action: 'update', recordId, values });
  expect(await read(member, banners)).toEqual([]);

  await keep(member, ofBanner('Given up'));
  expect((await member.delete('/api/drafts', { section, recordId })).status).toBe(204);
  expect(await read(member, banners)).toEqual([]);

  await keep(member, { section: 'faqItem', values: { accodingTitle: 'New?' } });
  await member.post('/api/add-faq-item', { accodingTitle: 'New?', accodingText: 'Yes.' });
  expect(await read(member)).toEqual([]);
});

test('A new draft is stored beside an offered one, and a save deletes only its own', async () => {
  const banners = `?section=banner&recordId=${banner._id}`;
  const [first, second] = [newId(), newId()];
  const form = { section: 'banner', recordId: banner._id };
  await keep(member, { ...ofBanner('Of last week'), draftId: first });
  await keep(member, { ...ofBanner('Of toda'), draftId: second });
  await keep(member, { ...ofBanner('Of today'), draftId: second });
  const heading = async () => (await read(member, banners)).map(({ values }) => values['bannerHeading']);
  expect(await heading()).toEqual(['Of today', 'Of last week']);

  const own = { headers: { Draft: second } };
  expect(
    (await member.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Of today' }, own)).status,
  ).toBe(200);
  expect(await heading()).toEqual(['Of last week']);
  await keep(member, { ...ofBanner('For spring'), draftId: second });
  const { _id } = await beginRelease(member, 'Of one of two');
  const change = { ...form, action: 'update', values: { bannerHeading: 'For spring' } };
  expect((await member.post(`/api/release/${_id}/changes`, change, own)).status).toBe(201);
  expect(await heading()).toEqual(['Of last week']);

  for (let count = 0; count < 12; count += 1)
    await keep(member, { ...ofBanner(`Number ${count}`), draftId: newId() });
  expect(await heading()).toHaveLength(10);
  expect((await member.delete('/api/drafts', { ...form, draftId: first })).status).toBe(204);
  expect((await member.delete('/api/drafts', form)).status).toBe(204);
  expect(await heading()).toEqual([]);
});

test('The newest drafts of an account are kept, and their forms are listed without the texts', async () => {
  const author = await registerAdministrator(system.url, administrator);
  await keep(author, ofBanner('First'));
  const isAuthors = eq(drafts.values, { bannerHeading: 'First' });
  const [first] = await system.db.select().from(drafts).where(isAuthors);
  if (!first) throw new Error('The first draft is not kept.');
  const older = Array.from({ length: 120 }, (_, count) => ({
    ...first,
    recordId: newId(),
    at: first.at - 1 - count,
  }));
  await system.db.insert(drafts).values(older);
  await keep(author, { ...ofBanner('Last'), draftId: newId() });
  const marks = (await author.get('/api/drafts/marks')).json as readonly object[];
  expect(marks).toHaveLength(100);
  expect(marks[1]).toEqual({ draftId: '', section: 'banner', recordId: banner._id });
  expect(marks.at(-1)).toMatchObject({ recordId: older[97]?.recordId });
  expect(await read(author)).toHaveLength(100);
  expect(await read(member)).toEqual([]);
});

test('A save that does not come from a form deletes no draft', async () => {
  await keep(member, { section: 'faqItem', values: { accodingTitle: 'Half a question' } });
  const { json } = await member.get('/api/faq-items');
  const order = (json as readonly PlainRecord[]).map(({ _id }) => _id).reverse();
  const release = await beginRelease(member, 'Another order');
  await addChange(member, release._id, { section: 'faqItem', action: 'reorder', order });
  expect(await read(member, '?section=faqItem')).toMatchObject([
    { values: { accodingTitle: 'Half a question' } },
  ]);
  await member.delete('/api/drafts', { section: 'faqItem' });

  // Release conflicts are resolved this way, and other programs save this way.
  const change = { section: 'banner', recordId: banner._id, action: 'update' } as const;
  await keep(member, { ...ofBanner('Half a heading'), draftId: newId() });
  await addChange(member, release._id, { ...change, values: { bannerHeading: 'Decided' } });
  await member.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'Saved by a program' });
  expect(await read(member)).toMatchObject([{ values: { bannerHeading: 'Half a heading' } }]);
  await member.delete('/api/drafts', { section: 'banner', recordId: banner._id });
});

test('A refused save keeps the draft, and a draft accepts only the fields of its section', async () => {
  await keep(member, ofBanner('Kept'));
  const stale = { headers: { 'If-Match': '"999"' } };
  expect((await member.put(`/api/update-banner/${banner._id}`, { bannerHeading: 'x' }, stale)).status).toBe(
    412,
  );
  expect(await read(member)).toHaveLength(1);
  for (const body of [
    { section: 'banner', values: { nothing: 'x' } },
    { section: 'nothing', values: {} },
    { section: 'banner', recordId: 'x', values: {} },
    { section: 'banner' },
  ])
    expect((await keep(member, body)).status, JSON.stringify(body)).toBe(422);
});
