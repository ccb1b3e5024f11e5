/** The form of a record that a release adds: it can be edited there until the release is published. */
import type { Release, ReleaseChange } from '#contract/releases.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { Button } from '#components/button.tsx';
import { valuesOf, type VersionedRecord } from '../content-calls.ts';
import { checkValues } from '../editor/check-values.ts';
import { ConflictPanel } from '../editor/conflict-panel.tsx';
import { KeptDraft } from '../editor/kept-draft.tsx';
import { labelsOf } from '../editor/record-changes.ts';
import { RecordForm } from '../editor/record-form.tsx';
import { recordTitle } from '../editor/section-texts.ts';
import { changedFields } from '../editor/use-draft.ts';
import { useDraftId, useKeptDraft } from '../editor/use-kept-draft.ts';
import { useVersionedDraft } from '../editor/use-versioned-draft.ts';
import { addChange, readRelease } from './release-calls.ts';

export interface EditAddedProps {
  readonly releaseId: string;
  readonly change: ReleaseChange;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** The record as the release has it; its version is that of the change. */
function recordOf({ section, recordId, changes, version }: ReleaseChange): VersionedRecord {
  const values = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
  return { record: { _id: recordId ?? '', ...valuesOf(section, values) }, etag: `"${version}"` };
}

export default function EditAdded({ releaseId, change, onSaved, onClose }: EditAddedProps) {
  const { section } = change;
  const recordId = change.recordId ?? '';
  const find = ({ changes }: Release) => recordOf(changes.find(({ _id }) => _id === change._id) ?? change);
  const start = recordOf(change);
  const own = useDraftId();
  const versions = useVersionedDraft({
    labels: labelsOf(section),
    start,
    check: (values) => checkValues(section, values),
    read: async () => find(await readRelease(releaseId)),
    update: async (values, etag) => {
      const wanted = {
        section,
        action: 'update',
        recordId,
        values: changedFields(values, valuesOf(section, versions.base.record)),
      } as const;
      return find(await addChange(releaseId, wanted, Number(etag?.replaceAll('"', ''))));
    },
    onSaved,
  });
  const { base, draft, isDirty, changed, goOnWith } = versions;
  const offer = useKeptDraft({
    section,
    recordId,
    version: change.version,
    base: base.record,
    changed,
    isBusy: draft.isBusy,
    own,
  });
  return (
    <RecordForm
      name={section}
      heading={recordTitle(section, base.record)}
      fields={Object.keys(sectionNamed(section).fields)}
      draft={draft}
      isDirty={isDirty}
      saveLabel="Save in the release"
      onSubmit={versions.save}
      actions={
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <KeptDraft offer={offer} onContinue={goOnWith} />
      <ConflictPanel {...versions} />
    </RecordForm>
  );
}
