/** The refunds of an order with their statuses. Staff also see who requested them and why. */
import { displayPriceText } from '#contract/money.ts';
import { refundReasonTexts, type RefundStatus } from '#contract/payments.ts';
import type { Refund } from '#contract/refunds.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge, type Tone } from '#site/ui/badge.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { row, stack } from '#site/ui/layout.ts';
import css from './refund-list.module.css';

const statusTexts: Readonly<Record<RefundStatus, readonly [text: string, tone: Tone]>> = {
  pending: ['On its way', 'info'],
  succeeded: ['Refunded', 'success'],
  failed: ['Failed', 'danger'],
  canceled: ['Stopped', 'danger'],
};

export function RefundList({ refunds }: { readonly refunds: readonly Refund[] }) {
  return (
    <ul className={stack(4, css['list'])}>
      {refunds.map((refund) => (
        <RefundItem key={refund._id} refund={refund} />
      ))}
    </ul>
  );
}

function RefundItem({ refund }: { readonly refund: Refund }) {
  const { _id, amount, status, at, by, note, isReturn } = refund;
  const [text, tone] = statusTexts[status];
  return (
    <li className={stack(1)}>
      <p className={row(2)}>
        <strong>{displayPriceText(amount)}</strong> <Badge tone={tone}>{text}</Badge>
      </p>
      <p className="note">
        <DateTime at={at} />
        {by !== '' && `, ${by}`}
      </p>
      {detailsOf(refund).map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      {status === 'succeeded' && !isReturn && (
        <p>
          <TextLink href={linkTo('creditNote', _id)}>See the credit note</TextLink>
        </p>
      )}
      {note !== '' && <blockquote className="quote">{note}</blockquote>}
    </li>
  );
}

function detailsOf({ status, reason, refundId, failure, isReturn }: Refund): readonly string[] {
  return [
    ...(isReturn ? ['A payment that this order could not accept.'] : []),
    ...(reason === null ? [] : [`${refundReasonTexts[reason]}.`]),
    ...(status === 'pending' && refundId === ''
      ? ['Stripe has not answered yet. We will try again automatically.']
      : []),
    ...(failure === '' ? [] : [`Stripe says: ${failure.replaceAll('_', ' ')}`]),
  ];
}
