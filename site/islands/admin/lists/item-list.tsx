/**
 * Items in their order: each leads to its edit screen, can be moved by drag, by buttons and by arrow
 * keys on its handle, and removed with the way back left standing in its place.
 */
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { pageCount } from '#contract/paging.ts';
import { Button, LinkButton } from '#components/button.tsx';
import { Pagination } from '#components/pagination.tsx';
import type { ContentRecord } from '../content-calls.ts';
import { moveItem, placeForKey } from './item-order.ts';
import { useItemDrag } from './use-item-drag.ts';
import css from './item-list.module.css';

/** What the list says of its items, and what can be done with them. */
export interface ItemKind {
  readonly titleOf: (record: ContentRecord) => string;
  /** A line below the title; none where it is empty. */
  readonly summaryOf: (record: ContentRecord) => string;
  /** What is searched. */
  readonly textsOf: (record: ContentRecord) => readonly string[];
  /** Stands before the title: a decoration, or else the number by which people know the item. */
  readonly pictureOf?: (record: ContentRecord) => ReactNode;
  readonly numberOf?: (record: ContentRecord) => string;
  /** Where the item of an id is edited, and what the link says. */
  readonly edit?: { readonly linkTo: (id: string) => string; readonly label: string };
  readonly canRemove: boolean;
  readonly canReorder: boolean;
}

export interface ItemListProps {
  readonly kind: ItemKind;
  readonly records: readonly ContentRecord[];
  /** Items that were removed here, still shown in their places. */
  readonly removedIds: ReadonlySet<string>;
  readonly onReorder: (records: readonly ContentRecord[]) => void;
  readonly onRemove: (record: ContentRecord) => void;
  readonly onUndo: (id: string) => void;
}

/** Lists longer than this offer a search. */
const searchableFrom = 12;
const itemsPerPage = 50;

const titleId = (record: ContentRecord) => `title-${record._id}`;
const handleId = (id: string) => `handle-${id}`;

export function ItemList({ kind, records, removedIds, onReorder, onRemove, onUndo }: ItemListProps) {
  const [wanted, setWanted] = useState('');
  const [chosenPage, setChosenPage] = useState(1);
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const { order, draggedId, startDrag } = useItemDrag(list, records, reorder);

  const words = wanted.trim().toLowerCase();
  const found = words
    ? order.filter((record) => kind.textsOf(record).some((text) => text.toLowerCase().includes(words)))
    : order;
  const pages = pageCount(found.length, itemsPerPage);
  const page = Math.min(chosenPage, pages);
  const offset = (page - 1) * itemsPerPage;
  const canMove = kind.canReorder && !words && records.length > 1;

  /** The focus follows an item that moved to another page, or to an end, where the button that moved it rests. */
  const followedId = useRef<string>(undefined);
  useEffect(() => {
    if (followedId.current !== undefined) document.getElementById(handleId(followedId.current))?.focus();
    followedId.current = undefined;
  });

  /** Takes a new order, and says where the item that was moved now stands. */
  function reorder(next: readonly ContentRecord[], id: string) {
    const place = next.findIndex(({ _id }) => _id === id);
    const moved = next[place];
    if (moved) setSaid(`${kind.titleOf(moved)} moved to place ${place + 1} of ${next.length}.`);
    onReorder(next);
  }

  function move(record: ContentRecord, to: number) {
    const next = moveItem(records, records.indexOf(record), to);
    if (next === records) return;
    const place = next.indexOf(record);
    const target = Math.floor(place / itemsPerPage) + 1;
    if (target !== page || place === 0 || place === next.length - 1) followedId.current = record._id;
    setChosenPage(target);
    reorder(next, record._id);
  }

  return (
    <div className={css['items']}>
      <p aria-live="polite" className="visually-hidden">
        {said}
      </p>
      {records.length > searchableFrom && (
        <div className={css['find']}>
          <input
            type="search"
            aria-label={`Find in ${records.length} items`}
            placeholder={`Find in ${records.length} items`}
            value={wanted}
            onChange={({ target }) => {
              setWanted(target.value);
              setChosenPage(1);
            }}
          />
          {words && (
            <span role="status">
              {found.length} of {records.length}
            </span>
          )}
        </div>
      )}
      <ol ref={list} className={css['list']} start={offset + 1}>
        {found.slice(offset, offset + itemsPerPage).map((record, index) =>
          removedIds.has(record._id) ? (
            <li key={record._id} className={css['removed']}>
              <span>{kind.titleOf(record)} is removed.</span>
              <UndoButton onClick={() => onUndo(record._id)} />
            </li>
          ) : (
            <Item
              key={record._id}
              kind={kind}
              record={record}
              place={offset + index}
              count={records.length}
              canMove={canMove}
              isDragged={record._id === draggedId}
              onGrab={() => startDrag(record._id)}
              onMove={(to) => move(record, to)}
              onRemove={() => onRemove(record)}
            />
          ),
        )}
      </ol>
      {words && found.length === 0 && <p>Nothing here has these words.</p>}
      <Pagination page={page} pageCount={pages} onPage={setChosenPage} label="Pages of items" />
    </div>
  );
}

