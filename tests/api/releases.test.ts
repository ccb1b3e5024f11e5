/** Releases: changes that nobody sees until they are published together, whatever others save in the meantime. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import type { Publication } from '#contract/content.calls.ts';
import { newId } from '#contract/ids.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import type { AuditEntry } from '#worker/audit/read.ts';
import { settingEvents } from '#worker/audit/schema.ts';
import { contentPages } from '#contract/screens.ts';
import { releaseChanges, releases } from '#worker/content/schema.ts';
import { previewLinks } from '#worker/editing/schema.ts';
import { registerAdministrator } from '../support/cast.ts';
import {
  firstRecord,
  livePage,
  liveRevision,
  revisionOf,
  save,
  type PlainRecord,
} from '../support/content.ts';
import { dumpDatabase } from '../support/database.ts';
import { readMailbox } from '../support/mailbox.ts';
import {
  addChange,
  beginRelease,
  publishRelease,
  readRelease,
  releaseOf,
  sendChange,
} from '../support/releases.ts';
import { sampleOf } from '../support/samples.ts';
import { openSystem } from '../support/in-process-system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const system = await openSystem();
const administrator = await signInAdministrator(system.url);
const colleague = await registerAdministrator(system.url, administrator);
const visitor = new Visitor(system.url);
const banner = await firstRecord(visitor, '/banner');
// From here on, there is a live revision, however slow the machine is.
await livePage(visitor, '/');
afterAll(() => system.stop());

const saveBanner = (values: object) => save(colleague, `/update-banner/${banner._id}`, values);
const readBanner = () => firstRecord(visitor, '/banner');
const listOf = async (path: string) => (await visitor.get(`/api${path}`)).json as readonly PlainRecord[];
const updateBanner = (values: Record<string, string>) =>
  ({ section: 'banner', action: 'update', recordId: banner._id, values }) as const;
const publications = async () =>
  (await administrator.get('/api/publications')).json as readonly Publication[];

const makeDue = (id: string) =>
  system.db
    .update(releases)
    .set({ publishAt: Date.now() - 1_000 })
    .where(eq(releases._id, id));

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
/** Schedules a release. Null cancels the schedule. */
const schedule = (id: string, at: unknown = inAnHour(), by = administrator) =>
  by.put(`/api/release/${id}/schedule`, { at });

const listOpen = async (query = '') =>
  (await administrator.get(`/api/releases?status=open${query}`)).json as readonly Release[];
/** The lines about a release in the attention list. */
const attentionFor = async (id: string) =>
  ((await administrator.get('/api/needs-attention')).json as readonly AttentionItem[]).filter(
    ({ _id }) => _id === id,
  );
/** The audit log entries about a release, newest first. */
const auditOf = async (id: string) =>
  ((await administrator.get('/api/audit-log')).json as readonly AuditEntry[]).filter(
    ({ recordId }) => recordId === id,
  );
const addQuestion = async (accodingTitle: string) =>
  (await administrator.post('/api/add-faq-item', { accodingTitle, accodingText: 'Details' }))
    .json as PlainRecord;

