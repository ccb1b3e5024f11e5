/** Moving the items of a list that is shown in pages: by drag, by buttons and by keys, and what is said of it. */
import { useEffect, useRef, useState, type RefObject } from 'react';
import type { ContentRecord } from '../content-calls.ts';
import { handleId } from './item.tsx';
import { moveItem } from './item-order.ts';
import { useItemDrag } from './use-item-drag.ts';

type Records = readonly ContentRecord[];

export interface ItemMovesOptions {
  /** The element that holds the items. */
  readonly list: RefObject<HTMLElement | null>;
  readonly records: Records;
  readonly titleOf: (record: ContentRecord) => string;
  readonly onReorder: (records: Records) => void;
}

/** What is shown of the list: its page, from 1, and how an item that leaves the page takes the page with it. */
export interface ShownPage {
  readonly page: number;
  readonly itemsPerPage: number;
  readonly setPage: (page: number) => void;
}

export function useItemMoves({ list, records, titleOf, onReorder }: ItemMovesOptions) {
  const [said, setSaid] = useState('');
  const { order, draggedId, startDrag } = useItemDrag(list, records, reorder);

  /** The focus follows an item that moved to another page, or to an end, where the button that moved it rests. */
  const followedId = useRef<string>(undefined);
  useEffect(() => {
    if (followedId.current !== undefined) document.getElementById(handleId(followedId.current))?.focus();
    followedId.current = undefined;
  });

  /** Takes a new order, and says where the item that was moved now stands. */
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

  /** `order` is the list as it stands, also in the midst of a drag; `said` is for screen readers. */
  return { order, draggedId, startDrag, move, said };
}
