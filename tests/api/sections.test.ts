/**
 * The calls of a section, for three different sections: a singleton, a list with pictures and fields that only the edit
 * form has, and fixed records with a price. All sections use the same code (worker/editing/sections.test.ts).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoContent } from '#dev/seed/demo-content.ts';
import { newId } from '#contract/ids.ts';
import { sectionCalls } from '#contract/section-calls.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { addressOf } from '../support/calls.ts';
import { firstRecord, type PlainRecord } from '../support/content.ts';
import { isFreeText, sampleOf } from '../support/samples.ts';
import { openSystem } from '../support/in-process-system.ts';
import { registerCustomer, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

interface ProblemBody {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors?: Record<string, string>;
  readonly current?: PlainRecord;
}

const system = await openSystem();
const administrator = await signInAdministrator(system.url);
const customer = await registerCustomer(system.url);
const visitor = new Visitor(system.url);
afterAll(() => system.stop());

const recordsOf = (answer: Answer) => answer.json as readonly PlainRecord[];

function expectProblem(answer: Answer, status: number): ProblemBody {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
  const problem = answer.json as ProblemBody;
  expect([problem.status, problem.title !== '', problem.detail !== '']).toEqual([status, true, true]);
  return problem;
}
const wrongFields = (answer: Answer) => Object.keys(expectProblem(answer, 422).errors ?? {});

const pathsOf = (name: SectionName) => {
  const { list = 'GET /', add, read = 'GET /', update = 'PUT /' } = sectionCalls(name);
  return {
    list: addressOf(list),
    add: add && addressOf(add),
    read: (id: string) => addressOf(read, id),
    update: (id: string) => addressOf(update, id),
  };
};

test('Every section has its complete demo content, and its audience can read it', async () => {
  for (const name of sectionNames) {
    const { fields, read } = sectionNamed(name);
    const { list, read: pathOf } = pathsOf(name);
    const records = recordsOf(await administrator.get(list));
    expect(records.length, name).toBeGreaterThanOrEqual(demoContent[name]?.length ?? 0);
    // A list leaves out long texts.
    const listed = Object.keys(fields).filter((field) => !fields[field]?.long);
    for (const record of records) expect(Object.keys(record)).toEqual(['_id', ...listed]);
    const [first] = records;
    for (const path of first ? [list, pathOf(first._id)] : [list])
      expect((await visitor.get(path)).status, path).toBe(read === 'content' ? 401 : 200);
  }
});

describe.each(['banner', 'serviceItem', 'pricingPackage'] as const)('The section %s', (name) => {
  const section = sectionNamed(name);
  const { list, read, update } = pathsOf(name);
  const { remove } = sectionCalls(name);
  let record: PlainRecord;
  beforeAll(async () => {
    record = await firstRecord(administrator, list.replace('/api', ''));
  });

  test('has no record of another id', async () => {
    const id = newId();
    expectProblem(await administrator.get(read(id)), 404);
    expectProblem(await administrator.put(update(id), {}), 404);
    if (remove) expectProblem(await administrator.delete(read(id)), 404);
  });

  test('stores exactly what an administrator saves, and its history restores it', async () => {
    const changes = sampleOf(section, { withoutUnique: true });
    for (const [field, one] of Object.entries(section.fields))
      if (isFreeText(one)) changes[field] = '<script>alert(1)</script> & "مرحبا" 👩🏽‍💻 é';
    const saved = await administrator.put(update(record._id), changes);
    expect(saved.status, saved.text).toBe(200);
    expect(saved.json).toEqual({ ...record, ...changes });
    const now = await administrator.get(read(record._id));
    expect([now.json, now.headers.get('ETag')]).toEqual([saved.json, saved.headers.get('ETag')]);
    const [field = ''] = Object.keys(changes);
    const one = await administrator.put(update(record._id), { [field]: record[field] });
    expect(one.json).toEqual({ ...record, ...changes, [field]: record[field] });

    const history = async () =>
      (await administrator.get(`/api/history/${record._id}`)).json as readonly { version: number }[];
    const [, edited, original] = await history();
    const { _id, ...before } = record;
    const after = { ...before, ...changes };
    expect(edited).toMatchObject({ action: 'updated', by: 'owner@agency.example', before, after });
    const restored = await administrator.post(`/api/history/${_id}/restore`, { version: original?.version });
    expect(restored.json, restored.text).toEqual(record);
    expect((await history())[0]).toMatchObject({ action: 'restored' });
    expectProblem(await customer.get(`/api/history/${_id}`), 403);
  });

  test('refuses the whole save for one wrong field, and leaves the record unchanged', async () => {
    const put = (body: object) => administrator.put(update(record._id), body);
    const [one = ''] = Object.keys(section.fields).filter((field) => !section.fields[field]?.unique);
    expect(wrongFields(await put({ ...sampleOf(section, { withoutUnique: true }), [one]: 5 }))).toEqual([
      one,
    ]);
    for (const field of ['_id', 'version', 'noSuchField', '__proto__x'])
      expect(wrongFields(await put({ [field]: 'x' }))).toEqual([field]);
    expect((await administrator.get(read(record._id))).json).toEqual(record);
  });

  test('refuses a save based on a version that somebody else has replaced, and shows the new version', async () => {
    // Cloudflare makes an ETag weak when it compresses a response.
    const etag = `W/${(await administrator.get(read(record._id))).headers.get('ETag') ?? ''}`;
    const values = sampleOf(section, { withoutUnique: true });
    const saveOn = (body: object) =>
      administrator.put(update(record._id), body, { headers: { 'If-Match': etag } });
    expect((await saveOn(values)).status).toBe(200);
    const { _id, ...texts } = record;
    const changing = Object.fromEntries(Object.entries(texts).filter(([field]) => field in values));
    expect(expectProblem(await saveOn(changing), 412).current).toEqual({ ...record, ...values });
    expect((await administrator.put(update(_id), changing)).json).toEqual(record);
  });

  test('creates no revision if a save changes nothing', async () => {
    const { _id, ...texts } = record;
    const countHistory = async () =>
      (await administrator.get(`/api/history/${_id}`)).headers.get('X-Total-Count');
    const before = await administrator.get(read(_id));
    const revision = (await administrator.get('/revision.json')).text;
    const entries = await countHistory();
    const [field, text] = Object.entries(texts).find(([name]) => section.fields[name] !== undefined) ?? [
      '',
      '',
    ];
    const saved = await administrator.put(update(_id), { [field]: text }, { headers: { 'If-Match': '"0"' } });
    expect([saved.status, saved.json, saved.headers.get('X-Changed-Pages')]).toEqual([200, record, '']);
    expect(saved.headers.get('ETag')).toBe(before.headers.get('ETag'));
    expect([(await administrator.get('/revision.json')).text, await countHistory()]).toEqual([
      revision,
      entries,
    ]);
  });
});

test('A changed price is in the audit log, and the same price in other digits is not', async () => {
  const { _id, packageName, packagePrice } = await firstRecord(administrator, '/pricings');
  const price = (value: string | undefined) =>
    administrator.put(pathsOf('pricingPackage').update(_id), { packagePrice: value });
  for (const typed of ['1234', '1234.00', '1234.50', packagePrice]) await price(typed);
  const { json } = await administrator.get('/api/audit-log');
  const log = (json as readonly { details: string }[]).map(({ details }) => details);
  expect(log[1]).toBe(`Changed the price of ${packageName ?? ''} from $1,234 to $1,234.50`);
  expect(log).not.toContain(`Changed the price of ${packageName ?? ''} from $1,234 to $1,234`);
});

test('A singleton accepts one record, even if somebody adds another at the same time', async () => {
  const { list, add = '', read } = pathsOf('banner');
  const addFive = async () => {
    const all = Array.from({ length: 5 }, () => administrator.post(add, sampleOf(sectionNamed('banner'))));
    return (await Promise.all(all)).map(({ status }) => status).toSorted();
  };
  const [before, ...others] = recordsOf(await administrator.get(list));
  expect(others).toEqual([]);
  expect(await addFive()).toEqual([409, 409, 409, 409, 409]);
  expect((await administrator.delete(read(before?._id ?? ''))).status).toBe(200);
  expect(recordsOf(await administrator.get(list))).toEqual([]);
  expect(await addFive()).toEqual([201, 409, 409, 409, 409]);
});

test('A list accepts the fields of its add form, keeps its order, and loses removed records', async () => {
  const { list, add = '', read } = pathsOf('serviceItem');
  const idsOf = async () => recordsOf(await administrator.get(list)).map(({ _id }) => _id);
  const sample = sampleOf(sectionNamed('serviceItem'));
  expect(wrongFields(await administrator.post(add, { ...sample, noSuchField: 'x' }))).toEqual([
    'noSuchField',
  ]);
  const without = (left: string) =>
    Object.fromEntries(Object.entries(sample).filter(([field]) => field !== left));
  expect(wrongFields(await administrator.post(add, without('serviceTitle')))).toEqual(['serviceTitle']);
  // The add form lacks one field of the edit form.
  const asInTheForm = without('serviceImg');
  const key = { headers: { 'Idempotency-Key': newId() } };
  const added = await administrator.post(add, asInTheForm, key);
  expect(added.json, added.text).toMatchObject({ ...asInTheForm, serviceImg: '' });
  // A request that is sent again because its response was lost adds one record.
  const again = await administrator.post(add, asInTheForm, key);
  expect([again.status, again.json]).toEqual([201, added.json]);
  const { _id: id } = added.json as PlainRecord;
  const ids = await idsOf();
  expect(ids.indexOf(id)).toBe(ids.length - 1);
  const order = ids.toReversed();
  expect((await administrator.put(list, { order })).status).toBe(200);
  expect(await idsOf()).toEqual(order);
  // A person who saw the earlier order does not accidentally replace the new one.
  const mine = [...ids.slice(1), ids[0]];
  expectProblem(await administrator.put(list, { order: mine, orderSeen: ids }), 412);
  expectProblem(await administrator.put(list, { order: ids.slice(1) }), 422);
  expectProblem(await administrator.put(list, { order: [...ids.slice(1), newId()] }), 422);
  expect((await administrator.delete(read(id))).status).toBe(200);
  expect(await idsOf()).toEqual(order.slice(1));
  // The same request adds nothing after somebody has removed the record.
  expect(expectProblem(await administrator.post(add, asInTheForm, key), 409).detail).toContain('removed it');
  expect(await idsOf()).toEqual(order.slice(1));
});
