/** One order: what was bought by whom, its payment status and its order status, and what happened to it. */
import { timeOfId } from '#contract/ids.ts';
import { linkTo } from '#contract/screens.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order, OrderEvent } from '#contract/orders.calls.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { OrderRefunds } from '#contract/refunds.calls.ts';
import type { Brief, OrderWork } from '#contract/plans.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Badge } from '#site/ui/badge.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { OrderConversation } from '#site/features/conversation/order-conversation.tsx';
import { api } from '#site/app/call.ts';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { readBrief } from '#site/features/brief/read-brief.ts';
import { OrderStatusBadge } from '#site/features/orders/order-status-badge.tsx';
import { readOrderWork } from '#site/features/brief/read-work.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { readWholeOrder } from '#site/features/orders/whole-order.ts';
import { kindTexts } from '../attention/attention-actions.tsx';
import { OrderActions } from './order-actions.tsx';
import { BriefPanel } from './brief-panel.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderHistory } from './order-history.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { PaymentPanel } from './payment-panel.tsx';
import { RefundPanel } from './refund-panel.tsx';
import { offers } from '../shell/role.ts';
import { LoadedScreen, Panel } from '../shell/screen.tsx';
import { refreshWaiting } from '../shell/inbox-counts.ts';
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
    api('GET /order/:id/timeline', { id, signal }),
    api('GET /order/:id/refunds', { id, signal }),
    readBrief(id, signal),
    readOrderWork(id, signal),
  ]);
  return { order, timeline: timeline.data, refunds: refunds.data, brief, work };
}

export default function OrderScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readOrder(id, signal));
  const { data, reload } = loaded;
  useRefetchOnFocus(reload);
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
        wayOn: back,
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
      <RelativeTime at={new Date(timeOfId(order._id)).toISOString()} />
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
      Opened <RelativeTime at={at} />.
    </p>
  </Alert>
);
