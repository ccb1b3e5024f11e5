/** The notice about an open order of the same package, and the questions before an order is placed. */
import type { CouponPrice } from '#contract/coupons.calls.ts';
import { displayCouponMonths } from '#contract/coupons.ts';
import { displayNameOf, displayPackagePrice, isMonthly } from '#contract/packages.ts';
import { displayPriceText } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { linkTo } from '#contract/screens.ts';
import type { RecordOf } from '#contract/sections/index.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { confirm, type Question } from '#site/ui/confirm.tsx';
import { Dialog, openDialog } from '#site/ui/dialog.tsx';
import { named } from '#site/ui/firm-name.ts';

const sentence = (order: Order) =>
  `You ordered the ${order.displayName} package for ${displayPackagePrice(order)} on ${order.orderDate}. ` +
  (order.paymentStatus === 'Paid'
    ? `That order, ${displayOrderNumber(order.number)}, is paid, and we are working on it.`
    : `That order, ${displayOrderNumber(order.number)}, is waiting for your payment.`);

const ToThatOrder = ({ order }: { readonly order: Order }) =>
  order.paymentStatus === 'Paid' ? (
    <LinkButton href={linkTo('myOrder', order._id)}>See that order</LinkButton>
  ) : (
    <LinkButton href={linkTo('pay', order._id)}>Pay for that order</LinkButton>
  );

/** Shown above the form from the start. */
export const OpenOrderNotice = ({ order }: { readonly order: Order }) => (
  <Alert tone="info" title="You have an open order for this package" action={<ToThatOrder order={order} />}>
    {sentence(order)}
  </Alert>
);

/** Asks when the form is sent anyway. @returns whether the customer wants a second order */
export const askAboutSecond = (order: Order): Promise<boolean> =>
  openDialog((answer) => (
    <Dialog
      open
      onClose={() => answer(false)}
      title="Do you want a second order?"
      actions={
        <>
          <Button variant="quiet" onClick={() => answer(false)}>
            Not now
          </Button>
          <Button variant="secondary" onClick={() => answer(true)}>
            Place a second order
          </Button>
          <ToThatOrder order={order} />
        </>
      }
    >
      <p>{sentence(order)} Nothing new has been ordered yet.</p>
    </Dialog>
  ));

/** For example, 'WELCOME10 takes $49.90 off the price.' */
export const discountOf = (
  { code, discount, months }: CouponPrice,
  chosen: Pick<RecordOf<'pricingPackage'>, 'billing'>,
): string =>
  `${code} takes ${displayPriceText(discount)} off ${isMonthly(chosen) ? displayCouponMonths(months) : 'the price'}.`;

interface PriceChange {
  readonly chosen: Pick<RecordOf<'pricingPackage'>, 'packageName' | 'displayName' | 'billing'>;
  readonly price: string;
  readonly formerPrice: string;
  /** The new price with a coupon; undefined without one. */
  readonly coupon: CouponPrice | undefined;
}

/** The question whether to order at a price that has changed since the customer saw it. */
export const priceQuestion = ({ chosen, price, formerPrice, coupon }: PriceChange): Question => ({
  title: 'The price has changed',
  text: (
    <>
      The {named(displayNameOf(chosen))} package costs <strong>{displayPriceText(price)}</strong> now; it was{' '}
      {displayPriceText(formerPrice)} when you opened this page. {coupon && discountOf(coupon, chosen)}{' '}
      Nothing has been ordered yet.
    </>
  ),
  confirm: `Order for ${displayPriceText(coupon?.price ?? price)}`,
  decline: 'Do not order',
});

/** Asks the customer to accept the new price. */
export const askAboutPrice = (change: PriceChange): Promise<boolean> => confirm(priceQuestion(change));
