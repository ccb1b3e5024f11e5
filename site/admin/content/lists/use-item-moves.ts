/** Moves the items of a paged list by dragging, with buttons and with keys, and announces the result. */
import type { ContentRecord } from '#contract/section-calls.ts';
import { useEffect, useRef, useState, type RefObject, useCallback, useEffectEvent } from 'react';
import { handleId } from './item.tsx';
import { moveItem } from './item-order.ts';

type Records = readonly ContentRecord[];

interface ItemMovesOptions {
  readonly list: RefObject<HTMLElement | null>;
  readonly records: Records;
  readonly titleOf: (record: ContentRecord) => string;
  readonly onReorder: (records: Records) => void;
}

/** The visible page of the list, from 1. If an item moves to another page, that page opens. */
interface ShownPage {
  readonly page: number;
  readonly itemsPerPage: number;
  readonly setPage: (page: number) => void;
}

export function useItemMoves({ list, records, titleOf, onReorder }: ItemMovesOptions) {
  const [said, setSaid] = useState('');
  const { order, draggedId, startDrag } = useItemDrag(list, records, reorder);

  /** The item that the focus follows to another page, or to an end, where the pressed button is disabled. */
  const followedId = useRef<string>(undefined);
  useEffect(() => {
    if (followedId.current !== undefined) document.getElementById(handleId(followedId.current))?.focus();
    followedId.current = undefined;
  });

  function reorder(next: Records, id: string) {
    const place = next.findIndex(({ _id }) => _id === id);
    const moved = next[place];
    if (moved) setSaid(`${titleOf(moved)} moved to position ${place + 1} of ${next.length}.`);
    onReorder(next);
  }

  function move(record: ContentRecord, to: number, { page, itemsPerPage, setPage }: ShownPage) {
    const next = moveItem(records, records.indexOf(record), to);
    if (next === records) return;
    const place = next.indexOf(record);
    const target = Math.floor(place / itemsPerPage) + 1;
    if (target !== page || place === 0 || place === next.length - 1) followedId.current = record._id;
    setPage(target);
    reorder(next, record._id);
  }

  /** `order` is the current order, even during a drag; `said` is the text for screen readers. */
  return { order, draggedId, startDrag, move, said };
}

/** The distance from the window's edge at which a drag scrolls, and the step, in CSS pixels. */
const edge = { near: 72, step: 14 } as const;

interface Drag {
  readonly id: string;
  readonly order: Records;
}

/**
 * Drags an item of a list by its handle, with mouse, pen or finger. The list reorders during the drag, and scrolls at
 * the edges of the window. Escape restores the old order.
 * @param list the element whose children have their item's id in `data-item`
 * @param onDrop called with the new order and the moved item
 */
function useItemDrag(
  list: RefObject<HTMLElement | null>,
  items: Records,
  onDrop: (items: Records, id: string) => void,
) {
  const [shown, setShown] = useState<Drag>();
  // The current order for the next event. When the item is dropped, the last move may not be rendered yet.
  const current = useRef<Drag>(undefined);
  const setDrag = useCallback((drag: Drag | undefined) => {
    current.current = drag;
    setShown(drag);
  }, []);

  const follow = useEffectEvent((event: PointerEvent) => {
    const drag = current.current;
    if (!drag) return;
    const scroller = list.current?.closest('[data-scrolls]');
    const scroll = (by: number) => {
      scroller?.scrollBy(0, by);
      scrollBy(0, by);
    };
    if (event.clientY < edge.near) scroll(-edge.step);
    else if (event.clientY > innerHeight - edge.near) scroll(edge.step);
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-item]');
    if (!over || !list.current?.contains(over)) return;
    const placeOf = (id: string | undefined) => drag.order.findIndex(({ _id }) => _id === id);
    const to = placeOf(over.dataset['item']);
    if (to >= 0) setDrag({ id: drag.id, order: moveItem(drag.order, placeOf(drag.id), to) });
  });
  const drop = useEffectEvent(() => {
    const drag = current.current;
    if (drag && drag.order !== items) onDrop(drag.order, drag.id);
    setDrag(undefined);
  });

  // The listeners are on the window, because an element that moves in the document loses the pointer capture.
  const isDragging = shown !== undefined;
  useEffect(() => {
    if (!isDragging) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const cancel = () => setDrag(undefined);
    addEventListener('pointermove', (event) => follow(event), { signal });
    addEventListener('pointerup', () => drop(), { signal });
    addEventListener('pointercancel', cancel, { signal });
    // Runs before all other listeners, because Escape also closes forms.
    addEventListener(
      'keydown',
      (event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        cancel();
      },
      { signal, capture: true },
    );
    return () => ended.abort();
  }, [isDragging, setDrag]);

  return {
    order: shown?.order ?? items,
    draggedId: shown?.id,
    startDrag: (id: string) => setDrag({ id, order: items }),
  };
}
