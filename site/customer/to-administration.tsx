/** For staff: a link to the administration, with the numbers of open items. */
import { useQuery } from '@tanstack/react-query';
import { may } from '#contract/audience.ts';
import { counted } from '#contract/counted.ts';
import type { InboxCounts } from '#contract/customers.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { callQuery, useCall } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { spread, stack, surface } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './to-administration.module.css';

/** The page's inline script reads this from the cookie. It grants no access. */
export const worksHere = (): boolean => document.documentElement.dataset['signedIn'] === 'admin';

const countsOf = ({ attention, messages, toDeliver, unpaid }: InboxCounts): readonly string[] =>
  (
    [
      [attention, 'item that needs attention', 'items that need attention'],
      [messages, 'unread message', 'unread messages'],
      [toDeliver, 'paid order to deliver', 'paid orders to deliver'],
      [unpaid, 'unpaid order', 'unpaid orders'],
    ] as const
  ).flatMap(([count, one, many]) => (count > 0 ? [counted(count, one, many)] : []));

/** Shows only the link while the counts are unknown, or if the user may not see them. */
export function ToAdministration() {
  const session = useCall('GET /auth/session');
  const isStaff = may(session.data?.account ?? undefined, 'staff');
  const waiting = useQuery({ ...callQuery('GET /waiting'), enabled: isStaff });
  useRefetchOnFocus(() => {
    void session.refetch();
    if (isStaff) void waiting.refetch();
  });
  const counts = waiting.data && countsOf(waiting.data);
  return (
    <section className={spread([3, 5], surface(css['place']))} aria-labelledby="administration">
      <div className={stack(1)}>
        <h2 id="administration" className={typography['heading']}>
          Admin panel
        </h2>
        {counts && <p>{counts.length > 0 ? `${counts.join(', ')}.` : 'You are all caught up.'}</p>}
      </div>
      <LinkButton href={linkTo('admin')}>Open the admin panel</LinkButton>
    </section>
  );
}