interface ItemProps {
  readonly kind: ItemKind;
  readonly record: ContentRecord;
  /** Place in the whole list, from 0. */
  readonly place: number;
  readonly count: number;
  readonly canMove: boolean;
  readonly isDragged: boolean;
  readonly onGrab: () => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

function Item({ kind, record, place, count, canMove, isDragged, onGrab, onMove, onRemove }: ItemProps) {
  const title = kind.titleOf(record);
  return (
    <li className={css['item']} data-item={record._id} data-dragged={isDragged || undefined}>
      {canMove && (
        <button
          type="button"
          id={handleId(record._id)}
          className={css['handle']}
          aria-label={`Move ${title}: place ${place + 1} of ${count}`}
          aria-keyshortcuts="ArrowUp ArrowDown Home End"
          title="Drag, or use the arrow keys"
          onPointerDown={(event) => {
            if (event.button === 0) onGrab();
          }}
          onKeyDown={(event: KeyboardEvent) => {
            const to = placeForKey(event.key, place, count);
            if (to === undefined) return;
            event.preventDefault();
            onMove(to);
          }}
        >
          <GripVertical size={20} aria-hidden="true" />
        </button>
      )}
      <ItemFace kind={kind} record={record} />
      <div className={css['actions']}>
        <EditLink kind={kind} record={record} />
        {canMove && (
          <>
            <IconButton label={`Move ${title} up`} disabled={place === 0} onClick={() => onMove(place - 1)}>
              <ArrowUp size={18} aria-hidden="true" />
            </IconButton>
            <IconButton
              label={`Move ${title} down`}
              disabled={place === count - 1}
              onClick={() => onMove(place + 1)}
            >
              <ArrowDown size={18} aria-hidden="true" />
            </IconButton>
          </>
        )}
        {kind.canRemove && (
          <IconButton label={`Remove ${title}`} onClick={onRemove}>
            <Trash2 size={18} aria-hidden="true" />
          </IconButton>
        )}
      </div>
    </li>
  );
}

/** What stands for a record: its picture or number, its title, which leads to its edit screen, and its text. */
function ItemFace({ kind, record }: Pick<ItemProps, 'kind' | 'record'>) {
  const { edit, numberOf, pictureOf } = kind;
  const title = kind.titleOf(record);
  const summary = kind.summaryOf(record);
  return (
    <>
      <span className={css['picture']} aria-hidden={numberOf === undefined || undefined}>
        {numberOf ? numberOf(record) : pictureOf?.(record)}
      </span>
      <div className={css['words']}>
        <h3 id={titleId(record)} className={css['title']}>
          {edit ? <a href={edit.linkTo(record._id)}>{title}</a> : title}
        </h3>
        {summary !== '' && <p className={css['text']}>{summary}</p>}
      </div>
    </>
  );
}

/** Takes the focus from the delete button that it replaces. */
function UndoButton({ onClick }: { readonly onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <Button ref={button} variant="secondary" size="small" onClick={onClick}>
      Undo
    </Button>
  );
}

function EditLink({ kind: { edit }, record }: Pick<ItemProps, 'kind' | 'record'>) {
  if (!edit) return null;
  return (
    <LinkButton
      href={edit.linkTo(record._id)}
      variant="secondary"
      size="small"
      aria-describedby={titleId(record)}
    >
      {edit.label}
    </LinkButton>
  );
}

function IconButton({
  label,
  ...button
}: { readonly label: string } & Pick<Parameters<typeof Button>[0], 'disabled' | 'onClick' | 'children'>) {
  return <Button {...button} variant="quiet" size="small" aria-label={label} title={label} />;
}