test('A release contains every kind of change, is invisible until it is published, and is published as one revision', async () => {
  const [before, first, ...others] = [await readBanner(), ...(await listOf('/faq-items'))];
  if (!first) throw new Error('The demo has no questions.');
  const revision = await liveRevision(visitor);
  const { _id } = await beginRelease(administrator, 'Spring');
  await addChange(administrator, _id, updateBanner({ bannerHeading: 'Spring is here' }));
  await addChange(colleague, _id, updateBanner({ bannerText: 'For every lender' }));
  await addChange(administrator, _id, { section: 'faqItem', action: 'remove', recordId: first._id });
  const added = await addChange(administrator, _id, {
    section: 'faqItem',
    action: 'add',
    values: { accodingTitle: 'Is spring here?', accodingText: 'It is.' },
  });
  const newId = added.changes.at(-1)?.recordId ?? '';
  const better = { accodingText: 'It is, since today.' };
  const ofAdded = { section: 'faqItem', action: 'update', recordId: newId, values: better } as const;
  expect((await sendChange(administrator, _id, ofAdded, 1)).status).toBe(201);
  const order = [newId, ...others.map((record) => record._id).toReversed()];
  const whole = await addChange(colleague, _id, { section: 'faqItem', action: 'reorder', order });

  expect(whole).toMatchObject({ title: 'Spring', status: 'open', changeCount: 4, problem: null });
  expect(whole.pages).toEqual(['/', '/pricing/']);
  const listed = (await administrator.get('/api/releases')).json as readonly { readonly _id: string }[];
  expect(listed.find((release) => release._id === _id)).toMatchObject({ title: 'Spring', changeCount: 4 });
  expect(whole.changes.map(({ action, conflict }) => [action, conflict])).toEqual([
    ['update', null],
    ['remove', null],
    ['add', null],
    ['reorder', null],
  ]);
  expect(whole.changes[0]?.changes).toEqual([
    { field: 'bannerHeading', before: before['bannerHeading'], after: 'Spring is here' },
    { field: 'bannerText', before: before['bannerText'], after: 'For every lender' },
  ]);
  expect(whole.changes[3]?.order?.after[0]).toBe('Is spring here?');
  expect(whole.changes[3]?.order?.before).toEqual([first, ...others].map((each) => each['accodingTitle']));
  expect(await liveRevision(visitor)).toBe(revision);
  expect(await readBanner()).toEqual(before);
  expect((await visitor.get('/')).text).not.toContain('Spring is here');

  const published = await publishRelease(administrator, _id);
  expect(published.status, published.text).toBe(200);
  expect(published.json).toEqual({ revision: (revision ?? 0) + 1 });
  expect(revisionOf(published)).toBe((revision ?? 0) + 1);
  expect(await readBanner()).toMatchObject({
    bannerHeading: 'Spring is here',
    bannerText: 'For every lender',
  });
  const questions = await listOf('/faq-items');
  expect(questions.map((record) => record._id)).toEqual(order);
  expect(questions[0]).toMatchObject({ accodingText: 'It is, since today.' });
  expect((await visitor.get('/')).text).toContain('Spring is here');
  const [publication] = await publications();
  expect(publication).toMatchObject({ revision: (revision ?? 0) + 1, changedPages: ['/', '/pricing/'] });

  const later = await readRelease(administrator, _id);
  expect(later).toMatchObject({
    status: 'published',
    revision: publication?.revision,
    pages: ['/', '/pricing/'],
  });
  expect(later.changes.map(({ action }) => action)).toContain('update');
  const again = await publishRelease(administrator, _id);
  expect([
    again.status,
    (await sendChange(administrator, _id, updateBanner({ bannerHeading: 'x' }))).status,
  ]).toEqual([409, 409]);

  // One restore undoes the whole release.
  expect((await administrator.post(`/api/publications/${String(revision)}/go-back`)).status).toBe(200);
  expect(await readBanner()).toEqual(before);
  expect((await listOf('/faq-items')).map((record) => record._id)).toEqual([
    first._id,
    ...others.map((each) => each._id),
  ]);
});

