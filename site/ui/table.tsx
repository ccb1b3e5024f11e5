/**
 * A table that becomes a list of labelled cards where there is no room for columns (below 52rem of its own place, 40rem
 * where they are few), and of short ones on a phone (below 30rem) where its columns say what stands where on them.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { TextLink } from './text-link.tsx';
import css from './table.module.css';

export interface Column<T> {
  /** Unique in the table. */
  readonly key: string;
  /** Column heading, also the label of the value on a card. */
  readonly header: string;
  readonly cell: (row: T, index: number) => ReactNode;
  /** For values that are often long: takes a card's whole width. */
  readonly wide?: true;
  /** `end` for figures. */
  readonly align?: 'end';
  /**
   * Where the value stands on a phone's short card, its label for screen readers alone: `lead` begins it, after a `mark`, with an
   * `end` opposite; a `whole` has a line of its own; the others, `plain` or `named` (with its label), share the lines below,
   * which a `way` on ends. Without it on any column, each value stands beside its label.
   */
  readonly phone?: 'mark' | 'lead' | 'end' | 'whole' | 'plain' | 'named' | 'way';
}

/** The link to what a row is about. A press anywhere in the row follows it; keyboard and screen readers meet this one link. */
export const RowLink = (props: ComponentProps<typeof TextLink>) => <TextLink {...props} data-opens="" />;

/** What answers a press itself. */
const controls = 'a, button, label, input, select, textarea, summary, dialog';

/** The link that a press on a place in a row follows: none where a control answers it. */
const linkAt = ({ target }: MouseEvent): HTMLAnchorElement | null | undefined =>
  target instanceof Element && !target.closest(controls)
    ? target.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-opens]')
    : undefined;

/**
 * Presses in the rows, forwarded to the row's link; the middle button, Ctrl and Cmd open it in a new tab. A link that is
 * stretched over its row by CSS would hold its texts from being selected, and in Safari covers the whole table
 * (https://bugs.webkit.org/show_bug.cgi?id=15873).
 */
const rowPresses = {
  onClick: (event: MouseEvent) => {
    const link = linkAt(event);
    // Somebody is selecting a text.
    if (!link || getSelection()?.type === 'Range') return;
    if (event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener');
    else link.click();
  },
  onAuxClick: (event: MouseEvent) => {
    const link = event.button === 1 ? linkAt(event) : undefined;
    if (link) open(link.href, '_blank', 'noopener');
  },
  // The middle button would begin to scroll.
  onMouseDown: (event: MouseEvent) => {
    if (event.button === 1 && linkAt(event)) event.preventDefault();
  },
};

/** Columns that fit side by side on a tablet; one of long values counts twice. */
const fewColumns = 7;

const widthOf = (columns: readonly Pick<Column<unknown>, 'wide'>[]): number =>
  columns.length + columns.filter(({ wide }) => wide).length;

export interface TableProps<T> {
  /** Name of the table for screen readers; shown only with `captionVisible`. */
  readonly caption: string;
  readonly captionVisible?: boolean;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** Shown in place of the table when there are no rows. */
  readonly empty?: ReactNode;
  /** New rows are on their way: the old ones stay, dimmed. */
  readonly busy?: boolean;
}

export function Table<T>({ caption, captionVisible, columns, rows, rowKey, empty, busy }: TableProps<T>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <div
      role="presentation"
      className={css['frame']}
      data-few={widthOf(columns) <= fewColumns || undefined}
      {...rowPresses}
    >
      <table
        className={css['table']}
        aria-busy={busy || undefined}
        data-short={columns.some(({ phone }) => phone) || undefined}
      >
        <caption className={captionVisible ? css['caption'] : 'visually-hidden'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ key, header, align }) => (
              <th key={key} scope="col" data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={rowKey(row)}>
              {columns.map(({ key, header, cell, align, wide, phone }) => (
                <td key={key} data-label={header} data-align={align} data-wide={wide} data-phone={phone}>
                  <div>{cell(row, index)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
