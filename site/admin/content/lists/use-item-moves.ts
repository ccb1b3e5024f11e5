/** Moves the items of a paged list by dragging, with buttons and with keys, and announces the result. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ContentRecord } from '../content-calls.ts';
import { handleId } from './item.tsx';
import { moveItem } from './item-order.ts';
import { useItemDrag } from './use-item-drag.ts';

type Records = readonly ContentRecord[];

export interface ItemMovesOptions {
  readonly list: RefObject<HTMLElement | null>;
  readonly records: Records;
  readonly titleOf: (record: ContentRecord) => string;
  readonly onReorder: (records: Records) => void;
}

/** The visible page of the list, from 1. If an item moves to another page, that page opens. */
export interface ShownPage {
  readonly page: number;
  readonly itemsPerPage: number;
  readonly setPage: (page: number) => void;
}

export function useItemMoves({ list, records, titleOf, onReorder }: ItemMovesOptions) {
  const [said, setSaid] = useState('');
  const { order, draggedId, startDrag } = useItemDrag(list, records, reorder);

  /**
   * The item that the focus follows, because it moved to another page, or to an end, where the pressed button is
   * disabled.
   */
  const followedId = useRef<string>(undefined);
  useEffect(() => {
    if (followedId.current !== undefined) document.getElementById(handleId(followedId.current))?.focus();
    followedId.current = undefined;
  });

  /** Applies a new order, and announces the item's new position. */
  function reorder(next: Records, id: string) {
    const place = next.findIndex(({ _id }) => _id === id);
    const moved = next[place];
    if (moved) setSaid(`${titleOf(moved)} moved to place ${place + 1} of ${next.length}.`);
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