describe('If somebody else saves in the meantime', () => {
  test('other fields keep what they saved, and forms and lists show the releases that contain their record', async () => {
    const { _id } = await beginRelease(administrator, 'Apart');
    await addChange(administrator, _id, updateBanner({ bannerHeading: 'Ours' }));
    const other = await beginRelease(administrator, 'Of another list');
    const question = { accodingTitle: 'May I ask?', accodingText: 'You may.' };
    await addChange(administrator, other._id, { section: 'faqItem', action: 'add', values: question });
    for (const [subject, holds] of [
      [`recordId=${banner._id}`, [true, false]],
      ['section=banner', [true, false]],
      ['section=faqItem', [false, true]],
      [`recordId=${banner._id}&section=faqItem`, [false, false]],
    ] as const) {
      const ids = (await listOpen(`&${subject}`)).map((release) => release._id);
      expect([ids.includes(_id), ids.includes(other._id)], subject).toEqual(holds);
    }
    await saveBanner({ bannerText: 'Theirs' });
    expect((await readRelease(administrator, _id)).changes[0]?.conflict).toBeNull();
    expect((await publishRelease(administrator, _id)).status).toBe(200);
    expect(await readBanner()).toMatchObject({ bannerHeading: 'Ours', bannerText: 'Theirs' });
  });

  test('a change of the same field is a conflict, and nothing is published until somebody chooses a text', async () => {
    await saveBanner({ bannerHeading: 'Before', bannerText: 'Untouched' });
    const { _id } = await beginRelease(administrator, 'Against');
    const both = updateBanner({ bannerHeading: 'Mine', bannerText: 'New' });
    const { changes } = await addChange(administrator, _id, both);
    await saveBanner({ bannerHeading: 'Theirs' });
    const [conflicting] = (await readRelease(administrator, _id)).changes;
    expect(conflicting?.conflict).toMatchObject({
      kind: 'changed',
      fields: [{ field: 'bannerHeading', base: 'Before', theirs: 'Theirs', mine: 'Mine' }],
    });
    const before = await readBanner();
    const refused = await publishRelease(administrator, _id);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('1 change conflicts with what is live');
    expect(await readBanner()).toEqual(before);

    // Nothing is chosen from the version that was live when the release was created.
    const mine = updateBanner({ bannerHeading: 'Mine' });
    const version = conflicting?.recordVersion ?? 0;
    expect((await sendChange(administrator, _id, { ...mine, version: version - 1 })).status).toBe(412);
    const chosen = await sendChange(administrator, _id, { ...mine, version });
    expect(chosen.json).toMatchObject({ conflict: null, version: (changes[0]?.version ?? 0) + 1 });
    expect((await publishRelease(administrator, _id)).status).toBe(200);
    expect(await readBanner()).toMatchObject({ bannerHeading: 'Mine', bannerText: 'New' });
  });

  test('a change of a removed record and the removal of a changed record are conflicts', async () => {
    const [gone, changed] = [await addQuestion('Goes'), await addQuestion('Changes')];
    const { _id } = await beginRelease(administrator, 'Late');
    const values = { accodingText: 'Other' };
    await addChange(administrator, _id, { section: 'faqItem', action: 'update', recordId: gone._id, values });
    await addChange(administrator, _id, { section: 'faqItem', action: 'remove', recordId: changed._id });
    await administrator.delete(`/api/faq-item/${gone._id}`);
    await save(colleague, `/faq-item/${changed._id}`, { accodingText: 'Better' });
    const found = (await readRelease(administrator, _id)).changes;
    expect(found.map(({ conflict }) => conflict?.kind)).toEqual(['removed', 'changed']);
    expect(found[0]?.title).toBe('Goes');
    expect((await publishRelease(administrator, _id)).status).toBe(409);
    await administrator.delete(`/api/release/${_id}/changes/${found[0]?._id ?? ''}`);
    const again = { section: 'faqItem', action: 'remove', recordId: changed._id, version: 2 } as const;
    expect((await sendChange(administrator, _id, again)).status).toBe(201);
    expect((await publishRelease(administrator, _id)).status).toBe(200);
    expect((await visitor.get(`/api/faq-item/${changed._id}`)).status).toBe(404);
  });

  test('a list keeps the items that they added, and a list that they reordered is a conflict', async () => {
    const ids = (await listOf('/steps')).map((record) => record._id);
    const { _id } = await beginRelease(administrator, 'Steps');
    const order = ids.toReversed();
    await addChange(administrator, _id, { section: 'step', action: 'reorder', order });
    const step = sampleOf(sectionNamed('step'));
    const added = (await colleague.post('/api/add-step', step)).json as PlainRecord;
    expect((await readRelease(administrator, _id)).changes[0]?.conflict).toBeNull();
    const swapped = [...ids.slice(1), ids[0] ?? '', added._id];
    expect((await colleague.put('/api/steps', { order: swapped })).status).toBe(200);
    expect((await readRelease(administrator, _id)).changes[0]?.conflict?.kind).toBe('changed');
    expect((await publishRelease(administrator, _id)).status).toBe(409);
    expect((await colleague.put('/api/steps', { order: [...ids, added._id] })).status).toBe(200);
    expect((await publishRelease(administrator, _id)).status).toBe(200);
    expect((await listOf('/steps')).map((record) => record._id)).toEqual([
      ids.at(-1),
      added._id,
      ...order.slice(1),
    ]);
  });
});

