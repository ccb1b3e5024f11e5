/**
 * Dragging an item of a list by its handle, with mouse, pen or finger. The list is put in order while the item moves,
 * and what it stands in scrolls at the edges of the window; Escape puts everything back.
 */
import { useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { moveItem } from './item-order.ts';

interface Item {
  readonly _id: string;
}

/** How near the edge of the window a drag scrolls the page, and by how much at a time, in CSS pixels. */
const edge = { near: 72, step: 14 } as const;

interface Drag<T> {
  readonly id: string;
  readonly order: readonly T[];
}

export interface ItemDrag<T> {
  /** The items as they stand now. */
  readonly order: readonly T[];
  readonly draggedId: string | undefined;
  readonly startDrag: (id: string) => void;
}

/**
 * @param list the element whose children carry their item's id as `data-item`
 * @param onDrop takes the new order, and which item was moved
 */
export function useItemDrag<T extends Item>(
  list: RefObject<HTMLElement | null>,
  items: readonly T[],
  onDrop: (items: readonly T[], id: string) => void,
): ItemDrag<T> {
  const [shown, setShown] = useState<Drag<T>>();
  // What the next event goes on from: the last move may not have been rendered yet when the item is let go.
  const current = useRef<Drag<T>>(undefined);
  const setDrag = useCallback((drag: Drag<T> | undefined) => {
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

  // On the window, because an item that changes its place in the document loses the capture of the pointer.
  const isDragging = shown !== undefined;
  useEffect(() => {
    if (!isDragging) return undefined;
    const ended = new AbortController();
    const { signal } = ended;
    const cancel = () => setDrag(undefined);
    addEventListener('pointermove', (event) => follow(event), { signal });
    addEventListener('pointerup', () => drop(), { signal });
    addEventListener('pointercancel', cancel, { signal });
    // Before all else that listens there: a form is left by Escape too.
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
    startDrag: (id) => setDrag({ id, order: items }),
  };
}
