/** One order in short: what it is, where it stands, what to do about it. */
import { displayPriceText } from '#contract/money.ts';
import type { Order } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#components/button.tsx';
import { TextLink } from '#components/text-link.tsx';
import { nextStep } from './order-progress.ts';
import { OrderSteps } from './steps.tsx';
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
          {displayPriceText(order.packagePrice)}, ordered {order.orderDate}
        </p>
      </header>
      <OrderSteps order={order} />
      <div className={css['next']}>
        <p>{text}</p>
        {action && <LinkButton href={action.href}>{action.label}</LinkButton>}
      </div>
    </article>
  );
}
