/** All sections use the same code, so the API tests cover only three of them. */
import { expect, test, vi } from 'vitest';
import { splitCallName } from '#contract/call.ts';
import { addSchema, updateSchema } from '#contract/fields.ts';
import { routePattern } from '#contract/route-pattern.ts';
import { sectionCalls } from '#contract/section-calls.ts';
import { maxLengthOf, mayBeEmpty, type Field } from '#contract/section.ts';
import { sectionNamed, sectionNames } from '#contract/sections/index.ts';
import { contentTableOf } from '../db/content-tables.ts';
import { createApp } from '../http/app.ts';
import { mountEditing } from './routes.ts';

vi.mock('#site-renderer', () => ({ buildId: 'this-build', renderPage: () => Promise.resolve('') }));
vi.mock('cloudflare:workers', () => ({ exports: {} }));

test('One function mounts the calls of every section, and each literal defines its table', () => {
  const app = createApp();
  mountEditing(app);
  const mounted = app.routes.map(({ method, path }) => `${method} ${path}`);
  const verbs = new Map<string, Set<string>>();
  for (const name of sectionNames) {
    const { kind, fields } = sectionNamed(name);
    const calls = sectionCalls(name);
    for (const call of Object.values(calls)) {
      const [method, path] = splitCallName(call);
      expect(
        mounted.filter((route) => route === `${method} ${routePattern(path)}`),
        call,
      ).toHaveLength(1);
    }
    verbs.set(kind, new Set([...(verbs.get(kind) ?? []), ...Object.keys(calls)]));
    const columns = ['_id', 'version', 'position', ...Object.keys(fields)];
    expect(Object.keys(contentTableOf(name)).toSorted(), name).toEqual(
      expect.arrayContaining(columns.toSorted()),
    );
  }
  expect(Object.fromEntries(verbs)).toEqual({
    singleton: new Set(['list', 'add', 'read', 'update', 'remove']),
    list: new Set(['list', 'add', 'read', 'update', 'remove', 'reorder']),
    fixed: new Set(['list', 'read', 'update']),
  });
});

const isAddress = ({ kind }: Field) => kind === 'link' || kind === 'image' || kind === 'path';
const isAny = () => true;

const wrongValues: readonly (readonly [unknown, (field: Field) => boolean])[] = [
  [5, isAny],
  [null, isAny],
  ['a\u0000b', isAny],
  [' \n ', (field) => !mayBeEmpty(field)],
  ['javascript:alert(1)', isAddress],
  ['//evil.example', isAddress],
];

test('Every field of every section rejects values of the wrong kind, values that are too long, and missing values', () => {
  const refusedFields = ({
    error,
  }: {
    readonly error?: { readonly issues: readonly { path: readonly PropertyKey[] }[] };
  }) => error?.issues.map(({ path }) => path[0]);
  for (const name of sectionNames) {
    const section = sectionNamed(name);
    const all = Object.entries(section.fields);
    const changing = all.filter(([, { fixed }]) => !fixed);
    const refused = (values: readonly (readonly [string, unknown])[]) =>
      refusedFields(updateSchema(section).safeParse(Object.fromEntries(values)));
    for (const [value, isRefusedBy] of wrongValues) {
      const refusing = changing.filter(([, field]) => isRefusedBy(field)).map(([field]) => field);
      const told = refused(refusing.map((field) => [field, value]));
      expect(told ?? [], `${name} ${JSON.stringify(value)}`).toEqual(refusing);
    }
    const tooLong = changing.map(([field, one]) => [field, 'x'.repeat(maxLengthOf(one) + 1)] as const);
    expect(refused(tooLong), name).toEqual(changing.map(([field]) => field));
    const wanted = all.filter(([, field]) => !mayBeEmpty(field) && field.default === undefined);
    expect(refusedFields(addSchema(section).safeParse({})) ?? [], name).toEqual(
      wanted.map(([field]) => field),
    );
  }
});
