/** `/subscription/{id}`: what a monthly package costs and when, and how to pause, end or change it. Staff see it too. */
import { useQuery } from '@tanstack/react-query';
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { ToastProvider } from '#site/ui/toast.tsx';
import { callQuery, joinQueries } from '#site/app/query.ts';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { SubscriptionStatus } from '#site/features/orders/subscription-status.tsx';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { PriceForm } from '../subscription/price-form.tsx';
import { SubscriptionActions } from '../subscription/subscription-actions.tsx';
import css from './order.module.css';

export default function SubscriptionScreen({ id }: { readonly id: string }) {
  return (
    <ToastProvider>
      <LoadedSubscription id={id} />
    </ToastProvider>
  );
}

function LoadedSubscription({ id }: { readonly id: string }) {
  const query = joinQueries({
    subscription: useQuery(callQuery('GET /subscription/:id', { id })),
    session: useQuery(callQuery('GET /auth/session')),
  });
  useRefetchOnFocus(query.refetch);
  const found = query.data?.subscription;
  return (
    <LoadedScreen
      title={found ? `${found.displayName} package` : 'Your subscription'}
      intro={
        found && (
          <span className={css['summary']}>
            <SubscriptionStatus state={found.state} />
            <span>{displayPriceText(found.price)} per month</span>
          </span>
        )
      }
      missing={{
        title: 'There is no such subscription',
        why: 'The address may be misspelled, or the subscription belongs to another account.',
        wayOn: { href: linkTo('dashboard'), label: 'To your dashboard' },
      }}
      query={query}
    >
      {({ subscription, session: { account } }) => (
        <TwoColumns aside={<Details subscription={subscription} />}>
          <Card title="What happens next">
            <p>{subscription.whatNext}</p>
            {subscription.state === 'new' && (
              <LinkButton href={linkTo('pay', subscription.orderId)}>Pay the first month</LinkButton>
            )}
            <SubscriptionActions
              subscription={subscription}
              isOwner={account?.email === subscription.customerEmail}
            />
          </Card>
          {account?.role === 'Admin' && subscription.state !== 'new' && subscription.state !== 'ended' && (
            <PriceForm subscription={subscription} />
          )}
        </TwoColumns>
      )}
    </LoadedScreen>
  );
}

function Details({ subscription }: { readonly subscription: Subscription }) {
  const { startedOn, nextPaymentOn, nextAmount, card, customerName, customerEmail, newestOrderId } =
    subscription;
  return (
    <Card title="Your subscription">
      <dl className={css['details']}>
        <dt>Next payment</dt>
        <dd>
          {nextPaymentOn === null ? 'None' : `${displayPriceText(nextAmount ?? '')} on ${nextPaymentOn}`}
        </dd>
        <dt>Card</dt>
        <dd>{card || 'Not known yet'}</dd>
        <dt>Since</dt>
        <dd>{startedOn ?? 'Not paid yet'}</dd>
        <dt>Name</dt>
        <dd>{customerName}</dd>
        <dt>Email</dt>
        <dd>{customerEmail}</dd>
      </dl>
      <TextLink href={linkTo('myOrder', newestOrderId)}>See the order of the newest month</TextLink>
    </Card>
  );
}
