/** The buttons of a subscription that apply to its status. */
import { useState } from 'react';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { counted } from '#contract/counted.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { SelectField } from '#site/ui/field.tsx';
import { api } from '#site/app/call.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import { cluster } from '#site/ui/layout.ts';
import css from './subscription-actions.module.css';

export interface SubscriptionActionsProps {
  readonly subscription: Subscription;
  readonly isOwner: boolean;
}

export function SubscriptionActions({ subscription, isOwner }: SubscriptionActionsProps) {
  const { _id: id, state, invoiceUrl, isEnding } = subscription;
  if (state === 'new' || state === 'ended') return null;
  return (
    <div className={cluster(3, css['actions'])}>
      {isOwner && invoiceUrl && <LinkButton href={invoiceUrl}>Pay now</LinkButton>}
      {isOwner && state !== 'ending' && <ChangeCard id={id} />}
      {state === 'paused' && <Resume id={id} />}
      {isEnding ? <Keep id={id} /> : <Cancel subscription={subscription} />}
      {subscription.pauses.length > 0 && <Pause id={id} dates={subscription.pauses} />}
    </div>
  );
}

interface ButtonProps {
  readonly id: string;
}

function ChangeCard({ id }: ButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /subscription/:id/portal', { id }),
    changesNothing: true,
    toastsError: true,
    onSuccess: ({ data }) => location.assign(data.url),
  });
  return (
    <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
      Change the card
    </Button>
  );
}

interface PauseProps extends ButtonProps {
  /** The date of the next payment after a pause of one month, two months, and so on. */
  readonly dates: readonly string[];
}

function Pause({ id, dates }: PauseProps) {
  const [count, setCount] = useState(1);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /subscription/:id/pause', { id, body: { months: count } }),
    done: 'The subscription is paused',
    toastsError: true,
  });
  return (
    <div className={cluster(2, css['pause'])}>
      <SelectField
        label="Skip payments"
        name="months"
        value={String(count)}
        onChange={({ target }) => setCount(Number(target.value))}
      >
        {dates.map((date, index) => (
          <option key={date} value={index + 1}>
            {counted(index + 1, 'payment')}, until {date}
          </option>
        ))}
      </SelectField>
      <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
        Pause
      </Button>
    </div>
  );
}

function Resume({ id }: ButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /subscription/:id/resume', { id }),
    done: 'The subscription is active again',
    toastsError: true,
  });
  return (
    <Button busy={isPending} onClick={() => mutate()}>
      Resume
    </Button>
  );
}

function Keep({ id }: ButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /subscription/:id/keep', { id }),
    done: 'The subscription continues',
    toastsError: true,
  });
  return (
    <Button busy={isPending} onClick={() => mutate()}>
      Keep the subscription
    </Button>
  );
}

function Cancel({ subscription: { _id: id, monthEndsOn } }: Pick<SubscriptionActionsProps, 'subscription'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /subscription/:id/cancel', { id }),
    done: 'The subscription is cancelled',
    toastsError: true,
  });
  async function cancelIfSure() {
    const isSure = await confirm({
      title: 'Cancel this subscription?',
      text: `The subscription ends on ${monthEndsOn ?? 'the last day that is paid'}, and no further month is charged. We finish the work that is paid. You can take this back until then.`,
      confirm: 'Cancel the subscription',
      decline: 'Keep it',
      variant: 'danger',
    });
    if (isSure) mutate();
  }
  return (
    <Button variant="quiet" busy={isPending} onClick={() => void cancelIfSure()}>
      Cancel the subscription
    </Button>
  );
}
