/** A table that becomes a list of labelled cards where there is no room for columns (below 52rem of its own place). */
import type { ReactNode } from 'react';
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
}

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
    <div className={css['frame']}>
      <table className={css['table']} aria-busy={busy || undefined}>
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
              {columns.map(({ key, header, cell, align, wide }) => (
                <td key={key} data-label={header} data-align={align} data-wide={wide}>
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
