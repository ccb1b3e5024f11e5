/** Every section of the registry through its calls, on the real Worker: one table, one suite. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoContent } from '#dev/seed/demo-content.ts';
import { addressOf } from '../support/calls.ts';
import { sectionCalls } from '#contract/section-calls.ts';
import { newId } from '#contract/ids.ts';
import { maxLengthOf, mayBeEmpty, type Field } from '#contract/section.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { fullSize } from '../support/limits.ts';
import { isFreeText, sampleOf } from '../support/samples.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { registerCustomer, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

interface PlainRecord {
  readonly _id: string;
  readonly [field: string]: string;
}

interface ProblemBody {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: Record<string, string>;
  readonly current?: PlainRecord;
}

let system: TestSystem;
let administrator: Visitor;
let customer: Visitor;
let visitor: Visitor;

beforeAll(async () => {
  system = await startTestSystem();
  administrator = await signInAdministrator(system.url);
  customer = await registerCustomer(system.url);
  visitor = new Visitor(system.url);
});
afterAll(() => system.stop());

/** Stands for a text longer than its field may be. */
const tooLong = 'too long';
const textTooLongFor = (field: Field | undefined) => 'x'.repeat(field ? maxLengthOf(field) + 1 : 0);

const recordsOf = (answer: Answer) => answer.json as readonly PlainRecord[];
const recordOf = (answer: Answer) => answer.json as PlainRecord;
const problemOf = (answer: Answer) => answer.json as ProblemBody;

function expectProblem(answer: Answer, status: number): ProblemBody {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
  const problem = problemOf(answer);
  expect(problem.status).toBe(status);
  expect(problem.title).not.toBe('');
  expect(problem.detail).not.toBe('');
  return problem;
}

const pathsOf = (name: SectionName) => {
  const { list, add, read, update, remove, reorder } = sectionCalls(name);
  return {
    list: list ? addressOf(list) : '',
    add: add && addressOf(add),
    read: (id: string) => (read ? addressOf(read, id) : ''),
    update: (id: string) => (update ? addressOf(update, id) : ''),
    canRemove: remove !== undefined,
    canReorder: reorder !== undefined,
  };
};

async function addRecord(name: SectionName): Promise<PlainRecord> {
  const answer = await administrator.post(pathsOf(name).add ?? '', sampleOf(sectionNamed(name)));
  expect(answer.status, answer.text).toBe(201);
  return recordOf(answer);
}

/** The ids of the records that the tests of a list have added for themselves. */
const ownIds = new Map<SectionName, string>();

/**
 * The record of the section to work on, as it stands: the tests of a section share one, since each that is added is
 * rendered with every save that follows.
 */
async function someRecord(name: SectionName): Promise<PlainRecord> {
  const { list, add } = pathsOf(name);
  const records = recordsOf(await administrator.get(list));
  const isList = sectionNamed(name).kind === 'list';
  const record = isList && add ? records.find(({ _id }) => _id === ownIds.get(name)) : records[0];
  if (record) return record;
  if (!add) throw new Error(`${name} has no record.`);
  const added = await addRecord(name);
  ownIds.set(name, added._id);
  return added;
}

