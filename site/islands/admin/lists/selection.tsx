/** The boxes by which rows of a list are chosen, and the bar that acts on the chosen ones. */
import type { ReactNode } from 'react';
import { classNames } from '#components/class-names.ts';
import type { Column } from '#components/table.tsx';
import { serialColumn } from '#site/islands/shared/paged-table.tsx';
import type { PagedList } from '#site/islands/shared/use-page.ts';
import type { Selection } from './use-selection.ts';
import css from './selection.module.css';

export interface SelectionBarProps {
  /** The rows that are shown. */
  readonly rows: readonly { readonly _id: string }[];
  readonly selection: Selection;
  /** What can be done with the chosen rows. */
  readonly children: ReactNode;
}

export function SelectionBar({ rows, selection: { ids, choose }, children }: SelectionBarProps) {
  const shown = rows.map(({ _id }) => _id);
  const chosen = shown.filter((id) => ids.has(id)).length;
  return (
    <div className={css['bar']}>
      <label className={css['choice']}>
        <input
          type="checkbox"
          checked={chosen > 0 && chosen === shown.length}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < shown.length;
          }}
          onChange={({ target }) => choose(shown, target.checked)}
        />
        Select all on this page
      </label>
      <div className={css['actions']}>
        <span className={css['count']} aria-live="polite">
          {ids.size > 0 && `${ids.size} selected`}
        </span>
        {children}
      </div>
    </div>
  );
}

/** The column 'Sl No.' with a box that chooses the row. */
export const selectableSerialColumn = <T extends { readonly _id: string }>(
  list: Pick<PagedList<T>, 'page' | 'pageSize'>,
  { ids, choose }: Selection,
  nameOf: (row: T) => string,
): Column<T> => {
  const serial = serialColumn(list);
  return {
    ...serial,
    cell: (row, index) => (
      <label className={classNames(css['choice'], css['row'])}>
        <input
          type="checkbox"
          aria-label={`Select ${nameOf(row)}`}
          checked={ids.has(row._id)}
          onChange={({ target }) => choose([row._id], target.checked)}
        />
        {serial.cell(row, index)}
      </label>
    ),
  };
};
