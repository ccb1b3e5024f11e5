/** The actions for an item that needs attention, shown with the item. */
import { attentionKinds } from '#contract/attention.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import { messagesFragment } from '#contract/conversations.ts';
import { linkTo, screens } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { api } from '#site/app/call.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { offers } from '../shell/role.ts';
import { cluster } from '#site/ui/layout.ts';

export function AttentionActions({ item }: { readonly item: AttentionItem }) {
  const { _id, kind, orderId, stripeUrl, isGivenUp = false } = item;
  const { link, canBeMarkedDone } = attentionKinds[kind];
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
      {link && offers(screens[link.screen].who) && (
        <LinkButton
          href={linkTo(link.screen, _id)}
          variant={orderId === undefined ? 'secondary' : 'primary'}
          size="small"
        >
          {link.label}
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
      {(isGivenUp || canBeMarkedDone) && (
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
