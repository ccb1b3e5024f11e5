import { beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { markSent, showTyped, typedForm } from './form-store.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

/** A form that was closed during its save. */
function leftForm() {
  const key = { section: 'banner', recordId: newId() } as const;
  const sent = { bannerHeading: 'Sent', bannerText: 'Sent too' };
  const values = { ...sent, bannerText: 'Typed after that' };
  showTyped({ ...key, version: 1, draftId: newId(), values, changed: values });
  return { key, sent, values };
}

test('A form that was closed during its save does not come back with the saved values', () => {
  const { key, values } = leftForm();
  markSent(key, values, 2);
  expect(typedForm(key)).toBeUndefined();
});

test('Text typed after the save was sent is kept when the editor leaves the form', () => {
  const { key, sent, values } = leftForm();
  markSent(key, sent, 2);
  expect(typedForm(key)).toMatchObject({ version: 2, changed: { bannerText: 'Typed after that' } });
  expect(typedForm(key)?.changed).not.toHaveProperty('bannerHeading');
  // Leaves no draft to save to the other test files of this process.
  markSent(key, values);
});
