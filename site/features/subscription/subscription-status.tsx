/** The status of a subscription as a badge, and its next payment. */
import { displayPriceText } from '#contract/money.ts';
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

/** For example, '$499 on 12/01/2026', or 'None'. */
export const displayNextPayment = ({
  nextPaymentOn,
  nextAmount,
}: Pick<Subscription, 'nextPaymentOn' | 'nextAmount'>): string =>
  nextPaymentOn === null ? 'None' : `${displayPriceText(nextAmount ?? '')} on ${nextPaymentOn}`;
