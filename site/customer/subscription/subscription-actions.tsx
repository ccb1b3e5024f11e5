/** The buttons of a subscription: those that make sense where it stands. */
import { useState } from 'react';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { mostPausedMonths } from '#contract/subscriptions.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { SelectField } from '#site/ui/field.tsx';
import { api } from '#site/app/call.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import css from './subscription-actions.module.css';

export interface SubscriptionActionsProps {
  readonly subscription: Subscription;
  readonly isOwner: boolean;
}

export function SubscriptionActions({ subscription, isOwner }: SubscriptionActionsProps) {
  const { _id: id, state, invoiceUrl } = subscription;
  if (state === 'new' || state === 'ended') return null;
  return (
    <div className={css['actions']}>
      {isOwner && invoiceUrl && <LinkButton href={invoiceUrl}>Pay now</LinkButton>}
      {isOwner && state !== 'ending' && <ChangeCard id={id} />}
      {state === 'active' && <Pause id={id} />}
      {state === 'paused' && <Resume id={id} />}
      {state === 'ending' ? <Keep id={id} /> : <Cancel subscription={subscription} />}
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

const months = Array.from({ length: mostPausedMonths }, (_, index) => index + 1);

function Pause({ id }: ButtonProps) {
  const [count, setCount] = useState(1);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /subscription/:id/pause', { id, body: { months: count } }),
    done: 'The subscription is paused',
    toastsError: true,
  });
  return (
    <div className={css['pause']}>
      <SelectField
        label="Skip"
        name="months"
        value={String(count)}
        onChange={({ target }) => setCount(Number(target.value))}
      >
        {months.map((each) => (
          <option key={each} value={each}>
            {each === 1 ? '1 payment' : `${each} payments`}
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
    done: 'The subscription goes on',
    toastsError: true,
  });
  return (
    <Button busy={isPending} onClick={() => mutate()}>
      Keep the subscription
    </Button>
  );
}

function Cancel({
  subscription: { _id: id, nextPaymentOn },
}: Pick<SubscriptionActionsProps, 'subscription'>) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api('POST /subscription/:id/cancel', { id }),
    done: 'The subscription is cancelled',
    toastsError: true,
  });
  async function cancelIfSure() {
    const isSure = await confirm({
      title: 'Cancel this subscription?',
      text: `We finish the month that is paid. The next payment${nextPaymentOn === null ? '' : ` on ${nextPaymentOn}`} is not charged. You can take this back until then.`,
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
