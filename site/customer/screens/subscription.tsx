/** `/subscription/{id}`: the price and dates of a monthly package, and how to pause or cancel it. */
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { EmailText } from '#site/ui/email-text.tsx';
import { joinQueries, useCall } from '#site/app/query.ts';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { MonthTable } from '#site/features/subscription/month-table.tsx';
import { SubscriptionActions } from '#site/features/subscription/subscription-actions.tsx';
import { displayNextPayment, SubscriptionStatus } from '#site/features/subscription/subscription-status.tsx';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { Details } from '../details.tsx';
import { row } from '#site/ui/layout.ts';

export default function SubscriptionScreen({ id }: { readonly id: string }) {
  const query = joinQueries({
    subscription: useCall('GET /subscription/:id', { id }),
    orders: useCall('GET /subscription/:id/orders', { id }),
    session: useCall('GET /auth/session'),
  });
  useRefetchOnFocus(query.refetch);
  const found = query.data?.subscription;
  return (
    <LoadedScreen
      title={found ? `${found.displayName} package` : 'Your subscription'}
      intro={
        found && (
          <span className={row([1, 3])}>
            <SubscriptionStatus state={found.state} />
            <span>{displayPriceText(found.price)} per month</span>
          </span>
        )
      }
      missing={{
        title: 'We could not find this subscription',
        why: 'The address may be misspelled, or the subscription belongs to another account.',
        wayOn: { href: linkTo('dashboard'), label: 'Go to your dashboard' },
      }}
      query={query}
    >
      {({ subscription, orders, session }) => (
        <TwoColumns aside={<SubscriptionDetails subscription={subscription} />}>
          <Card title="What happens next">
            <p>{subscription.whatNext}</p>
            <SubscriptionActions
              subscription={subscription}
              isOwner={session.account?.email === subscription.customerEmail}
            />
          </Card>
          <Card title="Your months">
            <MonthTable orders={orders} orderScreen="myOrder" />
          </Card>
        </TwoColumns>
      )}
    </LoadedScreen>
  );
}

function SubscriptionDetails({ subscription }: { readonly subscription: Subscription }) {
  const { startedOn, card, customerName, customerEmail } = subscription;
  return (
    <Card title="Your subscription">
      <Details
        facts={[
          ['Next payment', displayNextPayment(subscription)],
          ['Card', card || 'Not known yet'],
          ['Since', startedOn ?? 'Not paid yet'],
          ['Name', customerName],
          ['Email', <EmailText email={customerEmail} />],
        ]}
      />
    </Card>
  );
}
