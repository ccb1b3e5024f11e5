/** The newest subscribers, a few per page. */
import { Users } from 'lucide-react';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { EmailText } from '#site/ui/email-text.tsx';
import { PagedTable, serialColumn } from '#site/app/paged-table.tsx';
import { usePage } from '#site/app/use-page.ts';
import { Panel } from '../shell/screen.tsx';

export function NewestSubscribers() {
  const list = usePage('GET /subscribers', { pageSize: pageSizes.adminSubscribers });
  return (
    <Panel title="Subscribers" aside={<TextLink href={linkTo('subscribers')}>All subscribers</TextLink>}>
      <PagedTable
        caption="Subscribers"
        list={list}
        columns={[
          serialColumn(list),
          {
            header: 'Email',
            wide: true,
            phone: 'lead',
            cell: ({ subemail }) => <EmailText email={subemail} />,
          },
        ]}
        empty={
          <EmptyState title="No subscribers yet" icon={<Users aria-hidden="true" />}>
            Everyone who subscribes in the footer of the site will be listed here.
          </EmptyState>
        }
      />
    </Panel>
  );
}
