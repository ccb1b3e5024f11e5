/** One page of a list as a table, with the pagination below. */
import type { ReactNode } from 'react';
import { Pagination } from '#site/ui/pagination.tsx';
import { Table, type Column } from '#site/ui/table.tsx';
import { QueryBoundary } from './query-boundary.tsx';
import type { PagedList } from './use-page.ts';
import css from './paged-table.module.css';

export interface PagedTableProps<T> {
  readonly caption: string;
  readonly list: PagedList<T>;
  readonly columns: readonly Column<T>[];
  readonly empty: ReactNode;
}

export function PagedTable<T extends { readonly _id: string }>({
  caption,
  list,
  columns,
  empty,
}: PagedTableProps<T>) {
  return (
    <QueryBoundary query={list}>
      {({ rows }) => (
        <>
          <div className={css['table']}>
            <Table
              caption={caption}
              columns={columns}
              rows={rows}
              rowKey={({ _id }) => _id}
              empty={empty}
              busy={list.isPlaceholderData}
            />
          </div>
          <Pagination list={list} label={`Pages of ${caption}`} />
        </>
      )}
    </QueryBoundary>
  );
}

/** The row's number across all pages, for the column 'Sl No.'. */
export const serialColumn = <T,>({ page, pageSize }: Pick<PagedList<T>, 'page' | 'pageSize'>): Column<T> => ({
  header: 'Sl No.',
  phone: 'mark',
  cell: (_row, index) => (page - 1) * pageSize + index + 1,
});
