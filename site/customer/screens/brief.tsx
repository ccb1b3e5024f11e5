/** `/order-brief/{id}`: what we need to know before the work on an order begins. */
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import type { Brief } from '#contract/plans.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { BriefAnswers } from '#site/features/brief/brief-answers.tsx';
import { api } from '#site/app/call.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { readBrief } from '#site/features/brief/read-brief.ts';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
import { useLoaded } from '#site/app/use-loaded.ts';
import { readWholeOrder } from '#site/features/orders/whole-order.ts';
import { BriefForm } from '../brief/brief-form.tsx';
import { isNotTheirs, NoSuchOrder } from '../no-orders.tsx';

export default function BriefScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, async (signal) => {
    const [order, brief, profile] = await Promise.all([
      readWholeOrder(id, signal),
      readBrief(id, signal),
      api('GET /auth/profile', { signal }),
    ]);
    return { order, brief, website: profile.data.website };
  });
  const { data, error, reload } = loaded;
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
      <WhenLoaded loaded={loaded} lines={8}>
        {({ brief, website }) => <BriefBody orderId={id} brief={brief} website={website} onSent={reload} />}
      </WhenLoaded>
    </ScreenFrame>
  );
}

interface BriefBodyProps {
  readonly orderId: string;
  readonly brief: Brief;
  /** The customer's own, as their profile has it; may be empty. */
  readonly website: string;
  readonly onSent: () => void;
}

function BriefBody({ orderId, brief, website, onSent }: BriefBodyProps) {
  const toOrder = <LinkButton href={linkTo('myOrder', orderId)}>To your order</LinkButton>;
  if (brief.questions.length === 0)
    return (
      <EmptyState title="There is nothing to answer" action={toOrder}>
        We have all that we need for this order.
      </EmptyState>
    );
  if (brief.isEditable)
    return <BriefForm orderId={orderId} brief={brief} website={website} onSent={onSent} />;
  return (
    <>
      {brief.status === 'sent' && (
        <Alert tone="success" title="We have your answers" action={toOrder}>
          Thank you. If something in them has changed, write to us, and we will open them again for you.
        </Alert>
      )}
      <Card title="Your answers">
        <BriefAnswers brief={brief} />
      </Card>
    </>
  );
}
