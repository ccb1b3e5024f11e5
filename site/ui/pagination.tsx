/** Previous, numbered pages and Next. Shows nothing if everything fits on one page. */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from './button.tsx';
import { row } from './layout.ts';
import { classNames } from './class-names.ts';
import iconButton from './icon-button.module.css';
import css from './pagination.module.css';

interface PaginationProps {
  readonly list: {
    /** The current page, from 1. */
    readonly page: number;
    readonly pageCount: number;
    readonly setPage: (page: number) => void;
  };
  /** Names the list, because a screen can have several: 'Pages of unread messages'. */
  readonly label: string;
}

/** All pages up to seven, otherwise the first, the last and those around the current one. 0 is a gap. */
export function pageNumbers(page: number, pageCount: number): readonly number[] {
  if (pageCount <= 7) return Array.from({ length: pageCount }, (_, index) => index + 1);
  const from = Math.max(2, Math.min(page - 1, pageCount - 4));
  const to = Math.min(pageCount - 1, Math.max(page + 1, 5));
  const middle = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  return [1, ...(from > 2 ? [0] : []), ...middle, ...(to < pageCount - 1 ? [0] : []), pageCount];
}

export function Pagination({ list: { page, pageCount, setPage }, label }: PaginationProps) {
  if (pageCount <= 1) return null;
  return (
    <nav aria-label={label} className={row(2, css['pagination'])}>
      <Button
        variant="secondary"
        size="small"
        aria-disabled={page <= 1}
        icon={<ChevronLeft size="1.125rem" />}
        onClick={() => setPage(page - 1)}
      >
        Previous
      </Button>
      <ol className={row(1, css['numbers'])}>
        {pageNumbers(page, pageCount).map((number, index) => (
          <li key={number === 0 ? `gap-${index}` : number}>
            {number === 0 ? (
              <span aria-hidden="true">…</span>
            ) : (
              <button
                type="button"
                className={classNames(iconButton['icon'], css['number'])}
                aria-label={`Page ${number}`}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => setPage(number)}
              >
                {number}
              </button>
            )}
          </li>
        ))}
      </ol>
      <Button
        variant="secondary"
        size="small"
        aria-disabled={page >= pageCount}
        onClick={() => setPage(page + 1)}
      >
        Next
        <ChevronRight size="1.125rem" />
      </Button>
    </nav>
  );
}
