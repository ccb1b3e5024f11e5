/** The form of a record that a release adds: it can be edited there until the release is published. */
import { etagOf, versionOf } from '#contract/etag.ts';
import { linkTo } from '#contract/screens.ts';
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useReadOnce } from '#site/app/use-read-once.ts';
import { valuesOf, type VersionedRecord } from '../content-calls.ts';
import { checkValues } from '../editor/check-values.ts';
import { ConflictPanel } from '../editor/conflict-panel.tsx';
import { DiscardButton } from '../editor/edit-form.tsx';
import { DraftRecovery } from '../editor/draft-recovery.tsx';
import { labelsOf } from '../editor/record-changes.ts';
import { RecordForm } from '../editor/record-form.tsx';
import { formHeading, recordTitle } from '../editor/section-texts.ts';
import { changedFields } from '../editor/use-draft.ts';
import { useDraftId, useKeptRecord } from '../editor/use-draft-recovery.ts';
import { useVersionedDraft } from '../editor/use-versioned-draft.ts';
import { ScreenFrame } from '#site/admin/shell/screen.tsx';
import { addChange, readRelease } from './release-calls.ts';

export interface EditAddedProps {
  readonly name: SectionName;
  readonly id: string;
  readonly releaseId: string;
}

/** The change that adds a record; undefined once the release is published, or it is taken out. */
const findAdded = ({ status, changes }: Release, id: string): ReleaseChange | undefined =>
  changes.find(({ action, recordId }) => status === 'open' && action === 'add' && recordId === id);

export default function EditAdded({ name, id, releaseId }: EditAddedProps) {
  const query = useReadOnce('GET /release/:id', { id: releaseId });
  const back = { href: linkTo('release', releaseId), label: query.data?.data.title ?? 'Release' };
  return (
    <ScreenFrame
      title={formHeading(name, 'edit')}
      back={back}
      intro="A release adds it. Nobody else sees it until that is published."
    >
      <QueryBoundary query={query} lines={10}>
        {({ data: release }) => {
          const change = findAdded(release, id);
          return change ? (
            <AddedForm name={name} id={id} releaseId={releaseId} change={change} />
          ) : (
            <EmptyState
              title="This release does not add it any more"
              action={<LinkButton href={back.href}>Open the release</LinkButton>}
            >
              It may be live already, or taken out of the release.
            </EmptyState>
          );
        }}
      </QueryBoundary>
    </ScreenFrame>
  );
}

/** The record as the release has it; its version is that of the change. */
function recordOf({ section, recordId, changes, version }: ReleaseChange): VersionedRecord {
  const values = Object.fromEntries(changes.map(({ field, after }) => [field, after]));
  return { record: { _id: recordId ?? '', ...valuesOf(section, values) }, etag: etagOf(version) };
}

/** Below zero, so that its drafts are compared, field by field, with the record that the release has made live. */
const readVersion = (etag: string | undefined) => -versionOf(etag);

function AddedForm({ name, id, releaseId, change }: EditAddedProps & { readonly change: ReleaseChange }) {
  const showToast = useToast();
  const form = { section: name, recordId: id };
  const own = useDraftId(form);
  const find = (release: Release) => recordOf(findAdded(release, id) ?? change);
  const versions = useVersionedDraft({
    form,
    title: recordTitle(name, recordOf(change).record),
    labels: labelsOf(name),
    start: recordOf(change),
    readVersion,
    check: (values) => checkValues(name, values),
    read: async () => find(await readRelease(releaseId)),
    async update(values) {
      const { base } = versions;
      const changed = changedFields(values, valuesOf(name, base.record));
      const wanted = { ...form, action: 'update', values: changed, draftId: own[0] } as const;
      return find(await addChange(releaseId, wanted, versionOf(base.etag)));
    },
    onSaved: () => showToast('Changed in the release'),
  });
  const { base, draft, isDirty, resumeDraft } = versions;
  const offer = useKeptRecord(form, own, versions);
  return (
    <RecordForm
      name={name}
      heading={recordTitle(name, base.record)}
      fields={Object.keys(sectionNamed(name).fields)}
      draft={draft}
      isDirty={isDirty}
      saveLabel="Save in the release"
      onSubmit={versions.save}
      isMain
      actions={<DiscardButton {...versions} />}
    >
      <DraftRecovery offer={offer} onContinue={resumeDraft} />
      <ConflictPanel {...versions} />
    </RecordForm>
  );
}
