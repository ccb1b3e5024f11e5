/** The checkboxes that select rows of a list, and the bar with actions for the selected rows. */
import { useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { Button } from '#site/ui/button.tsx';
import type { Column, Row } from '#site/ui/table.tsx';
import type { PagedList } from '#site/app/use-page.ts';
import { useBulkActions, type BulkActions, type NotDoneText, type Selection } from './use-bulk-actions.ts';
import { cluster, row, target, stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import iconButton from '#site/ui/icon-button.module.css';
import css from './selection.module.css';
import { Alert } from '#site/ui/alert.tsx';

interface SelectionBarProps<T extends Row> extends BulkActions<T> {
  readonly list: PagedList<T>;
  readonly selection: Selection<T>;
}

/** Selects all visible rows, shows how many are selected, and offers the actions. */
export function SelectionBar<T extends Row>(props: SelectionBarProps<T>) {
  const { list, selection, noun, actions } = props;
  const { chosen, choose, clear } = selection;
  const bar = useRef<HTMLDivElement>(null);
  /** The buttons disappear with the selection, so the bar takes their focus. */
  function keepFocus() {
    if (bar.current?.contains(document.activeElement)) bar.current.focus();
  }
  const several = useBulkActions(list, selection, { ...props, onEnd: keepFocus });
  const { notDone, progress } = several;
  const rows = list.data?.rows ?? [];
  const chosenHere = rows.filter(({ _id }) => chosen.has(_id)).length;
  if (rows.length === 0 && chosen.size === 0 && !notDone) return null;
  return (
    <>
      <div
        ref={bar}
        tabIndex={-1}
        className={row([0, 4], 'focus-target', css['bar'])}
        data-chosen={chosen.size > 0 || undefined}
      >
        <label className={target(css['choice'])}>
          <input
            type="checkbox"
            checked={chosenHere > 0 && chosenHere === rows.length}
            ref={(box) => {
              if (box) box.indeterminate = chosenHere > 0 && chosenHere < rows.length;
            }}
            onChange={({ target }) => choose(rows, target.checked)}
          />
          Select all on this page
        </label>
        <span className={css['count']} role="status">
          {progress ?? (chosen.size > 0 && `${chosen.size} selected`)}
        </span>
        {chosen.size > 0 && (
          <div role="group" aria-label={`With the selected ${noun}s`} className={cluster(2, css['actions'])}>
            {actions.map((action) => (
              <Button
                key={action.label}
                variant={action.isDanger ? 'danger' : 'secondary'}
                size="small"
                busy={progress !== undefined}
                onClick={() => void several.begin(action)}
              >
                {action.label}
              </Button>
            ))}
            <Button
              variant="quiet"
              size="small"
              icon={<X size="1.125rem" />}
              onClick={() => {
                keepFocus();
                clear();
              }}
            >
              Clear
            </Button>
          </div>
        )}
      </div>
      {notDone && <NotDoneNotice {...notDone} onClose={several.dismiss} />}
    </>
  );
}

/** Adds a checkbox to a column that selects the row. */
export const choosable = <T extends Row>(
  column: Column<T>,
  { chosen, choose }: Selection<T>,
  nameOf: (row: T) => string,
): Column<T> => ({
  ...column,
  cell: (row, index): ReactNode => (
    <span className={css['chooser']}>
      <label className={classNames(iconButton['icon'], css['box'])}>
        <input
          type="checkbox"
          aria-label={`Select ${nameOf(row)}`}
          checked={chosen.has(row._id)}
          onChange={({ target }) => choose([row], target.checked)}
        />
      </label>
      {column.cell(row, index)}
    </span>
  ),
});

const namesShown = 12;

const displayNames = (names: readonly string[]) =>
  names.length <= namesShown
    ? names.join(', ')
    : `${names.slice(0, namesShown).join(', ')} and ${names.length - namesShown} more`;

/** Lists the rows that could not be changed, with the reasons. It stays until the user closes it. */
const NotDoneNotice = ({
  title,
  reasons,
  isPart,
  onClose,
}: NotDoneText & { readonly onClose: () => void }) => (
  <Alert
    tone={isPart ? 'warning' : 'danger'}
    title={title}
    action={
      <Button variant="secondary" size="small" onClick={onClose}>
        Close
      </Button>
    }
  >
    <ul className={stack(1)}>
      {reasons.map(([reason, names]) => (
        <li key={reason}>
          <strong>{displayNames(names)}</strong>: {reason}
        </li>
      ))}
    </ul>
  </Alert>
);
