/** One order: work and conversation on the left; money, customer and statuses on the right. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { timeOfId } from '#contract/ids.ts';
import { linkTo } from '#contract/screens.ts';
import { displayOrderNumber, isCustomerDeleted } from '#contract/orders.ts';
import { attentionKinds } from '#contract/attention.ts';
import type { AttentionItem } from '#contract/attention.calls.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Badge } from '#site/ui/badge.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { OrderConversation } from '#site/features/conversation/order-conversation.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { OrderStatusBadge } from '#site/features/orders/order-status-badge.tsx';
import { joinQueries, useCall } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { orderQuery } from '#site/features/orders/order-query.ts';
import { OrderActions } from './order-actions.tsx';
import { BriefPanel } from './brief-panel.tsx';
import { CustomerName, CustomerPanel } from './customer-panel.tsx';
import { OrderFacts } from './order-facts.tsx';
import { OrderHistory } from './order-history.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { canRefund, RefundPanel } from './refund-panel.tsx';
import { StatusPanels } from './status-panels.tsx';
import type { WorkPanelProps } from './order-panel.ts';
import { Notes } from '../notes/notes.tsx';
import { openDisputesQuery } from './open-disputes.ts';
import { orderForms } from './order-links.ts';
import { LoadedScreen } from '../shell/screen.tsx';
import { row } from '#site/ui/layout.ts';

const back = { href: linkTo('orders'), label: 'All orders' };

export default function OrderScreen({ id }: { readonly id: string }) {
  const query = joinQueries({
    order: useQuery(orderQuery(id)),
    timeline: useCall('GET /order/:id/timeline', { id }),
    refunds: useCall('GET /order/:id/refunds', { id }),
    brief: useCall('GET /order/:id/brief', { id }),
    work: useCall('GET /order/:id/work', { id }),
  });
  const { data, refetch } = query;
  const [isRefunding, setRefunding] = useState(location.hash === orderForms.refund);
  useRefetchOnFocus(refetch);
  return (
    <LoadedScreen
      title={data ? `Order ${displayOrderNumber(data.order.number)}` : 'Order'}
      intro={
        data && <Summary order={data.order} work={data.work} isDisputed={data.refunds.disputes.length > 0} />
      }
      actions={
        data && (
          <OrderActions
            order={data.order}
            work={data.work}
            onRefund={canRefund(data.order, data.refunds) ? () => setRefunding(true) : undefined}
          />
        )
      }
      back={back}
      missing={{
        title: 'We could not find this order',
        why: 'The address may be misspelled.',
        wayOn: back,
      }}
      query={query}
    >
      {({ order, timeline, refunds, brief, work }) => (
        <>
          {refunds.disputes.map((dispute) => (
            <DisputeNotice key={dispute._id} dispute={dispute} />
          ))}
          <LostDisputeNotice orderId={id} />
          <DeletedCustomerNotice order={order} />
          <TwoColumns
            aside={
              <>
                <OrderFacts order={order} />
                <RefundPanel
                  order={order}
                  work={work}
                  refunds={refunds}
                  isRefunding={isRefunding}
                  onRefunding={setRefunding}
                />
                <CustomerPanel order={order} work={work} />
                <StatusPanels order={order} work={work} />
                <OrderHistory events={timeline} />
              </>
            }
          >
            <PlanPanel order={order} work={work} />
            <BriefPanel order={order} work={work} brief={brief} />
            <OrderConversation
              orderId={id}
              customerName={order.customerName}
              isCustomerGone={isCustomerDeleted(order)}
            />
            <Notes kind="order" id={id} />
          </TwoColumns>
        </>
      )}
    </LoadedScreen>
  );
}

const Summary = ({ order, work, isDisputed }: WorkPanelProps & { readonly isDisputed: boolean }) => (
  <span className={row([1, 3])}>
    <OrderStatusBadge order={order} />
    {isDisputed && <Badge tone="danger">In dispute</Badge>}
    <span>
      Placed <RelativeTime at={new Date(timeOfId(order._id)).toISOString()} />
      {order.customerName !== '' && (
        <>
          {' '}
          for <CustomerName order={order} work={work} />
        </>
      )}
    </span>
  </span>
);

function LostDisputeNotice({ orderId }: { readonly orderId: string }) {
  const { data: disputes } = useQuery(openDisputesQuery);
  return (
    disputes?.lostOrderIds.includes(orderId) && (
      <Alert tone="danger" isStanding title="The payment was lost in a dispute">
        The customer's bank took the money back, so nothing can be refunded. Decide whether to continue the
        work. If you stop, tell the customer, and mark the order as delivered to close it.
      </Alert>
    )
  );
}

const DeletedCustomerNotice = ({ order }: { readonly order: Order }) =>
  isCustomerDeleted(order) &&
  order.paymentStatus === 'Paid' &&
  order.orderStatus === 'Pending' && (
    <Alert tone="warning" isStanding title="The customer deleted their account">
      Nobody can receive the work. Refund the order, or set it to Delivered to close it.
    </Alert>
  );

const DisputeNotice = ({ dispute: { text, at, stripeUrl } }: { readonly dispute: AttentionItem }) => (
  <Alert
    tone="warning"
    isStanding
    title={attentionKinds.dispute.title}
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
