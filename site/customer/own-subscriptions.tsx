/** The customer's subscriptions on the dashboard; hidden if there are none. */
import { Repeat } from 'lucide-react';
import { linkTo } from '#contract/screens.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { SubscriptionStatus } from '../features/subscription/subscription-status.tsx';

export function OwnSubscriptions({ subscriptions }: { readonly subscriptions: readonly Subscription[] }) {
  return subscriptions.map(({ _id, displayName, state, whatNext }) => (
    <Card
      key={_id}
      title={`${displayName} package, every month`}
      href={linkTo('subscription', _id)}
      icon={<Repeat size="1.375rem" aria-hidden="true" />}
      aside={<SubscriptionStatus state={state} />}
    >
      <p>{whatNext}</p>
    </Card>
  ));
}
