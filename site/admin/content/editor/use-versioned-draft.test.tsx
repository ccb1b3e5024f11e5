import { useState } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { etagOf, versionOf } from '#contract/etag.ts';
import { CallError } from '#site/app/call.ts';
import { useVersionedDraft, type VersionedDraft, type VersionedDraftOptions } from './use-versioned-draft.ts';

const record = { _id: 'f', accodingTitle: 'How long?', accodingText: 'Two weeks.' };
const options = {
  labels: { accodingTitle: 'Question', accodingText: 'Answer' },
  start: { record, etag: etagOf(2) },
  check: () => ({}),
  read: vi.fn<VersionedDraftOptions['read']>(),
  update: vi.fn<VersionedDraftOptions['update']>(),
  onSaved: vi.fn(),
};

/** The form after the user continues with a draft. @param version the version that the draft is based on */
function continueWith(accodingText: string, version: number, also: Partial<VersionedDraftOptions> = {}) {
  const show = vi.fn<(versions: VersionedDraft) => void>();
  function Form() {
    const versions = useVersionedDraft({ ...options, ...also });
    const [isContinued, setIsContinued] = useState(false);
    if (!isContinued) {
      setIsContinued(true);
      versions.resumeDraft({ accodingText }, version);
    }
    show(versions);
    return null;
  }
  renderToStaticMarkup(<Form />);
  const shown = show.mock.lastCall?.[0];
  if (!shown) throw new Error('The form was not shown.');
  return shown;
}

/** The values that the draft's author must choose between. */
const choicesOf = ({ conflict = [] }: VersionedDraft) => conflict.map(({ theirs, mine }) => [theirs, mine]);

test('An editor chooses between the draft and the live text, unless the draft is based on that version', () => {
  expect(choicesOf(continueWith('Mine.', 2))).toEqual([]);
  expect(choicesOf(continueWith('Mine.', 1))).toEqual([['Two weeks.', 'Mine.']]);
  // The change of a release that adds the record has separate versions.
  const ofChange = { readVersion: (etag: string | undefined) => -versionOf(etag) };
  expect(continueWith(record.accodingText, -2, ofChange).typedFrom).toBe(-2);
  expect(choicesOf(continueWith('Mine.', -2, ofChange))).toEqual([]);
  expect(choicesOf(continueWith('Mine.', -2))).toEqual([['Two weeks.', 'Mine.']]);
});

test('A save that is sent again after a lost response is not mistaken for someone else’s', async () => {
  const fail = (status: number) => Promise.reject(new CallError({ title: 'Error', status, detail: 'Why.' }));
  const saved = (accodingText: string, version: number) =>
    Promise.resolve({ record: { ...record, accodingText }, etag: etagOf(version) });
  const typed = continueWith('Mine. ', 2);
  options.update.mockReturnValueOnce(fail(0)).mockReturnValueOnce(fail(412));
  options.read.mockReturnValueOnce(saved('Mine.', 3));
  await typed.save();
  expect(options.onSaved).not.toHaveBeenCalled();
  await typed.save();
  expect(options.onSaved).toHaveBeenCalledOnce();
  // If someone else did save, nothing is overwritten.
  options.update.mockReturnValueOnce(fail(503)).mockReturnValue(fail(412));
  options.read.mockReturnValue(saved('Theirs.', 4));
  await typed.save();
  await typed.save();
  expect(options.onSaved).toHaveBeenCalledOnce();
  expect(options.update).toHaveBeenCalledTimes(4);
});
