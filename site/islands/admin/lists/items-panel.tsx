/** A list of items that can be moved, removed and put back, with what each of it takes at the server. */
import { useEffect, useRef, useState } from 'react';
import { Inbox } from 'lucide-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { useToast } from '../../../components/toast.tsx';
import { callErrorOf } from '../../shared/call-error.ts';
import { useUnsavedGuard } from '../../shared/use-unsaved-guard.ts';
import type { ContentRecord } from '../content-calls.ts';
import { Panel } from '../screen.tsx';
import { ItemList, type ItemKind } from './item-list.tsx';
import { putBack } from './item-order.ts';

/** Puts a removed item back, at the end of the list. @returns the id that it has now */
export type Undo = () => Promise<string>;

export interface ItemsPanelProps {
  readonly title: string;
  /** What people call one of the items. */
  readonly itemTitle: string;
  readonly kind: ItemKind;
  /** The items as they were last read. */
  readonly listed: readonly ContentRecord[];
  readonly onList: () => Promise<readonly ContentRecord[]>;
  /** @param order every id of the list, in the new order */
  readonly onReorder: (order: readonly string[]) => Promise<unknown>;
  readonly onRemove: (record: ContentRecord) => Promise<Undo>;
  /** The list is to be read anew. */
  readonly onChange: () => void;
}

/** How long after the last move a new order is saved, so that several moves are one save. */
const orderSettlesMs = 700;

/** An item that was removed here: how it comes back, and the order in which it stood. */
interface Removal {
  readonly record: ContentRecord;
  readonly undo: Undo;
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

export function ItemsPanel(props: ItemsPanelProps) {
  const { title, itemTitle, kind, listed, onList, onReorder, onRemove, onChange } = props;
  const showToast = useToast();
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
      await onReorder(idsOf(next).filter((id) => !removedIds.has(id)));
    }, 'Items reordered');
    setMoved((current) => (current === next ? undefined : current));
  }

  const remove = (record: ContentRecord) =>
    change(async () => {
      const undo = await onRemove(record);
      setRemovals((all) => [...all, { record, undo, order: idsOf(records) }]);
    }, `${itemTitle} removed`);

  const undo = ({ record, undo: restore, order }: Removal) =>
    change(async () => {
      const id = await restore();
      setRemovals((all) => all.filter((removal) => removal.record._id !== record._id));
      const now = idsOf(await onList());
      const formerOrder = order.map((one) => (one === record._id ? id : one));
      const wanted = putBack(formerOrder, id, now);
      if (wanted.some((one, index) => one !== now[index])) await onReorder(wanted);
    }, `${itemTitle} restored`);

  return (
    <Panel title={title} aside={<span>{records.length - removals.length}</span>}>
      {records.length === 0 ? (
        <EmptyState title="Nothing here yet" icon={<Inbox aria-hidden="true" />}>
          What you add with the form above will be listed here.
        </EmptyState>
      ) : (
        <ItemList
          kind={kind}
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
  );
}
