/** What no automatic step could finish: payments to look at, mails that could not be sent. */
import { CircleCheck } from 'lucide-react';
import type { AttentionItem } from '#contract/payments.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#components/badge.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { Moment } from '#site/islands/shared/moment.tsx';
import { ScreenFrame } from '../screen.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { useAction } from '#site/islands/shared/use-action.ts';
import { readAttention } from './read-attention.ts';
import css from './attention.module.css';

const kindTexts: Readonly<Record<AttentionItem['kind'], string>> = {
  refund: 'Refund',
  dispute: 'Payment in dispute',
  failedRefund: 'Refund failed',
  unsettledIntent: 'Payment without an end',
  unsentMail: 'Email not sent',
  missingBrief: 'Answers missing',
  release: 'Release not published',
  overdueStep: 'Step overdue',
};

/** Each is done with once its cause is: a dispute once it is decided, a brief once it is there, a release once it has another time. */
const settlesByItself: readonly AttentionItem['kind'][] = [
  'unsentMail',
  'dispute',
  'missingBrief',
  'release',
  'overdueStep',
];

export default function Attention() {
  const loaded = useLoaded('attention', readAttention);
  return (
    <ScreenFrame
      title="Needs attention"
      intro="Payments in dispute, payments that arrived late or could not be settled, refunds that failed, emails that could not be sent, answers that customers owe, and steps that are overdue."
    >
      <WhenLoaded loaded={loaded}>
        {(items) =>
          items.length === 0 ? (
            <EmptyState title="Nothing needs you" icon={<CircleCheck aria-hidden="true" />}>
              Payments, emails and orders that need a person will be listed here.
            </EmptyState>
          ) : (
            <ul className={css['items']}>
              {items.map((item) => (
                <li key={item._id}>
                  <AttentionCard item={item} onChange={loaded.reload} />
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </ScreenFrame>
  );
}

function AttentionCard({ item, onChange }: { readonly item: AttentionItem; readonly onChange: () => void }) {
  const { _id, kind, text, at, orderId, stripeUrl } = item;
  const { act, isBusy } = useAction(useToast());
  const resend = async () => {
    await act(() => makeCall('POST /unsent-mail/:id', { id: _id }), 'The email is on its way again');
    onChange();
  };
  const markDone = async () => {
    const body = { seen: true } as const;
    await act(() => makeCall('PUT /needs-attention/:id', { id: _id, body }), 'Marked as done');
    onChange();
  };

  return (
    <Card title={kindTexts[kind]} aside={<Badge tone="warning">Open</Badge>}>
      <p>{text}</p>
      <p className={css['at']}>
        <Moment at={at} />
      </p>
      <div className={css['actions']}>
        {orderId !== undefined && (
          <LinkButton href={linkTo('order', orderId)} variant="secondary" size="small">
            Open the order
          </LinkButton>
        )}
        {kind === 'release' && (
          <LinkButton href={linkTo('release', _id)} variant="secondary" size="small">
            Open the release
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
        {!settlesByItself.includes(kind) && (
          <Button size="small" busy={isBusy} onClick={() => void markDone()}>
            Mark as done
          </Button>
        )}
      </div>
    </Card>
  );
}
