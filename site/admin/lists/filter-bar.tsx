/**
 * What stands above a list: ready-made views, the search, further fields that fold away where there is little room, and
 * a chip for each that narrows the list, which takes it off again.
 */
import { useState, type ReactNode } from 'react';
import { ListFilter, X } from 'lucide-react';
import { Button } from '#site/ui/button.tsx';
import css from './filter-bar.module.css';

/** A set of filters that is looked for often. */
export interface View {
  readonly label: string;
  readonly isOn: boolean;
  readonly choose: () => void;
}

/** Something that narrows the list just now. */
export interface Applied {
  /** 'Payment status: Paid'. */
  readonly text: string;
  readonly remove: () => void;
}

export interface FilterBarProps {
  /** What is searched: 'Orders'. */
  readonly label: string;
  readonly views?: readonly View[];
  /** The field that is always there. */
  readonly search: ReactNode;
  /** Fields that fold away. */
  readonly children?: ReactNode;
  readonly applied?: readonly Applied[];
  /** Takes off all that narrows the list. */
  readonly onClear?: (() => void) | undefined;
}

export function FilterBar({ label, views = [], search, children, applied = [], onClear }: FilterBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <form
      role="search"
      // Holds the focus of a chip that is taken off.
      tabIndex={-1}
      aria-label={label}
      className={css['bar']}
      onSubmit={(event) => event.preventDefault()}
    >
      {views.length > 0 && (
        <div role="group" aria-label={`${label} shown`} className={css['views']}>
          {views.map((view) => (
            <button
              key={view.label}
              type="button"
              className={css['chip']}
              aria-pressed={view.isOn}
              onClick={view.choose}
            >
              {view.label}
            </button>
          ))}
        </div>
      )}
      <div className={css['controls']}>
        <div className={css['search']}>
          {search}
          {children !== undefined && (
            <Button
              variant="secondary"
              className={css['fold']}
              aria-expanded={isOpen}
              aria-controls="filters"
              icon={<ListFilter size="1.125rem" aria-hidden="true" />}
              onClick={() => setIsOpen(!isOpen)}
            >
              Filters{applied.length > 0 && ` (${applied.length})`}
            </Button>
          )}
        </div>
        {children !== undefined && (
          <div id="filters" className={css['fields']} data-open={isOpen || undefined}>
            {children}
          </div>
        )}
      </div>
      {applied.length > 0 && <AppliedChips applied={applied} onClear={onClear} />}
    </form>
  );
}

/** What narrows the list, each with the way to take it off. */
const AppliedChips = ({
  applied,
  onClear,
}: Required<Pick<FilterBarProps, 'applied'>> & Pick<FilterBarProps, 'onClear'>) => (
  <ul aria-label="Filters in use" className={css['applied']}>
    {applied.map(({ text, remove }) => (
      <li key={text}>
        <button
          type="button"
          className={css['chip']}
          onClick={({ currentTarget }) => {
            currentTarget.form?.focus();
            remove();
          }}
        >
          <span className="visually-hidden">Take off </span>
          {text}
          <X size="1rem" aria-hidden="true" />
        </button>
      </li>
    ))}
    <li>
      <Button
        variant="quiet"
        size="small"
        onClick={({ currentTarget }) => {
          currentTarget.form?.focus();
          onClear?.();
        }}
      >
        Clear all
      </Button>
    </li>
  </ul>
);
