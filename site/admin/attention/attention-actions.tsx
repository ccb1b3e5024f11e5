/** The actions for an item that needs attention, shown with the item. */
import type { AttentionItem } from '#contract/attention.calls.ts';
import { messagesFragment } from '#contract/conversations.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { offers } from '../shell/role.ts';
import { cluster } from '#site/ui/layout.ts';

export const kindTexts: Readonly<Record<AttentionItem['kind'], string>> = {
  refund: 'Refund',
  dispute: 'Payment in dispute',
  lostDispute: 'Dispute lost',
  failedRefund: 'Refund failed',
  failedRenewal: 'Monthly payment failed',
  unsettledIntent: 'Payment not settled',
  unsentMail: 'Email not sent',
  missingBrief: 'Answers missing',
  release: 'Release not published',
  overdueStep: 'Step overdue',
  fraudWarning: 'Possible fraud',
  changeWanted: 'Change requested',
  customerDeleted: 'Customer deleted their account',
  unreadMessage: 'Unread message',
  paymentKey: 'Payment key rejected',
};

/** Kinds of items that stay until somebody marks them as done. The others disappear when their cause is resolved. */
const staysListed: readonly AttentionItem['kind'][] = [
  'refund',
  'failedRefund',
  'unsettledIntent',
  'fraudWarning',
];

export function AttentionActions({ item }: { readonly item: AttentionItem }) {
  const { _id, kind, orderId, stripeUrl, isGivenUp = false } = item;
  return (
    <div className={cluster(2)}>
      {orderId !== undefined && (
        <LinkButton
          href={linkTo('order', orderId) + (kind === 'unreadMessage' ? messagesFragment : '')}
          variant="secondary"
          size="small"
        >
          {kind === 'unreadMessage' ? 'Read and reply' : 'Open the order'}
        </LinkButton>
      )}
      {kind === 'failedRenewal' && (
        <LinkButton href={linkTo('customerSubscription', _id)} size="small">
          Open the subscription
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
        <ActionButton
          size="small"
          action={() => api('POST /unsent-mail/:id', { id: _id })}
          done="The email will be sent again"
        >
          Send again
        </ActionButton>
      )}
      {(isGivenUp || staysListed.includes(kind)) && (
        <ActionButton
          variant="quiet"
          size="small"
          action={() => api('PUT /needs-attention/:id', { id: _id, body: { seen: true } })}
          done="Marked as done"
        >
          Mark as done
        </ActionButton>
      )}
    </div>
  );
}