test('A new order of an outdated list is immediately a conflict, and the choice applies only to the lists that were shown', async () => {
  const idsOf = async () => (await listOf('/testimonials')).map((record) => record._id);
  const orderSeen = await idsOf();
  const reorderLive = async (order: readonly string[]) =>
    expect((await colleague.put('/api/testimonials', { order })).status).toBe(200);
  const theirs = [...orderSeen.slice(1), orderSeen[0] ?? ''];
  await reorderLive(theirs);
  const { _id } = await beginRelease(administrator, 'From an older list');
  const change = { section: 'testimonial', action: 'reorder', order: orderSeen.toReversed() } as const;
  const [added] = (await addChange(administrator, _id, { ...change, orderSeen })).changes;
  expect(added).toMatchObject({ conflict: { kind: 'changed' }, order: { idsBefore: theirs } });
  expect((await publishRelease(administrator, _id)).status).toBe(409);
  expect(await idsOf()).toEqual(theirs);

  // A decision made before seeing a newer order does not apply to that order.
  await reorderLive(orderSeen);
  const decided = { ...change, orderSeen: theirs };
  expect((await sendChange(administrator, _id, decided, 1)).status).toBe(201);
  expect((await publishRelease(administrator, _id)).status).toBe(409);
  expect((await sendChange(administrator, _id, { ...change, orderSeen }, 2)).status).toBe(201);
  expect((await publishRelease(administrator, _id)).status).toBe(200);
  expect(await idsOf()).toEqual(change.order);
});

test('Two administrators who edit one release overwrite nothing that they have not seen', async () => {
  await saveBanner({ bannerHeading: 'Live', bannerText: 'Live' });
  const { _id } = await beginRelease(administrator, 'Both of us');
  await addChange(administrator, _id, updateBanner({ bannerHeading: 'Mine' }));
  const refused = await sendChange(colleague, _id, updateBanner({ bannerHeading: 'Yours' }));
  expect(refused.status).toBe(412);
  expect(refused.headers.get('ETag')).toBe('"1"');
  expect(refused.json).toMatchObject({ current: { bannerHeading: 'Mine' } });
  expect((await sendChange(colleague, _id, updateBanner({ bannerHeading: 'Yours' }), 1)).status).toBe(201);
  expect((await sendChange(administrator, _id, updateBanner({ bannerHeading: 'Mine' }), 1)).status).toBe(412);
  const removal = { section: 'banner', action: 'remove', recordId: banner._id } as const;
  expect((await sendChange(administrator, _id, removal)).status).toBe(412);
  // Concurrent changes of different fields do not conflict.
  const [one, other] = await Promise.all([
    sendChange(administrator, _id, updateBanner({ bannerText: 'Second' })),
    sendChange(colleague, _id, {
      section: 'copyright',
      action: 'update',
      recordId: (await firstRecord(visitor, '/copyrights'))._id,
      values: { copyrightText: '© Both' },
    }),
  ]);
  expect([one.status, other.status]).toEqual([201, 201]);
  const { changes } = await readRelease(administrator, _id);
  expect(changes.map(({ changes: fields }) => fields.map(({ after }) => after))).toEqual([
    ['Yours', 'Second'],
    ['© Both'],
  ]);
});

test('A change that a release already contains can be added again by anyone, without effect', async () => {
  await saveBanner({ bannerHeading: 'Live', bannerText: 'Live' });
  const { _id } = await beginRelease(administrator, 'Once');
  const [first, ...others] = await listOf('/testimonials');
  const order = [...others.map((record) => record._id), first?._id ?? ''];
  const changes = [
    updateBanner({ bannerHeading: 'Ours', bannerText: 'Ours' }),
    { section: 'faqItem', action: 'remove', recordId: (await listOf('/faq-items'))[0]?._id ?? '' },
    { section: 'testimonial', action: 'reorder', order },
  ] as const;
  for (const change of changes) await addChange(administrator, _id, change);
  const held = await readRelease(administrator, _id);
  const form = { section: 'banner', recordId: banner._id } as const;
  await colleague.put('/api/drafts', { ...form, values: { bannerText: 'Ours' } });
  for (const again of [...changes, updateBanner({ bannerText: 'Ours' })])
    expect(await addChange(colleague, _id, again)).toEqual(held);
  // A request that is sent again because its response was lost names the previous version.
  expect((await sendChange(colleague, _id, changes[0], 0)).json).toEqual(held.changes[0]);
  expect((await colleague.get(`/api/drafts?section=banner&recordId=${banner._id}`)).json).toEqual([]);
  expect(await system.db.$count(settingEvents, eq(settingEvents.recordId, _id))).toBe(1 + changes.length);

  // If a text was saved in the meantime, the change is decided again, with the same outcome for the release.
  await saveBanner({ bannerText: 'Theirs' });
  const decided = await addChange(administrator, _id, changes[0]);
  expect(decided).toMatchObject({
    version: held.version + 1,
    changes: [{ version: 2, conflict: null }, {}, {}],
  });
});

