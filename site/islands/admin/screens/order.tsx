/** One order: what was bought by whom, its payment status and its order status, and what happened to it. */
import { timeOfId } from '#contract/ids.ts';
import { linkTo } from '#contract/screens.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order, OrderEvent } from '#contract/orders.calls.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { OrderRefunds } from '#contract/refunds.calls.ts';
import type { Brief, OrderWork } from '#contract/plans.calls.ts';
import { Alert } from '#components/alert.tsx';
import { Badge } from '#components/badge.tsx';
import { LinkButton } from '#components/button.tsx';
import { OrderConversation } from '#site/islands/shared/conversation/order-conversation.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { Age } from '#site/islands/shared/moment.tsx';
import { readBrief } from '#site/islands/shared/read-brief.ts';
import { OrderStatusBadge } from '#site/islands/shared/order-status-badge.tsx';
import { readOrderWork } from '#site/islands/shared/read-work.ts';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { useReturn } from '#site/islands/shared/use-return.ts';
import { readWholeOrder } from '#site/islands/shared/whole-order.ts';
import { kindTexts } from '../attention/attention-actions.tsx';
import { OrderActions } from '../orders/order-actions.tsx';
import { BriefPanel } from '../orders/brief-panel.tsx';
import { DeliveryPanel } from '../orders/delivery-panel.tsx';
import { OrderFacts } from '../orders/order-facts.tsx';
import { OrderHistory } from '../orders/order-history.tsx';
import { PlanPanel } from '../orders/plan-panel.tsx';
import { PaymentPanel } from '../orders/payment-panel.tsx';
import { RefundPanel } from '../orders/refund-panel.tsx';
import { offers } from '../role.ts';
import { LoadedScreen, Panel } from '../screen.tsx';
import { refreshWaiting } from '../inbox-counts.ts';
import css from './order.module.css';

const back = { href: linkTo('orders'), label: 'All orders' };

interface OrderWithTimeline {
  readonly order: Order;
  readonly timeline: readonly OrderEvent[];
  readonly refunds: OrderRefunds;
  readonly brief: Brief;
  readonly work: OrderWork;
}

async function readOrder(id: string, signal: AbortSignal): Promise<OrderWithTimeline> {
  const [order, timeline, refunds, brief, work] = await Promise.all([
    readWholeOrder(id, signal),
    makeCall('GET /order/:id/timeline', { id, signal }),
    makeCall('GET /order/:id/refunds', { id, signal }),
    readBrief(id, signal),
    readOrderWork(id, signal),
  ]);
  return { order, timeline: timeline.data, refunds: refunds.data, brief, work };
}

export default function OrderScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readOrder(id, signal));
  const { data, reload } = loaded;
  useReturn(reload);
  const onChange = () => {
    reload();
    refreshWaiting();
  };
  return (
    <LoadedScreen
      title={data ? `Order ${displayOrderNumber(data.order.number)}` : 'Order'}
      intro={data && <Summary order={data.order} isDisputed={data.refunds.disputes.length > 0} />}
      actions={data && <OrderActions order={data.order} work={data.work} onChange={onChange} />}
      back={back}
      missing={{
        title: 'There is no such order',
        why: 'The address may be misspelled.',
        wayBack: 'All orders',
      }}
      loaded={loaded}
    >
      {({ order, timeline, refunds, brief, work }) => (
        <>
          {refunds.disputes.map((dispute) => (
            <DisputeNotice key={dispute._id} dispute={dispute} />
          ))}
          <OrderFacts order={order} work={work} onChange={onChange} />
          <div className={css['forms']}>
            {offers('administrator') && <PaymentPanel order={order} onChange={onChange} />}
            <DeliveryPanel order={order} work={work} onChange={onChange} />
          </div>
          <PlanPanel order={order} work={work} onChange={onChange} />
          <BriefPanel order={order} brief={brief} isReopened={work.isBriefReopened} onChange={onChange} />
          <OrderConversation
            orderId={id}
            customerName={order.customerName}
            isCustomerGone={order.customerEmail === ''}
            version={order.orderStatus}
            surface={Panel}
          />
          <div id="refunds" className={css['refunds']}>
            <RefundPanel order={order} work={work} refunds={refunds} onChange={onChange} />
          </div>
          <OrderHistory events={timeline} />
        </>
      )}
    </LoadedScreen>
  );
}

/** Where an order stands, for whom and since when, in one line. */
const Summary = ({ order, isDisputed }: { readonly order: Order; readonly isDisputed: boolean }) => (
  <span className={css['summary']}>
    <OrderStatusBadge order={order} />
    {isDisputed && <Badge tone="danger">In dispute</Badge>}
    <span>
      {order.customerName !== '' && `For ${order.customerName}, `}placed{' '}
      <Age at={new Date(timeOfId(order._id)).toISOString()} />
    </span>
  </span>
);

/** What the payer's bank has taken back or asks about, until when to answer, and the way there. */
const DisputeNotice = ({ dispute: { text, at, stripeUrl } }: { readonly dispute: AttentionItem }) => (
  <Alert
    tone="warning"
    isStanding
    title={kindTexts.dispute}
    action={
      stripeUrl !== undefined && (
        <LinkButton href={stripeUrl} size="small">
          Open in Stripe
        </LinkButton>
      )
    }
  >
    <p>{text}</p>
    <p>
      Opened <Age at={at} />.
    </p>
  </Alert>
);
