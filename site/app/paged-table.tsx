/** One page of a list as a table, with the pagination below. */
import { Pagination } from '#site/ui/pagination.tsx';
import { Table, type Column, type Row, type TableProps } from '#site/ui/table.tsx';
import { QueryBoundary } from './query-boundary.tsx';
import type { PagedList } from './use-page.ts';
import css from './paged-table.module.css';

export interface PagedTableProps<T extends Row> extends Omit<TableProps<T>, 'rows' | 'busy'> {
  readonly list: PagedList<T>;
}

export const PagedTable = <T extends Row>({ list, ...table }: PagedTableProps<T>) => (
  <QueryBoundary query={list}>
    {({ rows }) => (
      <>
        <div className={css['table']}>
          <Table {...table} rows={rows} busy={list.isPlaceholderData} />
        </div>
        <Pagination list={list} label={`Pages of ${table.caption}`} />
      </>
    )}
  </QueryBoundary>
);

/** The row's number across all pages, for the column 'Sl No.'. */
export const serialColumn = <T,>({ page, pageSize }: Pick<PagedList<T>, 'page' | 'pageSize'>): Column<T> => ({
  header: 'Sl No.',
  phone: 'mark',
  cell: (_row, index) => (page - 1) * pageSize + index + 1,
});