test('A new record that is sent twice with the same idempotency key is in the release once', async () => {
  const { _id } = await beginRelease(administrator, 'Once by its key');
  const path = `/api/release/${_id}/changes`;
  const key = { headers: { 'Idempotency-Key': newId() } };
  const sample = sampleOf(sectionNamed('faqItem'));
  const adding = (accodingTitle: string) => ({
    section: 'faqItem',
    action: 'add',
    values: { ...sample, accodingTitle },
  });
  const first = await administrator.post(path, adding('One?'), key);
  for (const again of [1, 2]) {
    const { status, json } = await administrator.post(path, adding('One?'), key);
    expect([again, status, json]).toEqual([again, 201, first.json]);
  }
  const other = await administrator.post(path, adding('Two?'), key);
  expect([other.status, other.text]).toEqual([422, expect.stringContaining('already sent another change')]);
  expect((await colleague.post(path, adding('One?'), key)).status).toBe(201);
  const { changes } = await readRelease(administrator, _id);
  expect(changes).toHaveLength(2);
  // After a colleague has edited the record in the release, the same request returns the current record.
  const { recordId } = first.json as ReleaseChange;
  const edit = { section: 'faqItem', action: 'update', recordId: recordId ?? '' } as const;
  await sendChange(colleague, _id, { ...edit, values: { accodingTitle: 'One, edited?' } }, 1);
  const repeated = await administrator.post(path, adding('One?'), key);
  expect([repeated.status, repeated.json]).toMatchObject([201, { title: 'One, edited?', version: 2 }]);
  expect((await administrator.post(path, adding('One, edited?'), key)).status).toBe(422);
  // The same request adds nothing after somebody has removed the record from the release.
  await colleague.delete(`/api/release/${_id}/changes/${changes[0]?._id ?? ''}`);
  expect((await administrator.post(path, adding('One?'), key)).status).toBe(409);
  expect((await readRelease(administrator, _id)).changeCount).toBe(1);
});

test('A release takes no more changes than one response of the database can contain', async () => {
  const { _id } = await beginRelease(administrator, 'Long texts');
  const text = 'é'.repeat(50_000);
  const change = { releaseId: _id, section: 'article', action: 'add', version: 1, at: 1, by: '' } as const;
  await system.db.insert(releaseChanges).values(
    Array.from({ length: 40 }, () => ({
      ...change,
      _id: newId(),
      recordId: newId(),
      value: { ...sampleOf(sectionNamed('article')), slug: newId(), text },
    })),
  );
  const refused = await sendChange(administrator, _id, updateBanner({ bannerText: 'One more' }));
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('This release is full')]);
});

test('Only one of several concurrent publications succeeds, and a concurrent change is included or refused', async () => {
  const { _id } = await beginRelease(administrator, 'At once');
  const values = sampleOf(sectionNamed('faqItem'));
  await addChange(administrator, _id, { section: 'faqItem', action: 'add', values });
  const before = await liveRevision(visitor);
  const [late, ...tries] = await Promise.all([
    sendChange(colleague, _id, updateBanner({ bannerHeading: 'At the last moment' })),
    ...Array.from({ length: 4 }, (_, index) => publishRelease(index % 2 ? administrator : colleague, _id)),
  ]);
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  expect(await liveRevision(visitor)).toBe((before ?? 0) + 1);
  expect((await readBanner())['bannerHeading'] === 'At the last moment').toBe(late.status === 201);
  expect([201, 409]).toContain(late.status);
});

test('Nobody publishes, schedules or removes a release, or one of its changes, in a version that they have not seen', async () => {
  const { _id } = await beginRelease(administrator, 'As seen');
  const seen = await addChange(administrator, _id, updateBanner({ bannerText: 'Seen' }));
  const change = seen.changes[0]?._id ?? '';
  await addChange(colleague, _id, updateBanner({ bannerHeading: 'Half a thou' }));
  const revision = await liveRevision(visitor);
  const ifMatch = (version: number) => ({ headers: { 'If-Match': `"${version}"` } });
  const path = `/api/release/${_id}`;
  for (const refused of [
    await administrator.post(`${path}/publish`, undefined, ifMatch(seen.version)),
    await administrator.put(`${path}/schedule`, { at: inAnHour() }, ifMatch(seen.version)),
    await administrator.delete(path, undefined, ifMatch(seen.version)),
    await administrator.delete(`${path}/changes/${change}`, undefined, ifMatch(1)),
  ])
    expect(refused.status, refused.text).toBe(412);
  expect(await liveRevision(visitor)).toBe(revision);
  const now = await readRelease(administrator, _id);
  expect(now).toMatchObject({ changeCount: 1, publishAt: null, version: seen.version + 1 });
  const published = await administrator.post(`${path}/publish`, undefined, ifMatch(now.version));
  expect(published.status, published.text).toBe(200);
});

