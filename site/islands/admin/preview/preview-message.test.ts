import { describe, expect, test } from 'vitest';
import { isPreviewDraft, isPreviewReport, withDraft } from './preview-message.ts';

const records = [
  { _id: 'a', logo: '/a.svg' },
  { _id: 'b', logo: '/b.svg' },
];

describe('The preview shows', () => {
  test('what is typed in place of the record being edited', () => {
    expect(withDraft(records, { id: 'b', values: { logo: '/typed.svg' } })).toEqual([
      { _id: 'a', logo: '/a.svg' },
      { _id: 'b', logo: '/typed.svg' },
    ]);
  });

  test('a record that is being added after all others', () => {
    expect(withDraft(records, { id: undefined, values: { logo: '/new.svg' } }).at(-1)).toEqual({
      _id: 'new',
      logo: '/new.svg',
    });
  });
});

test('An empty form shows only what is there', () => {
  expect(withDraft(records, { id: undefined, values: { logo: ' ' } })).toEqual(records);
});

describe('The preview of a long list shows', () => {
  const long = Array.from({ length: 500 }, (_, index) => ({ _id: String(index), logo: `/${index}.svg` }));
  const shown = (id: string | undefined) =>
    withDraft(long, { id, values: { logo: '/typed.svg' } }).map(({ _id, logo }) =>
      logo === '/typed.svg' ? 'typed' : _id,
    );

  test.each(['0', '3', '250', '499'])('the record %s that is edited, and those around it', (id) => {
    expect(shown(id)).toHaveLength(12);
    expect(shown(id)).toContain('typed');
  });

  test('its end while a record is added', () => {
    expect(shown(undefined).slice(-3)).toEqual(['498', '499', 'typed']);
  });
});

describe('A message is taken for what it is', () => {
  test('a draft names a section of the registry', () => {
    const draft = { type: 'draft', section: 'logo', id: 'a', values: {}, generation: 0 };
    expect(isPreviewDraft(draft)).toBe(true);
    expect(isPreviewDraft({ ...draft, section: 'constructor' })).toBe(false);
    expect(isPreviewDraft({ ...draft, values: 'text' })).toBe(false);
    expect(isPreviewDraft(null)).toBe(false);
    expect(isPreviewDraft('draft')).toBe(false);
  });

  test('a height is a number', () => {
    expect(isPreviewReport({ type: 'ready' })).toBe(true);
    expect(isPreviewReport({ type: 'height', height: 480 })).toBe(true);
    expect(isPreviewReport({ type: 'height', height: '480' })).toBe(false);
    expect(isPreviewReport({ type: 'draft' })).toBe(false);
  });
});
