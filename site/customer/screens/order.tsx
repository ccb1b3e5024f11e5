/** One order in full: the timeline, what to do next, and what was bought. */
import { useQuery } from '@tanstack/react-query';
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import { displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber, isCancellable, wasRefunded, isPaidFor } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { OrderWork } from '#contract/plans.calls.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { Card } from '#site/ui/card.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { joinQueries, useCall } from '#site/app/query.ts';
import { OrderConversation } from '#site/features/conversation/order-conversation.tsx';
import { CancelLink } from '#site/features/orders/cancel-link.tsx';
import { describeDiscount } from '#site/features/orders/discount.ts';
import { ApprovalForm } from '../approval-form.tsx';
import { Details } from '../details.tsx';
import { NextAction } from '../next-action.tsx';
import { isNotTheirs, NoSuchOrder } from '../no-orders.tsx';
import { nextStep, progressSteps, answerDisabledReason } from '#site/features/orders/order-progress.ts';
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
import { BillingForm } from '#site/features/orders/billing-form.tsx';

export default function OrderScreen({ id }: { readonly id: string }) {
  const query = joinQueries({
    order: useQuery(orderQuery(id)),
    events: useCall('GET /order/:id/timeline', { id }),
    refunds: useCall('GET /order/:id/refunds', { id }),
    work: useCall('GET /order/:id/work', { id }),
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
        {({ order, events, refunds: { refunds }, work }) => {
          const timeline = (
            <Card key="timeline" title="From order to delivery">
              <Timeline steps={progressSteps(order, events, work)} />
            </Card>
          );
          const conversation = <OrderConversation key="conversation" orderId={id} />;
          return (
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
                <Card title="Refunds">
                  <RefundList refunds={refunds} />
                </Card>
              )}
              {/* The conversation begins with the delivery. */}
              {order.orderStatus === 'Delivered' ? [conversation, timeline] : [timeline, conversation]}
            </TwoColumns>
          );
        }}
      </QueryBoundary>
    </ScreenFrame>
  );
}

function NextStepCard({ order, work }: { readonly order: Order; readonly work: OrderWork }) {
  const { text, action, also = [] } = nextStep(order, work);
  // If the next action is already on this screen (answering a step, seeing the delivery), it needs no link.
  const isHere = action !== 'orderAgain' && action?.href === linkTo('myOrder', order._id);
  const shown = isHere ? undefined : action;
  return (
    <Card title="What happens next">
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
      {also.map((step) => (
        <p key={step.text}>{step.text}</p>
      ))}
      {work.steps
        .filter(({ wantsApproval }) => wantsApproval)
        .map((step) => (
          <ApprovalForm
            key={step._id}
            orderId={order._id}
            step={step}
            disabledReason={answerDisabledReason(order, step)}
          />
        ))}
      {work.brief === 'sent' && (
        <TextLink href={linkTo('orderBrief', order._id)}>Your answers to our questions</TextLink>
      )}
    </Card>
  );
}

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
      <Details
        facts={[
          ['Price', displayPackagePrice(order)],
          [order.couponCode === '' ? 'Discount' : 'Coupon', describeDiscount(order)],
          ['Refunded', wasRefunded(order) && displayPriceText(order.refundedAmount)],
          ['Transaction ID', order.transactionId],
          ['Name', order.customerName],
          ['Email', <EmailText email={order.customerEmail} />],
          ['Address', order.customerAddress],
          ['Country', order.customerCountry],
        ]}
      />
      <Points points={order.packagePoints} isOrdered />
      {order.subscriptionId && (
        <TextLink href={linkTo('subscription', order.subscriptionId)}>See your subscription</TextLink>
      )}
    </Card>
  );
}

function ReceiptCard({ order }: { readonly order: Order }) {
  return (
    <Card title="Receipt">
      {isPaidFor(order) ? (
        <LinkButton variant="secondary" href={linkTo('receipt', order._id)}>
          See the receipt
        </LinkButton>
      ) : (
        <p>You will get a receipt as soon as the order is paid.</p>
      )}
      <BillingForm order={order} receipt="Your receipt" />
    </Card>
  );
}