test('A release shows the errors that would prevent its publication, and is not published with them', async () => {
  const { _id } = await beginRelease(administrator, 'Leads nowhere');
  const call = await firstRecord(visitor, '/actions');
  const links = Object.entries(sectionNamed('callToAction').fields).filter(([, { kind }]) => kind === 'link');
  const values = Object.fromEntries(links.map(([field]) => [field, '/nowhere-at-all']));
  expect(links.length).toBeGreaterThan(0);
  await addChange(administrator, _id, updateBanner({ bannerHeading: 'Never seen' }));
  const told = await addChange(administrator, _id, {
    section: 'callToAction',
    action: 'update',
    recordId: call._id,
    values,
  });
  expect(told.problem).toContain('/nowhere-at-all, which does not exist on this site');
  expect((await publishRelease(administrator, _id)).status).toBe(422);
  expect((await readBanner())['bannerHeading']).not.toBe('Never seen');
  expect((await readRelease(administrator, _id)).changeCount).toBe(2);
  for (const [sent, status] of [
    [{ section: 'banner', action: 'update', recordId: newId(), values: { bannerHeading: 'x' } }, 404],
    [updateBanner({}), 201],
    [{ section: 'faqItem', action: 'reorder', order: ['x'] }, 422],
    [{ section: 'faqItem', action: 'add', values: { accodingTitle: 'x' } }, 422],
    [{ section: 'redirect', action: 'add', values: { from: '/', to: '/contact' } }, 422],
    [updateBanner({ imageOne: `/media/${newId()}/x.webp` }), 422],
  ] as const)
    expect((await sendChange(administrator, _id, sent)).status, JSON.stringify(sent)).toBe(status);
});

