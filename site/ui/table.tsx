/**
 * A table that becomes a list of labeled cards if its container has no room for columns (below 52rem, or 40rem for
 * few columns). On a phone (below 30rem), the cards are compact if the columns define where their values go.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { TextLink } from './text-link.tsx';
import css from './table.module.css';

export interface Column<T> {
  /** Column heading, unique in the table, and the label of the value on a card. */
  readonly header: string;
  readonly cell: (row: T, index: number) => ReactNode;
  /** For values that are often long. They take a card's whole width. */
  readonly wide?: true;
  /** `end` for numbers. */
  readonly align?: 'end';
  /**
   * Where the value goes on a phone's short card. Only screen readers get its label, except for `named`. If no column
   * sets this, each value is next to its label.
   * - `mark`, `lead`, `end`: on the first line, in this order.
   * - `whole`: on its own line.
   * - `plain`, `named`: on the lines below, one after another.
   * - `way`: after those.
   */
  readonly phone?: 'mark' | 'lead' | 'end' | 'whole' | 'plain' | 'named' | 'way';
}

/** The link of a row. A click anywhere in the row follows it; keyboards and screen readers find only this. */
export const RowLink = (props: ComponentProps<typeof TextLink>) => <TextLink {...props} data-opens="" />;

/** Elements that handle clicks themselves. */
const controls = 'a, button, label, input, select, textarea, summary, dialog';

/** The link that a click in a row follows, if any; undefined if a control handles the click. */
const linkAt = ({ target }: MouseEvent): HTMLAnchorElement | null | undefined =>
  target instanceof Element && !target.closest(controls)
    ? target.closest('tr')?.querySelector<HTMLAnchorElement>('a[data-opens]')
    : undefined;

/**
 * Forwards clicks in a row to the row's link. The middle button, Ctrl and Cmd open it in a new tab. A link that CSS
 * stretches over its row would prevent people from selecting text in the row, and in Safari would cover the whole
 * table (https://bugs.webkit.org/show_bug.cgi?id=15873).
 */
const rowPresses = {
  onClick: (event: MouseEvent) => {
    const link = linkAt(event);
    // The user is selecting text.
    if (!link || getSelection()?.type === 'Range') return;
    if (event.ctrlKey || event.metaKey) open(link.href, '_blank', 'noopener');
    else link.click();
  },
  onAuxClick: (event: MouseEvent) => {
    const link = event.button === 1 ? linkAt(event) : undefined;
    if (link) open(link.href, '_blank', 'noopener');
  },
  // The middle button would start scrolling.
  onMouseDown: (event: MouseEvent) => {
    if (event.button === 1 && linkAt(event)) event.preventDefault();
  },
};

/** How many columns fit side by side on a tablet. A column with long values counts twice. */
const fewColumns = 7;

const widthOf = (columns: readonly Pick<Column<unknown>, 'wide'>[]): number =>
  columns.length + columns.filter(({ wide }) => wide).length;

export interface Row {
  readonly _id: string;
}

export interface TableProps<T extends Row> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  /** Shown instead of the table if there are no rows. */
  readonly empty?: ReactNode;
  /** Whether the rows of another page or filter are loading. The old ones stay, dimmed. */
  readonly busy?: boolean;
}

export function Table<T extends Row>({ caption, columns, rows, empty, busy }: TableProps<T>) {
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
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, align }) => (
              <th key={header} scope="col" data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row._id}>
              {columns.map(({ header, cell, align, wide, phone }) => (
                <td key={header} data-label={header} data-align={align} data-wide={wide} data-phone={phone}>
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
