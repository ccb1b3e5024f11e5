/** Changes in a release that depend on each other. */
import { expect, test } from 'vitest';
import { sections } from '#contract/sections/index.ts';
import type { StoredContent } from './stored.ts';
import { releaseEdit, type SectionChange } from './release-edit.ts';

const redirect = (_id: string, from: string, position: number) => ({
  _id,
  version: 1,
  position,
  values: { from, to: '/contact' },
});

const content = {
  ...(Object.fromEntries(Object.keys(sections).map((name) => [name, []])) as unknown as StoredContent),
  redirect: [redirect('one', '/a', 1), redirect('two', '/b', 2)],
};

const update = (recordId: string, base: string, from: string): SectionChange => ({
  section: 'redirect',
  action: 'update',
  recordId,
  value: { from },
  base: { from: base },
});

test('A change is applied after the change of the same release that frees its address', () => {
  const toFreed = update('one', '/a', '/b');
  const removal: SectionChange = {
    section: 'redirect',
    action: 'remove',
    recordId: 'two',
    base: { from: '/b', to: '/contact' },
  };
  const added: SectionChange = {
    section: 'redirect',
    action: 'add',
    recordId: 'three',
    value: { from: '/a', to: '/' },
  };
  const changes = releaseEdit([added, toFreed, removal]).changesTo(content);
  expect(changes.map(({ action, after }) => [action, after?.values['from']])).toEqual([
    ['removed', undefined],
    ['updated', '/b'],
    ['added', '/a'],
  ]);
});

test('A release with two changes that block each other is rejected with the reason', () => {
  const swap = [update('one', '/a', '/b'), update('two', '/b', '/a')];
  expect(() => releaseEdit(swap).changesTo(content)).toThrow(
    /^2 changes conflict .* Another .* already uses “/,
  );
});