describe('A scheduled release', () => {
  test('is published by the cron at its time, in the name of the person who scheduled it', async () => {
    const { _id } = await beginRelease(administrator, 'At nine');
    expect((await schedule(_id)).status).toBe(409);
    await addChange(administrator, _id, updateBanner({ bannerHeading: 'At nine' }));
    for (const at of ['2020-01-01T09:00:00Z', '2099-01-01T09:00:00', '2099-01-01', 'tomorrow', 5])
      expect((await schedule(_id, at)).status).toBe(422);
    const set = await schedule(_id, '2099-01-01T09:00:00+02:00');
    expect(releaseOf(set).publishAt).toBe('2099-01-01T07:00:00.000Z');
    await system.worker.tick();
    expect((await readRelease(administrator, _id)).status).toBe('open');
    await makeDue(_id);
    expect(releaseOf(await schedule(_id, null)).publishAt).toBeNull();
    await system.worker.tick();
    expect((await readRelease(administrator, _id)).status).toBe('open');
    await schedule(_id, inAnHour(), colleague);
    await makeDue(_id);
    await system.worker.tick();
    const published = await readRelease(administrator, _id);
    const { email } = colleague;
    expect(published).toMatchObject({ status: 'published', publishedBy: email, publishAt: null });
    expect(await readBanner()).toMatchObject({ bannerHeading: 'At nine' });
    expect((await publications())[0]).toMatchObject({ revision: published.revision, by: email });
    const entries = await auditOf(_id);
    expect(entries.map(({ details }) => details)).toEqual([
      expect.stringMatching(/^Published the release “.+”$/),
      expect.stringMatching(
        /^Scheduled the release “.+” for [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M [A-Z]+$/,
      ),
      expect.stringMatching(/^Cancelled the schedule of the release “.+”$/),
      expect.stringMatching(/^Scheduled the release “.+” for /),
    ]);
    expect(entries[0]).toMatchObject({ action: 'release', email, network: '' });
  });

  test('needs attention immediately if a save or a removal conflicts with it, until somebody decides', async () => {
    const { _id: asked } = await addQuestion('Overtaken?');
    await saveBanner({ bannerHeading: 'Before', bannerText: 'Before' });
    const { _id } = await beginRelease(administrator, 'Overtaken');
    await addChange(administrator, _id, updateBanner({ bannerHeading: 'Mine' }));
    const removal = { section: 'faqItem', action: 'remove', recordId: asked } as const;
    const { changes } = await addChange(administrator, _id, removal);
    /** How the list of releases, the release and the attention list show it. */
    const shown = async () => [
      (await listOpen()).find((release) => release._id === _id)?.isBlocked,
      (await readRelease(administrator, _id)).isBlocked,
      ...(await attentionFor(_id)).map(({ text }) => text),
    ];
    const told = [
      true,
      true,
      'The release “Overtaken” will not be published on schedule, because something it changes was saved or removed since. Open the release to choose what to publish.',
    ];
    await saveBanner({ bannerHeading: 'Theirs' });
    // A release without a time keeps nobody waiting.
    expect(await shown()).toEqual([true, true]);
    await schedule(_id);
    const began = Date.now();
    expect(await shown()).toEqual(told);
    for (const bannerHeading of ['Mine', 'Before']) {
      await saveBanner({ bannerHeading, bannerText: 'Theirs' });
      expect(await shown(), bannerHeading).toEqual([false, false]);
    }
    // The release removes this record. A later change to its text is a conflict, but its removal is not.
    await save(colleague, `/faq-item/${asked}`, { accodingText: 'Yes.' });
    expect(await shown()).toEqual(told);
    const [line] = await attentionFor(_id);
    expect(Date.parse(line?.at ?? '')).toBeGreaterThanOrEqual(began);
    expect(Date.parse(line?.at ?? '')).toBeLessThanOrEqual(Date.now());
    await administrator.delete(`/api/faq-item/${asked}`);
    expect(await shown()).toEqual([false, false]);

    await administrator.delete(`/api/release/${_id}/changes/${changes[1]?._id ?? ''}`);
    const { _id: gone } = await addQuestion('Gone?');
    const ofGone = { section: 'faqItem', recordId: gone, action: 'update' } as const;
    await addChange(administrator, _id, { ...ofGone, values: { accodingText: 'Maybe.' } });
    expect(await shown()).toEqual([false, false]);
    await administrator.delete(`/api/faq-item/${gone}`);
    expect(await shown()).toEqual(told);
    expect((await administrator.delete(`/api/release/${_id}`)).status).toBe(204);
  });

  test('stays complete and needs attention if it cannot be published', async () => {
    await saveBanner({ bannerHeading: 'Before' });
    const { _id } = await beginRelease(administrator, 'In conflict');
    await addChange(administrator, _id, updateBanner({ bannerHeading: 'Mine', bannerText: 'Also mine' }));
    await schedule(_id);
    await saveBanner({ bannerHeading: 'Theirs' });
    const before = await liveRevision(visitor);
    await makeDue(_id);
    await system.worker.tick();
    await system.worker.tick();
    expect(await liveRevision(visitor)).toBe(before);
    const whole = await readRelease(administrator, _id);
    expect(whole).toMatchObject({ status: 'open', changeCount: 1 });
    expect(whole.failure).toContain('1 change conflicts');
    expect(await attentionFor(_id)).toMatchObject([
      { kind: 'release', text: expect.stringContaining('“In conflict”') as string },
    ]);
    const told = (await readMailbox(system.url)).filter(({ text }) =>
      text.includes('The release “In conflict” could not be published'),
    );
    expect(told).toHaveLength(1);

    const [{ recordVersion } = { recordVersion: 0 }] = whole.changes;
    const mine = updateBanner({ bannerHeading: 'Mine' });
    await sendChange(administrator, _id, { ...mine, version: recordVersion ?? 0 });
    expect((await publishRelease(administrator, _id)).status).toBe(200);
    expect(await attentionFor(_id)).toEqual([]);
  });
});

test('The log of a release shows who did what, and stays when the release is removed', async () => {
  const { _id } = await beginRelease(administrator, 'Noted');
  await administrator.put(`/api/release/${_id}`, { title: 'Noted well' });
  await addChange(colleague, _id, updateBanner({ bannerHeading: 'Noted' }));
  await administrator.delete(`/api/release/${_id}`);
  const events = await system.db.select().from(settingEvents).where(eq(settingEvents.recordId, _id));
  expect(events.map(({ action, version }) => [action, version])).toEqual([
    ['added', 1],
    ['updated', 2],
    ['updated', 3],
    ['removed', 4],
  ]);
  expect(new Set(events.map(({ by }) => by)).size).toBe(2);
  expect(events[2]?.after).toContain('"bannerHeading":"Noted"');
  expect((await listOpen()).map((each) => each._id)).not.toContain(_id);
});

/** A release that changes the heading of the landing page. @returns its id */
async function prepare(title: string, bannerHeading: string): Promise<string> {
  const { _id } = await beginRelease(administrator, title);
  await addChange(administrator, _id, updateBanner({ bannerHeading }));
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

test('Anyone with the preview link sees every page with the release applied, and nothing is written', async () => {
  const id = await prepare('<b>Spring</b> & more', 'Spring is coming');
  const [privacy] = await listOf('/legal-pages');
  const values = { text: `[Prices](${system.url}/pricing/?a=b#faq)` };
  await addChange(administrator, id, {
    section: 'legalPage',
    action: 'update',
    recordId: privacy?._id ?? '',
    values,
  });
  const path = await makeLink(id);
  const before = await dumpDatabase(system);
  for (const { pattern } of contentPages) {
    const page = await visitor.get(path + pattern);
    expect(page.status, pattern).toBe(200);
    expect(page.text).toContain(
      'This is a preview of the release “&lt;b>Spring&lt;/b> &amp; more”'.replaceAll('>', '&gt;'),
    );
    expect(page.text.includes('Spring is coming'), pattern).toBe(pattern === '/');
    expect(page.text).not.toContain(`href="${system.url}`);
    if (pattern === privacy?.['path']) expect(page.text).toContain(`href="${path}/pricing/?a=b#faq"`);
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
  for (const other of ['/login', '/admin', '/api/banner', '/nowhere', '/shell/admin', '//pricing/']) {
    const { status, text } = await visitor.get(path + other);
    expect(status, other).toBe(404);
    expect(text, other).toContain('This is a preview');
    expect(text, other).toContain(`href="${path}/pricing/"`);
  }
});

test('A preview link ends after seven days, when it is revoked, and when the release is removed; after publication it redirects to the site', async () => {
  const id = await prepare('Short', 'A short one');
  const [first, second] = [await makeLink(id), await makeLink(id)];
  expect((await readRelease(administrator, id)).previewUntil).not.toBeNull();
  const stored = await system.db.select().from(previewLinks).where(eq(previewLinks.releaseId, id));
  expect(stored).toHaveLength(2);
  expect(JSON.stringify(stored)).not.toContain(first.split('/')[2]);
  const days = ((stored[0]?.expiresAt ?? 0) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  expect((await visitor.get(`${second}/`)).status).toBe(200);
  await system.db.update(previewLinks).set({ expiresAt: sql`${Date.now()} - 1` });
  expect((await visitor.get(`${second}/`)).status).toBe(404);
  await system.worker.tick();
  expect(await system.db.$count(previewLinks)).toBe(0);

  const third = await makeLink(id);
  const ended = await administrator.delete(`/api/release/${id}/preview-link`);
  expect(releaseOf(ended).previewUntil).toBeNull();
  expect((await visitor.get(`${third}/`)).status).toBe(404);
  expect((await auditOf(id)).map(({ action, details }) => `${action}: ${details}`)).toEqual([
    'release: Revoked the preview links for the release “Short”',
    ...Array<string>(3).fill('release: Created a preview link for the release “Short”'),
  ]);
  const fourth = await makeLink(id);
  expect((await publishRelease(administrator, id)).status).toBe(200);
  const led = await visitor.get(`${fourth}/pricing/`);
  expect([led.status, led.headers.get('Location')]).toEqual([302, '/pricing/']);
  await administrator.delete(`/api/release/${id}`);
  expect((await visitor.get(`${fourth}/pricing/`)).status).toBe(404);
});

test('The editor reads all content, live and with a release applied', async () => {
  const id = await prepare('Editor', 'As the editor shows it');
  const headings = async (query: string) => {
    const answer = await administrator.get(`/api/content${query}`);
    expect(answer.status, answer.text).toBe(200);
    return (answer.json as { readonly banner: readonly PlainRecord[] }).banner.map(
      (record) => record['bannerHeading'],
    );
  };
  expect(await headings('')).toEqual([(await readBanner())['bannerHeading']]);
  expect(await headings(`?release=${id}`)).toEqual(['As the editor shows it']);
  // Once it is published, later changes count.
  await publishRelease(administrator, id);
  await saveBanner({ bannerHeading: 'Newer' });
  expect(await headings(`?release=${id}`)).toEqual(['Newer']);
  expect((await administrator.get(`/api/content?release=${banner._id}`)).status).toBe(404);
  expect((await visitor.get('/api/content')).status).toBe(401);
});
