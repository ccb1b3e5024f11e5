/** Everything that needs a person, such as payments to check and emails that could not be sent. */
import { CircleCheck } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { pageSizes } from '#contract/paging.ts';
import { attentionKinds } from '#contract/attention.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { AttentionActions } from './attention-actions.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import { usePage } from '#site/app/use-page.ts';
import { stack } from '#site/ui/layout.ts';

export default function Attention() {
  const list = usePage('GET /needs-attention', { pageSize: pageSizes.attention, inAddress: 'page' });
  useRefetchOnInboxChange();
  return (
    <ScreenFrame title="Needs attention" intro="What the site cannot finish without you.">
      <QueryBoundary query={list}>
        {({ rows, total }) =>
          total === 0 ? (
            <EmptyState title="Nothing needs attention" icon={<CircleCheck />}>
              Items that need attention will be listed here.
            </EmptyState>
          ) : (
            <>
              <p>
                {counted(total, 'item')}
                {total > 1 && ', oldest first'}.
              </p>
              <ul className={stack(4)}>
                {rows.map((item) => (
                  <li key={item._id}>
                    <AttentionCard item={item} />
                  </li>
                ))}
              </ul>
              <Pagination list={list} label="Pages of items that need attention" />
            </>
          )
        }
      </QueryBoundary>
    </ScreenFrame>
  );
}

function AttentionCard({ item }: { readonly item: AttentionItem }) {
  return (
    <Card title={attentionKinds[item.kind].title} aside={<RelativeTime at={item.at} className="note" />}>
      <p>{item.text}</p>
      <AttentionActions item={item} />
    </Card>
  );
}
