/** What can be done about a line of what needs a person, in place. */
import type { AttentionItem } from '#contract/attention.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { useAction } from '#site/app/use-action.ts';
import { offers } from '../shell/role.ts';
import { refreshWaiting } from '../shell/inbox-counts.ts';
import css from './attention-actions.module.css';

/** What a line is about. */
export const kindTexts: Readonly<Record<AttentionItem['kind'], string>> = {
  refund: 'Refund',
  dispute: 'Payment in dispute',
  failedRefund: 'Refund failed',
  unsettledIntent: 'Payment not settled',
  unsentMail: 'Email not sent',
  missingBrief: 'Answers missing',
  release: 'Release not published',
  overdueStep: 'Step overdue',
  fraudWarning: 'Payment may be fraud',
  changeWanted: 'Change requested',
  unreadMessage: 'Unread message',
  paymentKey: 'Payment key refused',
};

/**
 * Lines that go by themselves once their cause is gone: a dispute once it is decided, a brief once it is there, a release
 * once it has another time, a change once its step is ticked off, a message once it is read. So does a mail, unless it was given up.
 */
const settlesByItself: readonly AttentionItem['kind'][] = [
  'unsentMail',
  'dispute',
  'missingBrief',
  'release',
  'overdueStep',
  'changeWanted',
  'unreadMessage',
  'paymentKey',
];

export interface AttentionActionsProps {
  readonly item: AttentionItem;
  /** Called once something was done. */
  readonly onChange: () => void;
}

export function AttentionActions({ item, onChange }: AttentionActionsProps) {
  const { _id, kind, orderId, stripeUrl, isGivenUp = false } = item;
  const { act, isBusy } = useAction(useToast());
  const run = async (work: () => Promise<unknown>, done: string) => {
    await act(work, done);
    onChange();
    refreshWaiting();
  };
  const resend = () => run(() => api('POST /unsent-mail/:id', { id: _id }), 'The email is on its way again');
  const markDone = () =>
    run(() => api('PUT /needs-attention/:id', { id: _id, body: { seen: true } }), 'Marked as done');

  return (
    <div className={css['actions']}>
      {orderId !== undefined && (
        <LinkButton href={linkTo('order', orderId)} variant="secondary" size="small">
          Open the order
        </LinkButton>
      )}
      {kind === 'release' && offers('content') && (
        <LinkButton href={linkTo('release', _id)} variant="secondary" size="small">
          Open the release
        </LinkButton>
      )}
      {kind === 'paymentKey' && offers('administrator') && (
        <LinkButton href={linkTo('paymentKey', _id)} variant="secondary" size="small">
          Change the payment key
        </LinkButton>
      )}
      {stripeUrl !== undefined && (
        <LinkButton href={stripeUrl} size="small">
          Open in Stripe
        </LinkButton>
      )}
      {kind === 'unsentMail' && (
        <Button size="small" busy={isBusy} onClick={() => void resend()}>
          Send again
        </Button>
      )}
      {(isGivenUp || !settlesByItself.includes(kind)) && (
        <Button variant="quiet" size="small" busy={isBusy} onClick={() => void markDone()}>
          Mark as done
        </Button>
      )}
    </div>
  );
}
