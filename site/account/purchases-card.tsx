/** Links to the user's orders and subscriptions; hidden if there are none. */
import { counted } from '#contract/counted.ts';
import { linkTo } from '#contract/screens.ts';
import { Card } from '#site/ui/card.tsx';
import { row, stack } from '#site/ui/layout.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { useCall } from '../app/query.ts';
import { SubscriptionStatus } from '../features/subscription/subscription-status.tsx';

export function PurchasesCard() {
  const totals = useCall('GET /order-totals', { query: { own: 'true' } });
  const subscriptions = useCall('GET /subscriptions', { query: { own: 'true', state: 'live' } });
  if (!totals.data?.orders) return null;
  return (
    <Card title="Orders and subscriptions">
      <ul className={stack(2)}>
        <li>
          <TextLink href={linkTo('myOrders')}>{counted(totals.data.orders, 'order')}</TextLink>
        </li>
        {subscriptions.data?.map(({ _id, displayName, state }) => (
          <li key={_id} className={row([1, 3])}>
            <TextLink href={linkTo('subscription', _id)}>{displayName} package, every month</TextLink>
            <SubscriptionStatus state={state} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
