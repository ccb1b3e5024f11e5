/** The bar above a list: preset views, the search, more fields, and a chip for each active filter that removes it. */
import { useState, type ReactNode } from 'react';
import { ListFilter, X } from 'lucide-react';
import { Button } from '#site/ui/button.tsx';
import { cluster, columns, stack, target } from '#site/ui/layout.ts';
import css from './filter-bar.module.css';

/** A preset combination of filters. */
export interface View {
  readonly label: string;
  readonly isOn: boolean;
  readonly choose: () => void;
}

export interface Applied {
  /** For example, 'Payment status: Paid'. */
  readonly text: string;
  readonly remove: () => void;
}

interface FilterBarProps {
  /** The subject of the search, such as 'Orders'. */
  readonly label: string;
  readonly views?: readonly View[];
  /** The field that is always visible. */
  readonly search: ReactNode;
  /** The collapsible fields. */
  readonly children?: ReactNode;
  readonly applied?: readonly Applied[];
  readonly onClear?: (() => void) | undefined;
}

export function FilterBar({ label, views = [], search, children, applied = [], onClear }: FilterBarProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <form
      role="search"
      // Takes the focus when a focused chip is removed.
      tabIndex={-1}
      aria-label={label}
      className={stack(3, 'focus-target', css['bar'])}
      onSubmit={(event) => event.preventDefault()}
    >
      {views.length > 0 && (
        <div role="group" aria-label={`${label} shown`} className={css['views']}>
          {views.map((view) => (
            <button
              key={view.label}
              type="button"
              className={target(css['chip'])}
              aria-pressed={view.isOn}
              onClick={view.choose}
            >
              {view.label}
            </button>
          ))}
        </div>
      )}
      <div className={stack(3, css['controls'])}>
        <div className={cluster(2, css['search'])}>
          {search}
          {children !== undefined && (
            <Button
              variant="secondary"
              className={css['fold']}
              aria-expanded={isOpen}
              aria-controls="filters"
              icon={<ListFilter size="1.125rem" />}
              onClick={() => setIsOpen(!isOpen)}
            >
              Filters{applied.length > 0 && ` (${applied.length})`}
            </Button>
          )}
        </div>
        {children !== undefined && (
          <div id="filters" className={columns(3, css['fields'])} data-open={isOpen || undefined}>
            {children}
          </div>
        )}
      </div>
      {applied.length > 0 && <AppliedChips applied={applied} onClear={onClear} />}
    </form>
  );
}

const AppliedChips = ({
  applied,
  onClear,
}: Required<Pick<FilterBarProps, 'applied'>> & Pick<FilterBarProps, 'onClear'>) => (
  <ul aria-label="Filters in use" className={cluster(2, css['applied'])}>
    {applied.map(({ text, remove }) => (
      <li key={text}>
        <button
          type="button"
          className={target(css['chip'])}
          onClick={({ currentTarget }) => {
            currentTarget.form?.focus();
            remove();
          }}
        >
          <span className="visually-hidden">Remove </span>
          {text}
          <X size="1rem" />
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
