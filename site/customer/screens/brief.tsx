/** `/order-brief/{id}`: the questions that we ask before the work on an order begins. */
import { useQuery } from '@tanstack/react-query';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import type { Brief } from '#contract/plans.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { BriefAnswers } from '#site/features/brief/brief-answers.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
import { joinQueries, useCall } from '#site/app/query.ts';
import { orderQuery } from '#site/features/orders/order-query.ts';
import { BriefForm } from '../brief/brief-form.tsx';
import { isNotTheirs, NoSuchOrder } from '../no-orders.tsx';

export default function BriefScreen({ id }: { readonly id: string }) {
  const query = joinQueries({
    order: useQuery(orderQuery(id)),
    brief: useCall('GET /order/:id/brief', { id }),
    profile: useCall('GET /auth/profile'),
  });
  const { data, error } = query;
  if (isNotTheirs(error?.status)) return <NoSuchOrder />;
  return (
    <ScreenFrame
      title="About your business"
      back={{
        href: linkTo('myOrder', id),
        label: data ? `Order ${displayOrderNumber(data.order.number)}` : 'The order',
      }}
      intro={
        data?.brief.isEditable &&
        data.brief.questions.length > 0 &&
        'A few questions before we begin. Your answers are saved as you type; send them when you are done.'
      }
    >
      <QueryBoundary query={query} lines={8}>
        {({ brief, profile }) => <BriefBody orderId={id} brief={brief} website={profile.website} />}
      </QueryBoundary>
    </ScreenFrame>
  );
}

interface BriefBodyProps {
  readonly orderId: string;
  readonly brief: Brief;
  /** From the customer's profile; may be empty. */
  readonly website: string;
}

function BriefBody({ orderId, brief, website }: BriefBodyProps) {
  const toOrder = <LinkButton href={linkTo('myOrder', orderId)}>Go to your order</LinkButton>;
  if (brief.questions.length === 0)
    return (
      <EmptyState title="There is nothing to answer" action={toOrder}>
        We have everything we need for this order.
      </EmptyState>
    );
  if (brief.isEditable) return <BriefForm orderId={orderId} brief={brief} website={website} />;
  return (
    <>
      {brief.status === 'sent' && (
        <Alert tone="success" title="We have your answers" action={toOrder}>
          Thank you. If any of them have changed, write to us, and we will reopen the questions for you.
        </Alert>
      )}
      <Card title="Your answers">
        <BriefAnswers brief={brief} />
      </Card>
    </>
  );
}
