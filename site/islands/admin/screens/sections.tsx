/** The home screen of every section: the link to what is there, the form for what is not, the list of items. */
import { useEffect, useRef, useState } from 'react';
import { Inbox } from 'lucide-react';
import { alertFor } from '../../../../worker/contract/section.ts';
import { pathFor } from '../../../../worker/contract/screens.ts';
import { isShown, sectionNamed, type SectionName } from '../../../../worker/contract/sections/index.ts';
import { LinkButton } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useToast } from '../../../components/toast.tsx';
import { callErrorOf } from '../../shared/call-error.ts';
import {
  addRecord,
  can,
  listRecords,
  removeRecord,
  reorderRecords,
  restoreVersion,
  type ContentRecord,
} from '../content-calls.ts';
import { checkValues } from '../editor/check-values.ts';
import { PreviewFrame } from '../editor/preview-frame.tsx';
import { RecordForm } from '../editor/record-form.tsx';
import { formHeading, recordTitle } from '../editor/section-texts.ts';
import { differs, useDraft } from '../editor/use-draft.ts';
import { useUnsavedGuard } from '../../shared/use-unsaved-guard.ts';
import { WhenLoaded } from '../../shared/failure.tsx';
import { ItemList } from '../lists/item-list.tsx';
import { putBack } from '../lists/item-order.ts';
import { usePublish } from '../publishing.tsx';
import { Panel, ScreenFrame, type ScreenProps } from '../screen.tsx';
import { sectionHomes, sectionTitle } from '../section-homes.ts';
import { useLoaded } from '../../shared/use-loaded.ts';

export default function SectionsScreen({ screen }: ScreenProps) {
  const sections = screen.sections ?? [];
  const home = sectionHomes.find((candidate) => candidate.sections[0] === sections[0]);
  return (
    <ScreenFrame
      title={home?.title ?? 'Site content'}
      back={{ href: '/setting', label: 'Site content' }}
      intro={home?.about}
    >
      {sections.map((name) => (
        <SectionBlock key={name} name={name} isAlone={sections.length === 1} />
      ))}
    </ScreenFrame>
  );
}

/** @param isAlone whether the screen has no other section, and so none whose form shows the preview */
function SectionBlock({ name, isAlone }: { readonly name: SectionName; readonly isAlone: boolean }) {
  const loaded = useLoaded(name, (signal) => listRecords(name, signal));
  return (
    <WhenLoaded loaded={loaded}>
      {(records) => (
        <>
          {sectionNamed(name).kind === 'singleton' ? (
            <Singleton name={name} record={records[0]} onChange={loaded.reload} />
          ) : (
            <Items name={name} listed={records} onChange={loaded.reload} />
          )}
          {isAlone && <AsShown name={name} record={records[0]} />}
        </>
      )}
    </WhenLoaded>
  );
}

/** The section as visitors see it, unless the form for a new record shows it already. */
function AsShown({
  name,
  record,
}: {
  readonly name: SectionName;
  readonly record: ContentRecord | undefined;
}) {
  const hasForm = can(name, 'add') && (sectionNamed(name).kind === 'list' || !record);
  if (!record || hasForm || !isShown(name)) return null;
  return <PreviewFrame section={name} id={record._id} values={record} generation={0} />;
}

/** The add form while the section is empty, otherwise the link to what is there. */
function Singleton({
  name,
  record,
  onChange,
}: {
  readonly name: SectionName;
  readonly record: ContentRecord | undefined;
  readonly onChange: () => void;
}) {
  const section = sectionNamed(name);
  const { screen, title } = section;
  if (!record) return <AddForm name={name} onAdded={onChange} isMain />;
  return (
    <Panel
      title={title}
      aside={
        screen.edit && <LinkButton href={pathFor(screen.edit, record._id)}>{screen.editLink}</LinkButton>
      }
    >
      <p>{recordTitle(name, record)}</p>
    </Panel>
  );
}

function AddForm({
  name,
  onAdded,
  isMain = false,
}: {
  readonly name: SectionName;
  readonly onAdded: () => void;
  readonly isMain?: boolean;
}) {
  const section = sectionNamed(name);
  const showToast = useToast();
  const publish = usePublish();
  const [adds, setAdds] = useState(0);
  const asked = Object.entries(section.fields).filter(([, field]) => field.editOnly !== true);
  const blank = Object.fromEntries(asked.map(([field, { default: start = '' }]) => [field, start]));
  const draft = useDraft(blank, (values) => checkValues(name, 'add', values));
  return (
    <RecordForm
      name={name}
      heading={formHeading(name, 'add')}
      fields={asked.map(([field]) => field)}
      draft={draft}
      isDirty={differs(draft.values, blank)}
      saves={adds}
      saveLabel="Add"
      isMain={isMain}
      onSubmit={() =>
        draft.submit(async (values) => {
          await publish(() => addRecord(name, values));
          showToast(alertFor(section, 'added'));
          setAdds((count) => count + 1);
          onAdded();
          return blank;
        })
      }
    />
  );
}

