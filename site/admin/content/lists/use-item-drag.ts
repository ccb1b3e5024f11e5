/**
 * Drags an item of a list by its handle, with mouse, pen or finger. The list reorders during the drag, and
 * scrolls at the edges of the window. Escape restores the old order.
 */
import { useCallback, useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { ContentRecord } from '../content-calls.ts';
import { moveItem } from './item-order.ts';

type Records = readonly ContentRecord[];

/** The distance from the window's edge at which a drag scrolls, and the step, in CSS pixels. */
const edge = { near: 72, step: 14 } as const;

interface Drag {
  readonly id: string;
  readonly order: Records;
}

/**
 * @param list the element whose children have their item's id in `data-item`
 * @param onDrop called with the new order and the moved item
 */
export function useItemDrag(
  list: RefObject<HTMLElement | null>,
  items: Records,
  onDrop: (items: Records, id: string) => void,
) {
  const [shown, setShown] = useState<Drag>();
  // The current order for the next event. The last move may not be rendered yet when the item is dropped.
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
    /** The items in their current order. */
    order: shown?.order ?? items,
    draggedId: shown?.id,
    startDrag: (id: string) => setDrag({ id, order: items }),
  };
}
