/** Tests the checks of an edit that come before its pages are rendered. */
import { expect, test, vi } from 'vitest';
import { sectionNames } from '#contract/sections/index.ts';
import type { Edit } from '../content/edits.ts';
import type { StoredContent } from '../content/stored.ts';
import { applyEdit, type PlanContext } from './plan.ts';

vi.mock('#site-renderer', () => ({}));

test('An edit that did not read the long text of a record cannot save the record without it', async () => {
  const empty = Object.fromEntries(sectionNames.map((name) => [name, []])) as unknown as StoredContent;
  const values = { title: 'One loan', slug: 'one-loan', kind: 'guide', publishedOn: '2026-11-25' };
  const before = { _id: 'a', version: 1, position: 0, values };
  const after = { ...before, version: 2, values: { ...values, title: 'Two loans' } };
  const edit: Edit = { changesTo: () => [{ section: 'article', action: 'updated', before, after }] };
  const context = { env: { SITE_TIMEZONE: 'UTC' } } as PlanContext;
  await expect(applyEdit({ ...empty, article: [before] }, edit, context)).rejects.toThrow('lost a long text');
});
