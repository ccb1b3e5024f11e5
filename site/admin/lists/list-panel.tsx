/** A list in a panel whose title is the number of its rows, or a message if the list is empty. */
import type { ReactNode } from 'react';
import { counted } from '#contract/counted.ts';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import type { Row } from '#site/ui/table.tsx';
import { PagedTable, type PagedTableProps } from '#site/app/paged-table.tsx';

interface ListPanelProps<T extends Row> extends Omit<PagedTableProps<T>, 'empty'> {
  /** The title until the rows are counted, such as 'Orders'. */
  readonly title: string;
  /** The noun for one row and, unless it only adds an s, for several. */
  readonly noun: string;
  readonly nouns?: string;
  readonly icon: ReactNode;
  /** The title and the text of the message if there are no rows, and if none matches the filters. */
  readonly empty: readonly [title: string, text: string];
  readonly noMatch?: readonly [title: string, text: string];
  readonly isFiltered?: boolean;
  /** Shown above the table. */
  readonly children?: ReactNode;
}

export function ListPanel<T extends Row>(props: ListPanelProps<T>) {
  const { title, noun, nouns, icon, empty, noMatch = empty, isFiltered = false, children, ...table } = props;
  const { data } = table.list;
  const [emptyTitle, text] = isFiltered ? noMatch : empty;
  return (
    <Card title={data ? `${counted(data.total, noun, nouns)}${isFiltered ? ' found' : ''}` : title}>
      {children}
      <PagedTable
        {...table}
        empty={
          <EmptyState title={emptyTitle} icon={icon}>
            {text}
          </EmptyState>
        }
      />
    </Card>
  );
}
