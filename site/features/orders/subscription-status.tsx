/** The status of a subscription as a badge. */
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { subscriptionStateTexts, type SubscriptionState } from '#contract/subscriptions.ts';
import { Badge } from '#site/ui/badge.tsx';

const tones: Partial<Record<SubscriptionState, 'success' | 'warning' | 'danger'>> = {
  new: 'warning',
  active: 'success',
  failed: 'danger',
  onHold: 'danger',
};

export function SubscriptionStatus({ state }: Pick<Subscription, 'state'>) {
  const tone = tones[state];
  return <Badge {...(tone && { tone })}>{subscriptionStateTexts[state]}</Badge>;
}
