/** One item of a list: its picture, title and link, and the controls that move and remove it. */
import type { ContentRecord } from '#contract/section-calls.ts';
import type { ReactNode } from 'react';
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { placeForKey } from './item-order.ts';
import { takeFocus } from '#site/ui/focus-heading.ts';
import { undoMark } from '#site/admin/shell/use-clear-undo.ts';
import { cluster, row, spread } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import iconButton from '#site/ui/icon-button.module.css';
import wholeLink from '#site/ui/whole-link.module.css';
import css from './item-list.module.css';

export interface ItemKind {
  readonly titleOf: (record: ContentRecord) => string;
  /** A short text next to the title; may be empty. */
  readonly summaryOf: (record: ContentRecord) => string;
  /** The item's status in a word. */
  readonly badgesOf?: (record: ContentRecord) => ReactNode;
  /** A notice below the item's line. */
  readonly marksOf?: (record: ContentRecord) => ReactNode;
  readonly textsOf: (record: ContentRecord) => readonly string[];
  /** Shown before the title: a decoration, or the item's number. */
  readonly pictureOf?: (record: ContentRecord) => ReactNode;
  readonly numberOf?: (record: ContentRecord) => string;
  /** The URL of an item's edit screen, and the link text. */
  readonly edit?: { readonly linkTo: (id: string) => string; readonly label: string };
  readonly canRemove: boolean;
  readonly canReorder: boolean;
  /** Whether a title that is too long for a phone, such as an email, wraps instead of being cut off. */
  readonly wrapsTitle?: true;
}

const titleId = (record: ContentRecord) => `title-${record._id}`;
export const handleId = (id: string) => `handle-${id}`;

interface ItemProps {
  readonly kind: ItemKind;
  readonly record: ContentRecord;
  /** The index in the whole list, from 0. */
  readonly place: number;
  readonly count: number;
  readonly canMove: boolean;
  readonly isDragged: boolean;
  readonly onGrab: () => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

export function Item(props: ItemProps) {
  const { kind, record, place, count, canMove, isDragged, onMove, onRemove } = props;
  const title = kind.titleOf(record);
  return (
    <li className={row([0, 2], css['item'])} data-item={record._id} data-dragged={isDragged || undefined}>
      {canMove && <Handle {...props} title={title} />}
      <ItemFace kind={kind} record={record} />
      <div className={row(1, css['actions'])}>
        <div className={css['moves']}>
          {canMove && (
            <>
              <IconButton label={`Move ${title} up`} disabled={place === 0} onClick={() => onMove(place - 1)}>
                <ArrowUp size="1.125rem" />
              </IconButton>
              <IconButton
                label={`Move ${title} down`}
                disabled={place === count - 1}
                onClick={() => onMove(place + 1)}
              >
                <ArrowDown size="1.125rem" />
              </IconButton>
            </>
          )}
          {kind.canRemove && (
            <IconButton label={`Remove ${title}`} onClick={onRemove}>
              <Trash2 size="1.125rem" />
            </IconButton>
          )}
        </div>
        {kind.edit && (
          <LinkButton
            href={kind.edit.linkTo(record._id)}
            variant="secondary"
            size="small"
            aria-describedby={titleId(record)}
          >
            {kind.edit.label}
          </LinkButton>
        )}
      </div>
      {kind.marksOf && <div className={css['marks']}>{kind.marksOf(record)}</div>}
    </li>
  );
}

type HandleProps = Pick<ItemProps, 'record' | 'place' | 'count' | 'onGrab' | 'onMove'> & {
  readonly title: string;
};

function Handle({ record, title, place, count, onGrab, onMove }: HandleProps) {
  return (
    <button
      type="button"
      id={handleId(record._id)}
      className={classNames(iconButton['icon'], css['handle'])}
      aria-label={`Move ${title}: position ${place + 1} of ${count}`}
      aria-keyshortcuts="ArrowUp ArrowDown Home End"
      title="Drag, or use the arrow keys"
      onPointerDown={(event) => {
        if (event.button === 0) onGrab();
      }}
      onKeyDown={(event) => {
        const to = placeForKey(event.key, place, count);
        if (to === undefined) return;
        event.preventDefault();
        onMove(to);
      }}
    >
      <GripVertical size="1.25rem" />
    </button>
  );
}

/** A record in the list: its picture or number, the title with its link, the text, and the badges. */
function ItemFace({ kind, record }: Pick<ItemProps, 'kind' | 'record'>) {
  const { edit, badgesOf, numberOf, pictureOf, wrapsTitle } = kind;
  const title = kind.titleOf(record);
  const summary = kind.summaryOf(record);
  return (
    <>
      <span className={css['picture']} aria-hidden={numberOf === undefined || undefined}>
        {numberOf ? numberOf(record) : pictureOf?.(record)}
      </span>
      <div className={cluster([0, 3], css['words'])} data-wraps={wrapsTitle}>
        <h3 id={titleId(record)} className={classNames(wholeLink['title'], css['title'])}>
          {edit ? <a href={edit.linkTo(record._id)}>{title}</a> : title}
        </h3>
        {summary !== '' && <p className={css['text']}>{summary}</p>}
      </div>
      {badgesOf?.(record)}
    </>
  );
}

interface RemovedItemProps extends Pick<ItemProps, 'kind' | 'record'> {
  readonly onUndo: () => void;
}

export const RemovedItem = ({ kind, record, onUndo }: RemovedItemProps) => (
  <li className={spread([0, 2], css['removed'])}>
    <div>
      <p>{kind.titleOf(record)} was removed.</p>
      {kind.marksOf?.(record)}
    </div>
    {/* This button takes the focus from the delete button, which it replaces. */}
    <Button ref={takeFocus} variant="secondary" size="small" onClick={onUndo} {...undoMark}>
      Undo
    </Button>
  </li>
);

function IconButton({
  label,
  ...button
}: { readonly label: string } & Pick<Parameters<typeof Button>[0], 'disabled' | 'onClick' | 'children'>) {
  return <Button {...button} variant="quiet" size="small" aria-label={label} title={label} />;
}
