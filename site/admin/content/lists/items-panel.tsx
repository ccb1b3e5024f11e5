/** A list whose items can be moved, removed and restored, with the requests to the server. */
import type { ContentRecord } from '#contract/section-calls.ts';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { refetchScreen } from '#site/app/query.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { useLossGuard } from '../editor/use-loss-guard.ts';
import type { ItemKind } from './item.tsx';
import { ItemList } from './item-list.tsx';
import { putBack } from './item-order.ts';
import { row } from '#site/ui/layout.ts';
import css from './item-list.module.css';

/** Restores a removed item at the end of the list. @returns its new id */
export type Undo = () => Promise<string>;

interface ItemsPanelProps {
  readonly title: string;
  /** The noun for one item. */
  readonly itemTitle: string;
  readonly kind: ItemKind;
  /** The items as last loaded. */
  readonly listed: readonly ContentRecord[];
  readonly onList: () => Promise<readonly ContentRecord[]>;
  /** @param order all ids of the list in the new order @param seen the ids in the previous order */
  readonly onReorder: (order: readonly string[], seen: readonly string[]) => Promise<unknown>;
  /**
   * Handles a new order without a save, for example by adding it to a release.
   * @param seen the ids in the previous order
   * @param onDone resets the list to the live order
   */
  readonly orderElsewhere?: (
    order: readonly string[],
    seen: readonly string[],
    onDone: () => void,
  ) => ReactNode;
  readonly onRemove: (record: ContentRecord) => Promise<Undo>;
  readonly mayRemove?: (record: ContentRecord) => Promise<boolean>;
  /** Shows that a change is saved; by default in a toast without a link. */
  readonly showDone?: (text: string) => void;
}

/** The delay before a new order is saved, in ms, so that several moves become one save. */
const orderSettlesMs = 700;

interface Removal {
  readonly record: ContentRecord;
  readonly undo: Undo;
  readonly order: readonly string[];
}

const idsOf = (records: readonly ContentRecord[]) => records.map(({ _id }) => _id);

/** Returns the records with the removed ones at their old positions. */
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

type Records = readonly ContentRecord[];

/**
 * An order that was changed on the screen, until the reloaded list has it. The order is not saved while the user is
 * dragging, and not at all if it is for a release.
 * @param save returns whether the server has accepted the order
 */
function useMovedOrder(listed: Records, save: (next: Records, seen: readonly string[]) => Promise<boolean>) {
  const [latest, setMoved] = useState<Records>();
  /** The order that the server has accepted, and the list's previous order. */
  const [taken, setTaken] = useState<{ readonly moved: Records; readonly listed: Records }>();
  const moved = taken && taken.moved === latest && taken.listed !== listed ? undefined : latest;
  const [isForRelease, setIsForRelease] = useState(false);
  const [seen, setSeen] = useState<readonly string[]>([]);
  const waiting = useRef<Records>(undefined);
  /** The saves of a series of moves, one after another. Each is based on the order of the previous one. */
  const saving = useRef<Promise<readonly string[] | undefined>>(Promise.resolve(undefined));
  useUnsavedGuard(moved !== undefined);
  useLossGuard(
    isForRelease && moved
      ? 'You have not added the new order to a release yet. You will lose it.'
      : undefined,
  );

  const settle = useEffectEvent(() => {
    const { current: next } = waiting;
    waiting.current = undefined;
    if (!next) return;
    saving.current = saving.current.then(async (before) => {
      if (await save(next, before ?? seen)) {
        setTaken({ moved: next, listed });
        return idsOf(next);
      }
      setMoved((current) => (current === next ? undefined : current));
      return before;
    });
  });
  useEffect(() => {
    const timer = setTimeout(() => settle(), orderSettlesMs);
    return () => clearTimeout(timer);
  }, [moved]);
  // The user may open another section before the order is saved.
  useEffect(() => () => settle(), []);

  function reorder(next: Records) {
    if (!moved) {
      setSeen(idsOf(listed));
      saving.current = Promise.resolve(undefined);
    }
    setMoved(next);
    if (!isForRelease) waiting.current = next;
  }

  function endForRelease() {
    setIsForRelease(false);
    setMoved(undefined);
  }

  return { moved, seen, reorder, isForRelease, startForRelease: () => setIsForRelease(true), endForRelease };
}

