/** One order in full: its timeline, what to do next, and what was bought. */
import { useQuery } from '@tanstack/react-query';
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import { displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber, isCancellable, wasRefunded } from '#contract/orders.ts';
import type { Order, OrderEvent } from '#contract/orders.calls.ts';
import type { OrderWork } from '#contract/plans.calls.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { Card } from '#site/ui/card.tsx';
import { ToastProvider } from '#site/ui/toast.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { callQuery, joinQueries } from '#site/app/query.ts';
import { OrderConversation } from '#site/features/conversation/order-conversation.tsx';
import { CancelLink } from '#site/features/orders/cancel-link.tsx';
import { ApprovalForm } from '../approval-form.tsx';
import { NextAction } from '../next-action.tsx';
import { isNotTheirs, NoSuchOrder } from '../no-orders.tsx';
import { ReceiptCard } from '../receipt-card.tsx';
import { nextStep, progressSteps, whyNoAnswer } from '#site/features/orders/order-progress.ts';
import { orderQuery } from '#site/features/orders/order-query.ts';
import { Points } from '#site/ui/points.tsx';
import { ContactLine } from '#site/ui/safe-link.tsx';
import { EmailText } from '#site/ui/email-text.tsx';
import { RefundList } from '#site/features/orders/refund-list.tsx';
import { ScreenFrame, TwoColumns } from '#site/ui/screen-frame.tsx';
import { OrderStatusBadge } from '#site/features/orders/order-status-badge.tsx';
import { Timeline } from '#site/ui/timeline.tsx';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { cluster, row } from '#site/ui/layout.ts';
import css from './order.module.css';

export default function OrderScreen({ id }: { readonly id: string }) {
  return (
    <ToastProvider>
      <OrderBody id={id} />
    </ToastProvider>
  );
}

function OrderBody({ id }: { readonly id: string }) {
  const query = joinQueries({
    order: useQuery(orderQuery(id)),
    events: useQuery(callQuery('GET /order/:id/timeline', { id })),
    refunds: useQuery(callQuery('GET /order/:id/refunds', { id })),
    work: useQuery(callQuery('GET /order/:id/work', { id })),
  });
  useRefetchOnFocus(query.refetch);
  const found = query.data?.order;
  if (isNotTheirs(query.error?.status)) return <NoSuchOrder />;
  return (
    <ScreenFrame
      title={found ? `Order ${displayOrderNumber(found.number)}` : 'Your order'}
      intro={
        found && (
          <span className={row([1, 3])}>
            <OrderStatusBadge order={found} />
            <span>
              The {found.displayName} package for {displayPackagePrice(found)}, ordered {found.orderDate}.
            </span>
          </span>
        )
      }
    >
      <QueryBoundary query={query} lines={8}>
        {({ order, events, refunds: { refunds }, work }) => (
          <TwoColumns
            aside={
              <>
                {work.personInCharge && <ContactCard person={work.personInCharge} />}
                <OrderDetails order={order} />
                {order.paymentStatus !== 'Cancelled' && <ReceiptCard order={order} />}
              </>
            }
          >
            <NextStepCard order={order} work={work} />
            {refunds.length > 0 && (
              <Card title="Refunded to you">
                <RefundList refunds={refunds} />
              </Card>
            )}
            <TimelineCard order={order} events={events} work={work} />
            <OrderConversation orderId={id} surface={Card} />
          </TwoColumns>
        )}
      </QueryBoundary>
    </ScreenFrame>
  );
}

interface OrderWithWork {
  readonly order: Order;
  readonly work: OrderWork;
}

function NextStepCard({ order, work }: OrderWithWork) {
  const { text, action } = nextStep(order, work);
  // The answer to a step and the delivery are on this screen, so it needs no links to them.
  const isHere = action !== 'orderAgain' && action?.href === linkTo('myOrder', order._id);
  const shown = isHere ? undefined : action;
  return (
    <Card title="What to do next">
      <p>{text}</p>
      {shown && (
        <div className={cluster(2)}>
          <NextAction action={shown} order={order} />
          {work.brief === 'open' && order.paymentStatus === 'UnPaid' && (
            <LinkButton variant="secondary" href={linkTo('orderBrief', order._id)}>
              Answer our questions now
            </LinkButton>
          )}
          {isCancellable(order) && <CancelLink order={order}>Cancel this order</CancelLink>}
        </div>
      )}
      {work.steps
        .filter(({ wantsApproval }) => wantsApproval)
        .map((step) => (
          <ApprovalForm
            key={step._id}
            orderId={order._id}
            step={step}
            disabledReason={whyNoAnswer(order, step)}
          />
        ))}
      {work.brief === 'sent' && (
        <TextLink href={linkTo('orderBrief', order._id)}>Your answers to our questions</TextLink>
      )}
    </Card>
  );
}

function TimelineCard({ order, work, events }: OrderWithWork & { readonly events: readonly OrderEvent[] }) {
  return (
    <Card title="From order to delivery">
      <Timeline steps={progressSteps(order, events, work.steps)} />
    </Card>
  );
}

/** Who works on the order. */
const ContactCard = ({
  person: { name, phone },
}: {
  readonly person: NonNullable<OrderWork['personInCharge']>;
}) => (
  <Card title="Your contact">
    <p>{name} takes care of your order.</p>
    {phone !== '' && (
      <p>
        Phone: <ContactLine text={phone} />
      </p>
    )}
  </Card>
);

function OrderDetails({ order }: { readonly order: Order }) {
  return (
    <Card title="Your order">
      <dl className={cluster([2, 4], css['details'])}>
        <dt>Price</dt>
        <dd>{displayPackagePrice(order)}</dd>
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
        <dd>
          <EmailText email={order.customerEmail} />
        </dd>
        <dt>Address</dt>
        <dd className={css['address']}>{order.customerAddress}</dd>
        <dt>Country</dt>
        <dd>{order.customerCountry}</dd>
      </dl>
      <Points points={order.packagePoints} isOrdered />
      {order.subscriptionId && (
        <TextLink href={linkTo('subscription', order.subscriptionId)}>See your subscription</TextLink>
      )}
    </Card>
  );
}
