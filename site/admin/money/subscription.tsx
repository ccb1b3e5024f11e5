/** A customer's subscription: its dates and months, and for administrators the form for a new price. */
import { displayPriceText } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { EmailLink } from '#site/ui/email-text.tsx';
import { row } from '#site/ui/layout.ts';
import { joinQueries, useCall } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { MonthTable } from '#site/features/subscription/month-table.tsx';
import { SubscriptionActions } from '#site/features/subscription/subscription-actions.tsx';
import { displayNextPayment, SubscriptionStatus } from '#site/features/subscription/subscription-status.tsx';
import { Facts } from '../shell/facts.tsx';
import { offers } from '../shell/role.ts';
import { LoadedScreen, Panel } from '../shell/screen.tsx';
import { PriceForm } from './price-form.tsx';

const back = { href: linkTo('subscriptions'), label: 'All subscriptions' };

export default function Subscription({ id }: { readonly id: string }) {
  const query = joinQueries({
    subscription: useCall('GET /subscription/:id', { id }),
    orders: useCall('GET /subscription/:id/orders', { id }),
  });
  useRefetchOnFocus(query.refetch);
  const found = query.data?.subscription;
  return (
    <LoadedScreen
      title={found ? found.customerName || found.customerEmail || 'Deleted account' : 'Subscription'}
      back={back}
      intro={
        found && (
          <span className={row([1, 3])}>
            <SubscriptionStatus state={found.state} />
            <span>
              {found.displayName} package, {displayPriceText(found.price)} per month
            </span>
          </span>
        )
      }
      missing={{
        title: 'We could not find this subscription',
        why: 'The address may be misspelled.',
        wayOn: back,
      }}
      query={query}
    >
      {({ subscription, orders }) => (
        <>
          <Panel title="What happens next">
            <p>{subscription.whatNext}</p>
            <Facts
              facts={[
                ['Email', subscription.customerEmail && <EmailLink email={subscription.customerEmail} />],
                ['Next payment', displayNextPayment(subscription)],
                ['Card', subscription.card || 'Not known yet'],
                ['Since', subscription.startedOn ?? 'Not paid yet'],
              ]}
            />
            <SubscriptionActions subscription={subscription} isOwner={false} />
          </Panel>
          <Panel title="Months">
            <MonthTable orders={orders} orderScreen="order" />
          </Panel>
          {offers('administrator') &&
            subscription.startedOn &&
            !subscription.isEnding &&
            subscription.state !== 'ended' && <PriceForm subscription={subscription} />}
        </>
      )}
    </LoadedScreen>
  );
}
