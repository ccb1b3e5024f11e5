/** The monthly recurring revenue; hidden while there are no subscriptions. */
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { useCall } from '#site/app/query.ts';
import { monthFacts } from '../money/subscriptions.tsx';
import { Facts } from '../shell/facts.tsx';
import { Panel } from '../shell/screen.tsx';

export function MonthlyRevenue() {
  const { data } = useCall('GET /subscription-totals');
  const { renewing = 0, newThisMonth = 0, lostThisMonth = 0, failedThisMonth = 0 } = data ?? {};
  if (!data || renewing + newThisMonth + lostThisMonth + failedThisMonth === 0) return null;
  return (
    <Panel
      title="Monthly packages"
      aside={<TextLink href={linkTo('subscriptions')}>All subscriptions</TextLink>}
    >
      <Facts facts={monthFacts(data)} />
    </Panel>
  );
}
