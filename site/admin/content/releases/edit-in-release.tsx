/** The form of a record that a release adds or changes. It is edited in the release until the release is published. */
import { useState } from 'react';
import { etagOf, versionOf } from '#contract/etag.ts';
import { linkTo } from '#contract/screens.ts';
import type { Release, ReleaseChange } from '#contract/releases.calls.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useReadOnce } from '#site/app/query.ts';
import { callOf, readRecord, valuesOf, versioned, type VersionedRecord } from '../content-calls.ts';
import { ConflictPanel } from '../editor/conflict-panel.tsx';
import { DiscardButton } from '../editor/edit-form.tsx';
import { DraftRecovery } from '../editor/draft-recovery.tsx';
import { RecordForm } from '../editor/record-form.tsx';
import { formHeading, recordTitle } from '../editor/section-texts.ts';
import { changedFields } from '../editor/use-draft.ts';
import { useRecordDraft } from '../editor/use-record-draft.ts';
import { ScreenFrame } from '#site/admin/shell/screen.tsx';
import { addChange, readRelease } from './release-calls.ts';

interface EditInReleaseProps {
  readonly name: SectionName;
  readonly id: string;
  readonly releaseId: string;
}

/** The change that adds or updates a record; undefined once the release is published or no longer contains it. */
const findChange = ({ status, changes }: Release, id: string): ReleaseChange | undefined =>
  changes.find(
    ({ action, recordId }) =>
      status === 'open' && recordId === id && (action === 'add' || action === 'update'),
  );

export default function EditInRelease({ name, id, releaseId }: EditInReleaseProps) {
  const query = useReadOnce('GET /release/:id', { id: releaseId });
  const back = { href: linkTo('release', releaseId), label: query.data?.data.title ?? 'Release' };
  const change = query.data && findChange(query.data.data, id);
  const toRelease = <LinkButton href={back.href}>Open the release</LinkButton>;
  return (
    <ScreenFrame
      title={formHeading(name, 'edit')}
      back={back}
      intro={
        change?.action === 'update'
          ? 'This is the version in the release. Visitors see the live version until the release is published.'
          : 'This is new in the release. Visitors see it once the release is published.'
      }
    >
      <QueryBoundary query={query} lines={10}>
        {() => {
          if (!change)
            return (
              <EmptyState title="This change is no longer in the release" action={toRelease}>
                The change may already be live, or someone removed it from the release.
              </EmptyState>
            );
          // This form does not show what someone else has published, so the user must choose between the two versions
          // first.
          if (change.conflict?.kind === 'changed' || change.conflict?.kind === 'removed')
            return (
              <EmptyState title="The live version has changed in the meantime" action={toRelease}>
                {change.conflict.detail} Choose in the release what to publish. Then you can continue here.
              </EmptyState>
            );
          const form = { name, id, releaseId, change };
          return change.action === 'add' ? <Form {...form} /> : <UpdatedForm {...form} />;
        }}
      </QueryBoundary>
    </ScreenFrame>
  );
}

interface FormProps extends EditInReleaseProps {
  readonly change: ReleaseChange;
  /** The live version of a record that the release changes. */
  readonly live?: VersionedRecord;
}

function UpdatedForm(props: FormProps) {
  const { name, id } = props;
  return (
    <QueryBoundary query={useReadOnce(callOf(name, 'read'), { id })} lines={10}>
      {(answer) => <Form {...props} live={versioned(answer)} />}
    </QueryBoundary>
  );
}

/** Returns the record and its change's version in the release, or the live record if there is no change. */
function recordOf(
  { name, id }: Pick<FormProps, 'name' | 'id'>,
  live: VersionedRecord | undefined,
  change: ReleaseChange | undefined,
): VersionedRecord {
  const changed = Object.fromEntries((change?.changes ?? []).map(({ field, after }) => [field, after]));
  return {
    record: { _id: id, ...valuesOf(name, { ...live?.record, ...changed }) },
    etag: etagOf(change?.version ?? 0),
  };
}

/** Negative, so that drafts of the live record are compared with it field by field. */
const readVersion = (etag: string | undefined) => -versionOf(etag);

function Form({ name, id, releaseId, change, live }: FormProps) {
  /** The live record as last loaded. */
  const [current, setCurrent] = useState(live);
  const { versions, offer } = useRecordDraft({
    name,
    start: recordOf({ name, id }, live, change),
    readVersion,
    async read() {
      const now = live && (await readRecord(name, id));
      setCurrent(now);
      return recordOf({ name, id }, now, findChange(await readRelease(releaseId), id));
    },
    async update(values, _etag, draftId) {
      const { base } = versions;
      const changed = changedFields(values, valuesOf(name, base.record));
      const wanted = {
        section: name,
        recordId: id,
        action: 'update',
        values: changed,
        version: current && versionOf(current.etag),
        draftId,
      } as const;
      const change = await addChange(releaseId, wanted, versionOf(base.etag));
      return recordOf({ name, id }, current, change ?? undefined);
    },
    onSaved: () => showToast('Changed in the release'),
  });
  return (
    <RecordForm
      name={name}
      heading={recordTitle(name, versions.base.record)}
      fields={Object.keys(sectionNamed(name).fields)}
      {...versions}
      saveLabel="Save in the release"
      onSubmit={versions.save}
      isMain
      actions={<DiscardButton {...versions} />}
    >
      <ConflictPanel {...versions} section={name} />
      <DraftRecovery offer={offer} onContinue={versions.resumeDraft} />
    </RecordForm>
  );
}