interface ItemChange {
  readonly make: () => Promise<unknown>;
  readonly done: string;
}

function useItems({ itemTitle, listed, onList, onReorder, onRemove, showDone = showToast }: ItemsPanelProps) {
  const { mutateAsync } = useMutation({
    mutationFn: ({ make }: ItemChange) => make(),
    toastsError: true,
    onSuccess: (_, { done }) => showDone(done),
    onError: () => void refetchScreen(),
  });
  const [removals, setRemovals] = useState<readonly Removal[]>([]);
  const removedIds = new Set(removals.map(({ record }) => record._id));

  /** @returns whether it succeeded */
  const change = (make: () => Promise<unknown>, done: string): Promise<boolean> =>
    mutateAsync({ make, done }).then(
      () => true,
      () => false,
    );

  const orderOf = (next: readonly ContentRecord[]) => idsOf(next).filter((id) => !removedIds.has(id));
  const order = useMovedOrder(listed, (next, seen) =>
    change(() => onReorder(orderOf(next), seen), 'Items reordered'),
  );
  const { moved } = order;
  const records = moved ?? withRemoved(listed, removals);

  const remove = (record: ContentRecord) =>
    change(async () => {
      const undo = await onRemove(record);
      setRemovals((all) => [...all, { record, undo, order: idsOf(records) }]);
    }, `${itemTitle} removed`);

  async function undo(removedId: string) {
    const removal = removals.find(({ record }) => record._id === removedId);
    if (!removal) return;
    await change(async () => {
      const id = await removal.undo();
      setRemovals((all) => all.filter(({ record }) => record._id !== removedId));
      const now = idsOf(await onList());
      const formerOrder = removal.order.map((one) => (one === removedId ? id : one));
      const wanted = putBack(formerOrder, id, now);
      if (wanted.some((one, index) => one !== now[index])) await onReorder(wanted, now);
    }, `${itemTitle} restored`);
  }

  return { ...order, orderForRelease: moved && orderOf(moved), records, removedIds, remove, undo };
}

export function ItemsPanel(props: ItemsPanelProps) {
  const { title, kind, orderElsewhere, mayRemove } = props;
  const items = useItems(props);
  const { records, removedIds, isForRelease, reorder, remove, undo } = items;
  const count = records.length - removedIds.size;
  async function removeIfSure(record: ContentRecord) {
    if (!mayRemove || (await mayRemove(record))) await remove(record);
  }
  return (
    <Card title={title} aside={<span>{count}</span>}>
      {records.length === 0 ? (
        <EmptyState title="Nothing here yet">What you add will be listed here.</EmptyState>
      ) : (
        <ItemList
          kind={isForRelease ? { ...kind, canRemove: false } : kind}
          records={records}
          removedIds={removedIds}
          onReorder={reorder}
          onRemove={(record) => void removeIfSure(record)}
          onUndo={(id) => void undo(id)}
        />
      )}
      {orderElsewhere && kind.canReorder && count > 1 && (
        <OrderForRelease items={items} orderElsewhere={orderElsewhere} />
      )}
    </Card>
  );
}

/** The actions for an order that is not saved automatically. */
function OrderForRelease({
  items: { moved, seen, orderForRelease, isForRelease, startForRelease, endForRelease },
  orderElsewhere,
}: Required<Pick<ItemsPanelProps, 'orderElsewhere'>> & { readonly items: ReturnType<typeof useItems> }) {
  if (!isForRelease)
    return (
      <div className="flush">
        <Button variant="quiet" size="small" disabled={moved !== undefined} onClick={startForRelease}>
          Reorder in a release
        </Button>
      </div>
    );
  return (
    <div className={row(3, css['forRelease'])}>
      <p>Move the items into their new order. Visitors see it once the release is published.</p>
      {orderForRelease && orderElsewhere(orderForRelease, seen, endForRelease)}
      <Button variant="quiet" onClick={endForRelease}>
        Cancel
      </Button>
    </div>
  );
}
