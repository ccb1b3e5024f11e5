/** One order in full: its way from placing to delivery, what to do next, what was bought. */
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import {
  displayOrderNumber,
  isCancellable,
  wasRefunded,
  type Order,
  type OrderEvent,
} from '#contract/orders.ts';
import { isWanted, type Brief } from '#contract/work.ts';
import { Status } from '#components/badge.tsx';
import { LinkButton } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { OrderConversation } from '#site/islands/shared/conversation/order-conversation.tsx';
import { CancelLink } from '#site/islands/shared/cancel-link.tsx';
import { readRefunds, readTimeline } from '../order-calls.ts';
import { NextAction } from '../next-action.tsx';
import { isNotTheirs, NoSuchOrder } from '../no-such-order.tsx';
import { ReceiptCard } from '../receipt-card.tsx';
import { nextStep, progressSteps } from '../order-progress.ts';
import { readBrief } from '#site/islands/shared/read-brief.ts';
import { readWholeOrder } from '#site/islands/shared/whole-order.ts';
import { Points } from '#site/islands/shared/points.tsx';
import { RefundList } from '#site/islands/shared/refund-list.tsx';
import { ScreenFrame, TwoColumns } from '#site/islands/shared/screen-frame.tsx';
import { Timeline } from '#site/islands/shared/timeline.tsx';
import { useReturn } from '#site/islands/shared/use-return.ts';
import css from './order.module.css';

export default function OrderScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, async (signal) => {
    const [order, events, refunds, brief] = await Promise.all([
      readWholeOrder(id, signal),
      readTimeline(id, signal),
      readRefunds(id, signal),
      readBrief(id, signal),
    ]);
    return { order, events, refunds, brief };
  });
  useReturn(loaded.reload);
  const found = loaded.data?.order;
  if (isNotTheirs(loaded.error?.status)) return <NoSuchOrder />;
  return (
    <ScreenFrame
      title={found ? `Order ${displayOrderNumber(found.number)}` : 'Your order'}
      intro={
        found &&
        `The ${found.packageName} package for ${displayPriceText(found.packagePrice)}, ordered ${found.orderDate}.`
      }
    >
      <WhenLoaded loaded={loaded} lines={8}>
        {({ order, events, refunds, brief }) => (
          <TwoColumns
            aside={
              <>
                <OrderDetails order={order} />
                <ReceiptCard order={order} onChange={loaded.reload} />
              </>
            }
          >
            <NextStepCard order={order} brief={brief} />
            {refunds.length > 0 && (
              <Card title="Returned to you">
                <RefundList refunds={refunds} />
              </Card>
            )}
            <OrderConversation orderId={id} version={order.orderStatus} surface={Card} />
            <TimelineCard order={order} events={events} />
          </TwoColumns>
        )}
      </WhenLoaded>
    </ScreenFrame>
  );
}

function NextStepCard({ order, brief }: { readonly order: Order; readonly brief: Brief }) {
  const { text, action } = nextStep(order, isWanted(brief));
  return (
    <Card title="What to do next">
      <p>{text}</p>
      {action && (
        <div className={css['actions']}>
          <NextAction action={action} order={order} />
          {isWanted(brief) && order.paymentStatus === 'UnPaid' && (
            <LinkButton variant="secondary" href={linkTo('orderBrief', order._id)}>
              Answer our questions already
            </LinkButton>
          )}
          {isCancellable(order) && <CancelLink orderId={order._id}>Cancel this order</CancelLink>}
        </div>
      )}
    </Card>
  );
}

function TimelineCard({ order, events }: { readonly order: Order; readonly events: readonly OrderEvent[] }) {
  return (
    <Card title="From order to delivery">
      <Timeline steps={progressSteps(order, events)} />
    </Card>
  );
}

function OrderDetails({ order }: { readonly order: Order }) {
  return (
    <Card title="Your order">
      <dl className={css['details']}>
        <dt>Payment</dt>
        <dd>
          <Status status={order.paymentStatus} />
        </dd>
        <dt>Order</dt>
        <dd>
          <Status status={order.orderStatus} />
        </dd>
        <dt>Price</dt>
        <dd>{displayPriceText(order.packagePrice)}</dd>
        {wasRefunded(order) && (
          <>
            <dt>Refunded</dt>
            <dd>{displayPriceText(order.refundedAmount)}</dd>
          </>
        )}
        {order.transactionId && (
          <>
            <dt>Transaction id</dt>
            <dd>{order.transactionId}</dd>
          </>
        )}
        <dt>Name</dt>
        <dd>{order.customerName}</dd>
        <dt>Email</dt>
        <dd>{order.customerEmail}</dd>
        <dt>Address</dt>
        <dd className={css['address']}>{order.customerAddress}</dd>
        <dt>Country</dt>
        <dd>{order.customerCountry}</dd>
      </dl>
      <Points points={order.packagePoints} />
    </Card>
  );
}