/** How long after the last move a new order is saved, so that several moves are one save. */
const orderSettlesMs = 700;

/** An item that was removed here: its last version, and the order in which it stood. */
interface Removal {
  readonly record: ContentRecord;
  readonly version: number;
  readonly order: readonly string[];
}

const idsOf = (records: readonly ContentRecord[]) => records.map(({ _id }) => _id);

/** The records with the removed ones in their old places. */
function withRemoved(
  records: readonly ContentRecord[],
  removals: readonly Removal[],
): readonly ContentRecord[] {
  const known = new Map(
    [...records, ...removals.map(({ record }) => record)].map((each) => [each._id, each]),
  );
  const removedIds = new Set(removals.map(({ record }) => record._id));
  const kept = idsOf(records).filter((id) => !removedIds.has(id));
  return removals
    .reduce<readonly string[]>((ids, { record, order }) => putBack(order, record._id, ids), kept)
    .flatMap((id) => known.get(id) ?? []);
}

/** The add form, and the items in their order. */
function Items({
  name,
  listed,
  onChange,
}: {
  readonly name: SectionName;
  readonly listed: readonly ContentRecord[];
  readonly onChange: () => void;
}) {
  const section = sectionNamed(name);
  const showToast = useToast();
  const publish = usePublish();
  /** The order as it was moved here, until the server has it. */
  const [moved, setMoved] = useState<readonly ContentRecord[]>();
  const [removals, setRemovals] = useState<readonly Removal[]>([]);
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined);
  useUnsavedGuard(moved !== undefined);
  useEffect(() => () => clearTimeout(settling.current), []);

  const removedIds = new Set(removals.map(({ record }) => record._id));
  const records = moved ?? withRemoved(listed, removals);

  /** Makes a change, tells of it, and reads the list anew, also when the change failed. */
  async function change(make: () => Promise<void>, done: string) {
    try {
      await make();
      showToast(done);
    } catch (error) {
      showToast(callErrorOf(error).message, 'danger');
    }
    onChange();
  }

  function reorder(next: readonly ContentRecord[]) {
    setMoved(next);
    clearTimeout(settling.current);
    settling.current = setTimeout(() => void saveOrder(next), orderSettlesMs);
  }

  async function saveOrder(next: readonly ContentRecord[]) {
    await change(async () => {
      const order = idsOf(next).filter((id) => !removedIds.has(id));
      await publish(() => reorderRecords(name, order));
    }, 'Items reordered');
    setMoved((current) => (current === next ? undefined : current));
  }

  const remove = (record: ContentRecord) =>
    change(async () => {
      const { headers } = await publish(() => removeRecord(name, record._id));
      const version = Number(headers.get('ETag')?.replaceAll('"', ''));
      setRemovals((all) => [...all, { record, version, order: idsOf(records) }]);
    }, `${section.title} removed`);

  const undo = ({ record, version, order }: Removal) =>
    change(async () => {
      await publish(() => restoreVersion(record._id, version));
      setRemovals((all) => all.filter((removal) => removal.record._id !== record._id));
      const now = idsOf(await listRecords(name));
      const wanted = putBack(order, record._id, now);
      if (wanted.some((id, index) => id !== now[index])) await publish(() => reorderRecords(name, wanted));
    }, `${section.title} restored`);

  return (
    <>
      {can(name, 'add') && <AddForm name={name} onAdded={onChange} />}
      <Panel title={sectionTitle(section)} aside={<span>{records.length - removals.length}</span>}>
        {records.length === 0 ? (
          <EmptyState title="Nothing here yet" icon={<Inbox aria-hidden="true" />}>
            What you add with the form above will be listed here.
          </EmptyState>
        ) : (
          <ItemList
            name={name}
            records={records}
            removedIds={removedIds}
            onReorder={reorder}
            onRemove={(record) => void remove(record)}
            onUndo={(id) => {
              const removal = removals.find(({ record }) => record._id === id);
              if (removal) void undo(removal);
            }}
          />
        )}
      </Panel>
    </>
  );
}
