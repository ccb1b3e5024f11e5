/**
 * An ordered list of items. Items can be moved by dragging, with buttons or with arrow keys, and removed, with undo.
 */
import { useRef, useState } from 'react';
import { pageCount as countPages } from '#contract/paging.ts';
import type { ContentRecord } from '#contract/section-calls.ts';
import { Pagination } from '#site/ui/pagination.tsx';
import { SearchField } from '#site/ui/search-field.tsx';
import { Item, RemovedItem, type ItemKind } from './item.tsx';
import { useItemMoves } from './use-item-moves.ts';
import { row, stack } from '#site/ui/layout.ts';
import css from './item-list.module.css';

interface ItemListProps {
  readonly kind: ItemKind;
  readonly records: readonly ContentRecord[];
  /** Items that were removed on this screen. They keep their positions. */
  readonly removedIds: ReadonlySet<string>;
  readonly onReorder: (records: readonly ContentRecord[]) => void;
  readonly onRemove: (record: ContentRecord) => void;
  readonly onUndo: (id: string) => void;
}

const searchableFrom = 12;

export function ItemList({ kind, records, removedIds, onReorder, onRemove, onUndo }: ItemListProps) {
  const list = useRef<HTMLOListElement>(null);
  const moves = useItemMoves({ list, records, titleOf: kind.titleOf, onReorder });
  const items = useFoundItems(moves.order, kind.textsOf);
  const { found, isSearched, offset } = items;
  const canMove = kind.canReorder && !isSearched && records.length > 1;
  return (
    <div className={stack(3)}>
      <p aria-live="polite" className="visually-hidden">
        {moves.said}
      </p>
      {records.length > searchableFrom && (
        <div className={row(3, css['find'])}>
          <SearchField
            label={`Find in ${records.length} items`}
            value={items.wanted}
            onChange={items.search}
          />
          {isSearched && (
            <span role="status">
              {found.length} of {records.length}
            </span>
          )}
        </div>
      )}
      <ol ref={list} className={css['list']} start={offset + 1}>
        {items.shown.map((record, index) =>
          removedIds.has(record._id) ? (
            <RemovedItem key={record._id} kind={kind} record={record} onUndo={() => onUndo(record._id)} />
          ) : (
            <Item
              key={record._id}
              kind={kind}
              record={record}
              place={offset + index}
              count={records.length}
              canMove={canMove}
              isDragged={record._id === moves.draggedId}
              onGrab={() => moves.startDrag(record._id)}
              onMove={(to) => moves.move(record, to, items)}
              onRemove={() => onRemove(record)}
            />
          ),
        )}
      </ol>
      {isSearched && found.length === 0 && <p>No items match your search.</p>}
      <Pagination list={items} label="Pages of items" />
    </div>
  );
}

const itemsPerPage = 50;

function useFoundItems(
  records: readonly ContentRecord[],
  textsOf: (record: ContentRecord) => readonly string[],
) {
  const [wanted, setWanted] = useState('');
  const [chosenPage, setPage] = useState(1);
  const words = wanted.trim().toLowerCase();
  const found = words
    ? records.filter((record) => textsOf(record).some((text) => text.toLowerCase().includes(words)))
    : records;
  const pageCount = countPages(found.length, itemsPerPage);
  const page = Math.min(chosenPage, pageCount);
  const offset = (page - 1) * itemsPerPage;
  return {
    wanted,
    search: (typed: string) => {
      setWanted(typed);
      setPage(1);
    },
    isSearched: words !== '',
    found,
    page,
    pageCount,
    setPage,
    itemsPerPage,
    /** The index in `found` of the first visible item. */
    offset,
    shown: found.slice(offset, offset + itemsPerPage),
  };
}
