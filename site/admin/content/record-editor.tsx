/** The form of a live record, with its conflicts and its history. */
import { versionOf } from '#contract/etag.ts';
import { alertFor } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { Button } from '#site/ui/button.tsx';
import {
  callOf,
  can,
  readRecord,
  restoreVersion,
  updateRecord,
  versioned,
  type VersionedRecord,
} from './content-calls.ts';
import { ConflictPanel } from './editor/conflict-panel.tsx';
import { HistoryPanel } from './editor/history-panel.tsx';
import { DiscardButton } from './editor/edit-form.tsx';
import { DraftRecovery } from './editor/draft-recovery.tsx';
import { RecordForm } from './editor/record-form.tsx';
import { recordTitle } from './editor/section-texts.ts';
import { useRecordDraft } from './editor/use-record-draft.ts';
import type { VersionedDraft } from './editor/use-versioned-draft.ts';
import { AddToRelease } from './releases/add-to-release.tsx';
import { publish, showSaved } from '../shell/publishing.tsx';
import { undoMark } from '../shell/use-clear-undo.ts';
import { CallError } from '#site/app/call.ts';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { useReadOnce } from '#site/app/query.ts';

const ExistingChangeNotice = lazyPart(() => import('./releases/existing-change-notice.tsx'));

/** Restores a version. If someone else has saved in the meantime, shows their changes. */
async function restoreInForm(
  name: SectionName,
  { base: { record, etag }, draft, take }: VersionedDraft,
  wanted: number,
): Promise<void> {
  const before = draft.now();
  try {
    take(versioned(await publish(() => restoreVersion(record._id, wanted, etag))), before);
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 412) throw error;
    take(await readRecord(name, record._id), before);
    const detail = 'Someone else saved this after you. The form now shows their version.';
    throw new CallError({ ...error.problem, detail });
  }
}

/** A version to restore, and the toast after it. */
interface Wanted {
  readonly version: number;
  readonly done: string;
}

export function RecordEditor({
  name,
  start,
}: {
  readonly name: SectionName;
  readonly start: VersionedRecord;
}) {
  const section = sectionNamed(name);
  const id = start.record._id;
  const { versions, draftId, offer } = useRecordDraft({
    name,
    start,
    read: () => readRecord(name, id),
    update: async (values, etag, draftId) =>
      versioned(await publish(() => updateRecord(name, id, values, etag, draftId))),
    onSaved() {
      showSaved(alertFor(section, 'updated'));
    },
  });
  const { base, saves, isDirty } = versions;
  const version = versionOf(base.etag);

  const restore = useMutation({
    mutationFn: (wanted: Wanted) => restoreInForm(name, versions, wanted.version),
    toastsError: true,
    onSuccess: (_, { done }) => showSaved(done),
  });

  return (
    <>
      <RecordForm
        name={name}
        heading={recordTitle(name, base.record)}
        fields={Object.keys(section.fields)}
        {...versions}
        saveLabel="Save"
        onSubmit={versions.save}
        isMain
        actions={
          <>
            <ReleaseButton name={name} versions={versions} draftId={draftId} />
            <DiscardButton {...versions} />
            {!isDirty && version > 1 && (
              <Button
                {...undoMark}
                variant="quiet"
                busy={restore.isPending}
                onClick={() => restore.mutate({ version: version - 1, done: 'Last save undone' })}
              >
                Undo the last save
              </Button>
            )}
          </>
        }
      >
        <ConflictPanel {...versions} section={name} />
        <DraftRecovery offer={offer} onContinue={versions.resumeDraft} />
        <ExistingChangeNotice recordId={id} changed={versions.changed} />
      </RecordForm>
      <HistoryPanel
        name={name}
        id={id}
        saves={saves}
        isDirty={isDirty}
        restoring={restore.isPending ? restore.variables.version : undefined}
        onRestore={(wanted) => restore.mutate({ version: wanted, done: `Version ${wanted} restored` })}
      />
    </>
  );
}

/** The form of a single-record section, on the section's home screen. */
export default function OnlyRecord({ name, id }: { readonly name: SectionName; readonly id: string }) {
  return (
    <QueryBoundary query={useReadOnce(callOf(name, 'read'), { id })} lines={8}>
      {(answer) => <RecordEditor name={name} start={versioned(answer)} />}
    </QueryBoundary>
  );
}

/**
 * Adds the typed changes to a release. If nothing was typed, it adds the removal of the record. The two buttons have
 * keys, so that the focus does not stay on a button that now removes the record.
 */
function ReleaseButton({
  name,
  versions: { base, isDirty, changed, sendElsewhere },
  draftId,
}: {
  readonly name: SectionName;
  readonly versions: VersionedDraft;
  readonly draftId: string;
}) {
  const recordId = base.record._id;
  if (isDirty)
    return (
      <AddToRelease
        key="update"
        change={{ section: name, action: 'update', recordId, values: changed, draftId }}
        onSend={sendElsewhere}
      />
    );
  return (
    can(name, 'remove') && (
      <AddToRelease
        key="remove"
        label="Schedule removal"
        change={{ section: name, action: 'remove', recordId, version: versionOf(base.etag) }}
      />
    )
  );
}
