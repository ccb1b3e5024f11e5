/** The form of a record: its values, the drafts that store them, and the merge with other people's changes. */
import type { SectionName } from '#contract/sections/index.ts';
import type { Values, VersionedRecord } from '../content-calls.ts';
import { checkValues } from './check-values.ts';
import { useTypedForm } from './form-store.ts';
import { labelsOf } from './record-changes.ts';
import { recordTitle } from './section-texts.ts';
import { useDraftId, useDraftRecovery } from './use-draft-recovery.ts';
import { useVersionedDraft, type VersionedDraftOptions } from './use-versioned-draft.ts';

interface RecordDraftOptions extends Omit<
  VersionedDraftOptions,
  'form' | 'title' | 'labels' | 'check' | 'update'
> {
  readonly name: SectionName;
  /** The labels of the form's fields; all fields of the section if undefined. */
  readonly labels?: VersionedDraftOptions['labels'];
  /**
   * @param etag the edited version; the server rejects an old one with 412 @param draftId the draft that the save
   *   deletes
   */
  readonly update: (values: Values, etag: string | undefined, draftId: string) => Promise<VersionedRecord>;
}

export function useRecordDraft({ name, update, ...options }: RecordDraftOptions) {
  const { record } = options.start;
  const form = { section: name, recordId: record._id };
  const own = useDraftId(form);
  const [draftId] = own;
  const versions = useVersionedDraft({
    labels: labelsOf(name),
    ...options,
    form,
    title: recordTitle(name, record),
    check: (values) => checkValues(name, values),
    update: (values, etag) => update(values, etag, draftId),
  });
  const { base, typedFrom, draft, changed, resumeDraft } = versions;
  const typed = { ...form, version: typedFrom, changed };
  useTypedForm({ ...typed, draftId, values: draft.values }, resumeDraft);
  return { versions, draftId, offer: useDraftRecovery({ ...typed, base: base.record, own }) };
}
