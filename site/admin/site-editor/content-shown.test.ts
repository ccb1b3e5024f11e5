import { describe, expect, test } from 'vitest';
import type { TypedForm } from '../content/editor/form-store.ts';
import { withTyped } from './content-shown.ts';

const faqItem = [
  { _id: 'a', accodingTitle: 'How long?', accodingText: 'A month.' },
  { _id: 'b', accodingTitle: 'How much?', accodingText: 'Little.' },
];
const form = (typed: Partial<TypedForm>): TypedForm => ({
  section: 'faqItem',
  version: 1,
  draftId: 'd',
  values: {},
  changed: {},
  ...typed,
});

describe('The page in the editor shows', () => {
  test('the typed text of the record that is being edited', () => {
    const changed = { accodingText: 'Typed.' };
    const typed = form({ recordId: 'b', values: { accodingTitle: 'How much?', ...changed }, changed });
    expect(withTyped({ faqItem }, [typed]).faqItem).toEqual([
      faqItem[0],
      { _id: 'b', accodingTitle: 'How much?', accodingText: 'Typed.' },
    ]);
  });

  test('a new record after all others, with every field of its section', () => {
    const values = { accodingTitle: 'New?' };
    expect(withTyped({ faqItem }, [form({ values, changed: values })]).faqItem?.at(-1)).toEqual({
      _id: 'new',
      accodingTitle: 'New?',
      accodingText: '',
    });
  });

  test('no new record while the form has only its preset values', () => {
    const begun = form({ values: { accodingTitle: '', accodingText: 'Preset' } });
    expect(withTyped({ faqItem }, [begun]).faqItem).toEqual(faqItem);
  });

  test('the text of a release in fields that no one changed', () => {
    const released = [{ ...faqItem[0], _id: 'a', accodingTitle: 'Of the release' }];
    const changed = { accodingText: 'Typed.' };
    const typed = form({ recordId: 'a', values: { accodingTitle: 'How long?', ...changed }, changed });
    expect(withTyped({ faqItem: released }, [typed], 'changed').faqItem).toEqual([
      { _id: 'a', accodingTitle: 'Of the release', accodingText: 'Typed.' },
    ]);
  });
});
