/** The edit screen of every section: the record's form with its preview, collisions with other editors, its history. */
import { useState } from 'react';
import { alertFor } from '../../../../worker/contract/section.ts';
import { sectionNamed, type SectionName } from '../../../../worker/contract/sections/index.ts';
import { Button, LinkButton } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useToast } from '../../../components/toast.tsx';
import { callErrorOf } from '../../shared/call-error.ts';
import {
  readRecord,
  restoreVersion,
  updateRecord,
  valuesOf,
  versioned,
  type VersionedRecord,
} from '../content-calls.ts';
import { checkValues } from '../editor/check-values.ts';
import { ClashPanel } from '../editor/clash-panel.tsx';
import { HistoryPanel } from '../editor/history-panel.tsx';
import { mergeVersions, type ClashingField } from '../editor/record-changes.ts';
import { RecordForm } from '../editor/record-form.tsx';
import { formHeading, recordTitle } from '../editor/section-texts.ts';
import { differs, useDraft } from '../editor/use-draft.ts';
import { WhenLoaded } from '../../shared/failure.tsx';
import { usePublish } from '../publishing.tsx';
import { ScreenFrame, type ScreenProps } from '../screen.tsx';
import { sectionTitle } from '../section-homes.ts';
import { useLoaded } from '../../shared/use-loaded.ts';

export default function EditRecord({ screen, id }: ScreenProps) {
  const [name] = screen.sections ?? [];
  if (!name) throw new Error(`The screen ${screen.pattern} edits no section.`);
  return <RecordScreen name={name} id={id} />;
}

function RecordScreen({ name, id }: { readonly name: SectionName; readonly id: string }) {
  const section = sectionNamed(name);
  const loaded = useLoaded(id, (signal) => readRecord(name, id, signal));
  const back = { href: section.screen.home, label: sectionTitle(section) };
  return (
    <ScreenFrame title={formHeading(name, 'edit')} back={back} intro={section.about}>
      {loaded.error?.status === 404 ? (
        <EmptyState
          title={`There is no such ${section.title.toLowerCase()}`}
          action={<LinkButton href={back.href}>Back to {back.label}</LinkButton>}
        >
          It may have been removed. Publications shows what was, and brings it back.
        </EmptyState>
      ) : (
        <WhenLoaded loaded={loaded} lines={10}>
          {(start) => <RecordEditor name={name} start={start} />}
        </WhenLoaded>
      )}
    </ScreenFrame>
  );
}

function RecordEditor({ name, start }: { readonly name: SectionName; readonly start: VersionedRecord }) {
  const section = sectionNamed(name);
  const showToast = useToast();
  const publish = usePublish();
  const [base, setBase] = useState(start);
  const [clash, setClash] = useState<readonly ClashingField[]>();
  const [saves, setSaves] = useState(0);
  const draft = useDraft(valuesOf(name, start.record), (values) => checkValues(name, 'update', values));

  const id = base.record._id;
  const baseValues = valuesOf(name, base.record);
  const isDirty = differs(draft.values, baseValues);

  function takeSaved(saved: VersionedRecord, done: string) {
    setBase(saved);
    setClash(undefined);
    setSaves((count) => count + 1);
    showToast(done);
    return valuesOf(name, saved.record);
  }

  const save = () =>
    draft.submit(
      async (values) => {
        const saved = versioned(await publish(() => updateRecord(name, id, values, base.etag)));
        return takeSaved(saved, alertFor(section, 'updated'));
      },
      async ({ status }) => {
        if (status !== 412) return false;
        const current = await readRecord(name, id);
        const theirs = valuesOf(name, current.record);
        const { fields, merged } = mergeVersions(name, { base: baseValues, mine: draft.values, theirs });
        setBase(current);
        setSaves((count) => count + 1);
        setClash(fields);
        draft.replace(merged);
        return true;
      },
    );

  async function restore(version: number) {
    try {
      const saved = versioned(await publish(() => restoreVersion(id, version)));
      draft.replace(takeSaved(saved, `Version ${version} restored`));
    } catch (error) {
      showToast(callErrorOf(error).message, 'danger');
    }
  }

  return (
    <>
      <RecordForm
        name={name}
        id={id}
        heading={recordTitle(name, base.record)}
        fields={Object.keys(section.fields)}
        draft={draft}
        isDirty={isDirty}
        saves={saves}
        saveLabel="Save"
        onSubmit={save}
        isMain
        actions={
          isDirty && (
            <Button
              variant="quiet"
              onClick={() => {
                draft.replace(baseValues);
                setClash(undefined);
              }}
            >
              Discard changes
            </Button>
          )
        }
      >
        {clash && (
          <ClashPanel
            fields={clash}
            values={draft.values}
            onChoose={(field, text) => draft.setValue(field, text)}
          />
        )}
      </RecordForm>
      <HistoryPanel name={name} id={id} saves={saves} isDirty={isDirty} onRestore={restore} />
    </>
  );
}
