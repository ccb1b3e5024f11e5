/** One order in short: what it is, where it stands, what to do about it. */
import { displayPriceText } from '#contract/money.ts';
import { displayOrderNumber, type Order } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#components/text-link.tsx';
import { Timeline } from '../shared/timeline.tsx';
import { NextAction } from './next-action.tsx';
import { nextStep, orderSteps } from './order-progress.ts';
import css from './order-glance.module.css';

export function OrderGlance({ order }: { readonly order: Order }) {
  const { text, action } = nextStep(order);
  return (
    <article className={css['glance']}>
      <header className={css['head']}>
        <h3 className={css['title']}>
          <TextLink href={linkTo('myOrder', order._id)}>{order.packageName} package</TextLink>
        </h3>
        <p className={css['facts']}>
          Order {displayOrderNumber(order.number)}, {displayPriceText(order.packagePrice)}, {order.orderDate}
        </p>
      </header>
      <Timeline steps={orderSteps(order)} inRow />
      <div className={css['next']}>
        <p>{text}</p>
        {action && <NextAction action={action} order={order} />}
      </div>
    </article>
  );
}