describe.each(sectionNames)('The section %s', (name) => {
  const section = sectionNamed(name);
  const paths = pathsOf(name);

  test('has its demo content, in full', async () => {
    const records = recordsOf(await administrator.get(paths.list));
    const demo: Partial<Record<SectionName, readonly object[]>> = demoContent;
    expect(records.length).toBeGreaterThanOrEqual(demo[name]?.length ?? 0);
    for (const record of records)
      expect(Object.keys(record)).toEqual(['_id', ...Object.keys(section.fields)]);
  });

  test('can be read by whom it is meant for, and written by administrators only', async () => {
    const record = await someRecord(name);
    const readable = section.read === undefined;
    expect((await visitor.get(paths.list)).status).toBe(section.read === 'content' ? 401 : 200);
    expect((await visitor.get(paths.read(record._id))).status).toBe(readable ? 200 : 401);
    for (const [caller, status] of [
      [visitor, 401],
      [customer, 403],
    ] as const) {
      expectProblem(await caller.put(paths.update(record._id), {}), status);
      if (paths.add) expectProblem(await caller.post(paths.add, sampleOf(section)), status);
      if (paths.canRemove) expectProblem(await caller.delete(paths.read(record._id)), status);
      if (paths.canReorder) expectProblem(await caller.put(paths.list, { order: [] }), status);
    }
  });

  test('keeps exactly what an administrator saves, field by field', async () => {
    const record = await someRecord(name);
    const changes = sampleOf(section, { withoutUnique: true });
    const [field = '', value = ''] = Object.entries(changes)[0] ?? [];
    const one = await administrator.put(paths.update(record._id), { [field]: value });
    expect(one.status, one.text).toBe(200);
    expect(recordOf(one)).toEqual({ ...record, [field]: value });
    const all = await administrator.put(paths.update(record._id), changes);
    expect(recordOf(all)).toEqual({ ...record, ...changes });
    const read = await administrator.get(paths.read(record._id));
    expect(recordOf(read)).toEqual({ ...record, ...changes });
    expect(read.headers.get('ETag')).toBe(all.headers.get('ETag'));
    expect(Number(all.headers.get('X-Content-Revision'))).toBe(
      Number(one.headers.get('X-Content-Revision')) + 1,
    );
  });

  test('answers 404 for an id that it does not know', async () => {
    const id = newId();
    expectProblem(await administrator.get(paths.read(id)), 404);
    expectProblem(await administrator.put(paths.update(id), {}), 404);
    if (paths.canRemove) expectProblem(await administrator.delete(paths.read(id)), 404);
  });

  test('refuses what does not hold and leaves the record as it was', async () => {
    const record = await someRecord(name);
    const fields = Object.entries(section.fields);
    const isAddress = ({ kind }: Field) => kind === 'link' || kind === 'image' || kind === 'path';
    const everywhere = [5, null, { a: 1 }, tooLong, 'a\u0000b'];
    const addresses = ['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'no-address'];
    for (const { value, isMeant } of [
      ...everywhere.map((value) => ({ value, isMeant: () => true })),
      ...['', ' \n '].map((value) => ({ value, isMeant: (field: Field) => !mayBeEmpty(field) })),
      ...addresses.map((value) => ({ value, isMeant: isAddress })),
    ]) {
      // All fields at once: each of them is told of.
      const meant = fields.filter(([, field]) => isMeant(field)).map(([field]) => field);
      if (meant.length === 0) continue;
      const changes = Object.fromEntries(
        meant.map((field) => [field, value === tooLong ? textTooLongFor(section.fields[field]) : value]),
      );
      const problem = expectProblem(await administrator.put(paths.update(record._id), changes), 422);
      expect(Object.keys(problem.errors ?? {}).toSorted(), JSON.stringify(value).slice(0, 20)).toEqual(
        meant.toSorted(),
      );
    }
    for (const field of ['_id', 'version', 'noSuchField', '__proto__x']) {
      const problem = expectProblem(await administrator.put(paths.update(record._id), { [field]: 'x' }), 422);
      expect(Object.keys(problem.errors ?? {})).toEqual([field]);
    }
    // One that does not hold takes the others with it.
    const one = fields[0]?.[0] ?? '';
    const mixed = { ...sampleOf(section, { withoutUnique: true }), [one]: 5 };
    const problem = expectProblem(await administrator.put(paths.update(record._id), mixed), 422);
    expect(Object.keys(problem.errors ?? {})).toEqual([one]);
    expectProblem(
      await administrator.put(paths.update(record._id), '{', {
        headers: { 'Content-Type': 'application/json' },
      }),
      400,
    );
    expectProblem(await administrator.put(paths.update(record._id), []), 400);
    expectProblem(await administrator.put(paths.update(record._id), { a: 'x'.repeat(300_000) }), 413);
    expect(recordOf(await administrator.get(paths.read(record._id)))).toEqual(record);
  });

  test('keeps text of every script, markup and emoji as typed', async () => {
    const record = await someRecord(name);
    const free = Object.entries(section.fields).filter(([, field]) => isFreeText(field) && !field.fixed);
    const values = Object.fromEntries(
      free.map(([field]) => [field, '<script>alert(1)</script> & "مرحبا" 👩🏽‍💻 é']),
    );
    const answer = await administrator.put(paths.update(record._id), values);
    expect(answer.status, answer.text).toBe(200);
    expect(recordOf(answer)).toEqual({ ...record, ...values });
    expect(
      (
        await administrator.put(
          paths.update(record._id),
          Object.fromEntries(free.map(([field]) => [field, record[field]])),
        )
      ).status,
    ).toBe(200);
  });

  test('refuses a save on a version that somebody else has replaced, and shows theirs', async () => {
    const record = await someRecord(name);
    // As Cloudflare hands it on.
    const etag = `W/${(await administrator.get(paths.read(record._id))).headers.get('ETag') ?? ''}`;
    const field =
      Object.entries(section.fields).find(([, { unique, fixed }]) => !unique && !fixed)?.[0] ?? '';
    const value = sampleOf(section)[field] ?? '';
    const first = await administrator.put(
      paths.update(record._id),
      { [field]: value },
      { headers: { 'If-Match': etag } },
    );
    expect(first.status, first.text).toBe(200);
    const second = await administrator.put(
      paths.update(record._id),
      { [field]: value },
      { headers: { 'If-Match': etag } },
    );
    expect(expectProblem(second, 412).current).toEqual({ ...record, [field]: value });
  });

  test('has a history that can be restored', async () => {
    const record = await someRecord(name);
    const changes = sampleOf(section, { withoutUnique: true });
    await administrator.put(paths.update(record._id), changes);
    const history = (await administrator.get(`/api/history/${record._id}`)).json as {
      version: number;
      action: string;
      by: string | null;
      before: Record<string, string> | null;
      after: Record<string, string> | null;
    }[];
    const { _id, ...values } = record;
    expect(history[0]).toMatchObject({
      action: 'updated',
      by: 'owner@agency.example',
      before: values,
      after: { ...values, ...changes },
    });
    const restored = await administrator.post(`/api/history/${_id}/restore`, {
      version: history[1]?.version,
    });
    expect(restored.status, restored.text).toBe(200);
    expect(recordOf(restored)).toEqual(record);
    expect(((await administrator.get(`/api/history/${_id}`)).json as typeof history)[0]).toMatchObject({
      action: 'restored',
    });
    expectProblem(await customer.get(`/api/history/${_id}`), 403);
  });

  test.runIf(section.kind === 'singleton')(
    'takes one record and leaves it alone when another is added',
    async () => {
      const before = recordsOf(await administrator.get(paths.list));
      const writers = await Promise.all(
        Array.from({ length: 5 }, () => administrator.post(paths.add ?? '', sampleOf(section))),
      );
      for (const answer of writers) expectProblem(answer, 409);
      expect(recordsOf(await administrator.get(paths.list))).toEqual(before);
      expect((await administrator.delete(paths.read(before[0]?._id ?? ''))).status).toBe(200);
      expect(recordsOf(await administrator.get(paths.list))).toEqual([]);
      const writerCount = fullSize ? 50 : 5;
      const racing = await Promise.all(
        Array.from({ length: writerCount }, () => administrator.post(paths.add ?? '', sampleOf(section))),
      );
      expect(racing.map(({ status }) => status).toSorted()).toEqual([
        201,
        ...Array<number>(writerCount - 1).fill(409),
      ]);
    },
  );

  test.runIf(paths.add !== undefined)('wants every field of its add form, and no other', async () => {
    const sample = sampleOf(section);
    const wanted = Object.entries(section.fields)
      .filter(([, field]) => !mayBeEmpty(field) && field.default === undefined)
      .map(([field]) => field);
    const without = { ...sample, ...Object.fromEntries(wanted.map((field) => [field, undefined])) };
    const missing = expectProblem(await administrator.post(paths.add ?? '', without), 422);
    expect(Object.keys(missing.errors ?? {}).toSorted()).toEqual(wanted.toSorted());
    const extra = expectProblem(
      await administrator.post(paths.add ?? '', { ...sample, noSuchField: 'x' }),
      422,
    );
    expect(Object.keys(extra.errors ?? {})).toEqual(['noSuchField']);
  });

  test.runIf(paths.canReorder)('is ordered, and loses what is removed', async () => {
    const added = [await addRecord(name), await addRecord(name)];
    const ids = recordsOf(await administrator.get(paths.list)).map(({ _id }) => _id);
    expect(ids.slice(-2)).toEqual(added.map(({ _id }) => _id));
    const reversed = ids.toReversed();
    const answer = await administrator.put(paths.list, { order: reversed });
    expect(answer.status, answer.text).toBe(200);
    expect(recordsOf(await administrator.get(paths.list)).map(({ _id }) => _id)).toEqual(reversed);
    expectProblem(await administrator.put(paths.list, { order: ids.slice(1) }), 422);
    expectProblem(await administrator.put(paths.list, { order: [...ids.slice(1), newId()] }), 422);
    await administrator.put(paths.list, { order: ids });
    for (const { _id } of added) expect((await administrator.delete(paths.read(_id))).status).toBe(200);
    const rest = recordsOf(await administrator.get(paths.list)).map(({ _id }) => _id);
    expect(rest).toEqual(ids.slice(0, -2));
  });
});
