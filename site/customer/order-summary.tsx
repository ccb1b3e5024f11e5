/** A summary of an order: package, status, next action, who must act, and the due day. */
import { displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import type { OrderWork } from '#contract/plans.calls.ts';
import { Badge } from '#site/ui/badge.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { counted } from '#contract/counted.ts';
import { displayDay } from '../features/brief/plan-texts.ts';
import { OrderStatusBadge } from '../features/orders/order-status-badge.tsx';
import { Timeline } from '../ui/timeline.tsx';
import { NextAction } from './next-action.tsx';
import { nextStep, orderSteps, type NextStep } from '#site/features/orders/order-progress.ts';
import { classNames } from '#site/ui/class-names.ts';
import { cluster, spread, stack, surface } from '#site/ui/layout.ts';
import css from './order-summary.module.css';

export interface OrderGlanceProps {
  readonly order: Order;
  readonly work: OrderWork | undefined;
  readonly unread: number;
}

export function OrderSummaryCard({ order, work, unread }: OrderGlanceProps) {
  const next = nextStep(order, work);
  return (
    <article className={stack(5, surface(css['summary']))}>
      <header className={cluster([2, 3], css['head'])}>
        <h3 className={css['title']}>
          <TextLink href={linkTo('myOrder', order._id)}>{order.displayName} package</TextLink>
        </h3>
        <OrderStatusBadge order={order} />
        {unread > 0 && <Badge tone="info">{counted(unread, 'new message')}</Badge>}
        <p className={classNames('muted', css['facts'])}>
          Order {displayOrderNumber(order.number)}, {displayPackagePrice(order)}, {order.orderDate}
        </p>
      </header>
      <Timeline steps={orderSteps(order)} inRow />
      <Next next={next} order={order} work={work} />
      {next.also?.map((step) => (
        <Next key={step.text} next={step} order={order} work={undefined} />
      ))}
    </article>
  );
}

interface NextProps extends Pick<OrderGlanceProps, 'order' | 'work'> {
  readonly next: NextStep;
}

/** The next step with its button. With the work, it also says how many steps are done. */
function Next({ next: { text, action, turn, by }, order, work }: NextProps) {
  const done = work?.steps.filter(({ state }) => state === 'done').length ?? 0;
  return (
    <div className={spread([3, 5])}>
      <div className={css['next']}>
        <p>{text}</p>
        {turn && (
          <p className={classNames('muted', css['facts'])}>
            {turn === 'yours' ? 'Your turn' : 'Our turn'}
            {by !== undefined && `, by ${displayDay(by)}`}.
            {order.paymentStatus === 'Paid' &&
              work?.refund === null &&
              work.steps.length > 0 &&
              ` ${done} of ${work.steps.length} steps done.`}
          </p>
        )}
      </div>
      {action && <NextAction action={action} order={order} />}
    </div>
  );
}
