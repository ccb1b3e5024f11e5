/** The buttons that apply to a subscription's status. */
import { useState } from 'react';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { counted } from '#contract/counted.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { api } from '#site/app/call.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { cluster } from '#site/ui/layout.ts';
import css from './subscription-actions.module.css';

interface SubscriptionActionsProps {
  readonly subscription: Subscription;
  readonly isOwner: boolean;
}

export function SubscriptionActions({ subscription, isOwner }: SubscriptionActionsProps) {
  const { _id: id, state, orderId, invoiceUrl, isEnding, monthEndsOn, pauses } = subscription;
  if (state === 'new' || state === 'ended')
    return (
      isOwner && (
        <div>
          {state === 'new' ? (
            <LinkButton href={linkTo('pay', orderId)}>Pay the first month</LinkButton>
          ) : (
            <LinkButton href={linkTo('pricing')}>See the packages</LinkButton>
          )}
        </div>
      )
    );
  return (
    <div className={cluster(3, css['actions'])}>
      {isOwner && invoiceUrl && <LinkButton href={invoiceUrl}>Pay now</LinkButton>}
      {isOwner && state !== 'ending' && (
        <ActionButton
          variant="secondary"
          action={() => api('POST /subscription/:id/portal', { id })}
          changesNothing
          onSuccess={({ data }) => location.assign(data.url)}
        >
          Change the card
        </ActionButton>
      )}
      {state === 'paused' && (
        <ActionButton
          action={() => api('POST /subscription/:id/resume', { id })}
          done="The subscription is active again"
        >
          Resume
        </ActionButton>
      )}
      {isEnding ? (
        <ActionButton
          {...(isOwner && invoiceUrl && { variant: 'secondary' })}
          action={() => api('POST /subscription/:id/keep', { id })}
          done="The subscription continues"
        >
          Keep the subscription
        </ActionButton>
      ) : (
        <ActionButton
          variant={isOwner ? 'quiet' : 'secondary'}
          action={() => api('POST /subscription/:id/cancel', { id })}
          done="The subscription is cancelled"
          question={{
            title: 'Cancel this subscription?',
            text: `The subscription ends on ${monthEndsOn ?? 'the last day that you have paid for'}, and no further month is charged. ${
              state === 'failed'
                ? 'The payment that failed is still due, and we will try to charge the card again.'
                : 'We will finish the work that is paid for.'
            } You can undo this until then.`,
            confirm: 'Cancel the subscription',
            decline: 'Keep it',
            variant: 'danger',
          }}
        >
          Cancel the subscription
        </ActionButton>
      )}
      {pauses.length > 0 && <Pause id={id} dates={pauses} />}
    </div>
  );
}

interface PauseProps {
  readonly id: string;
  /** The date of the next payment after a pause of one month, two months, and so on. */
  readonly dates: readonly string[];
}

function Pause({ id, dates }: PauseProps) {
  const [months, setMonths] = useState(1);
  return (
    <div className={cluster(2, css['pause'])}>
      <SelectField
        label="Skip payments"
        name="months"
        options={dates.map((date, index) => [
          String(index + 1),
          `${counted(index + 1, 'payment')}, until ${date}`,
        ])}
        value={String(months)}
        onChange={({ target }) => setMonths(Number(target.value))}
      />
      <ActionButton
        variant="secondary"
        action={() => api('POST /subscription/:id/pause', { id, body: { months } })}
        done="The subscription is paused"
      >
        Pause
      </ActionButton>
    </div>
  );
}
