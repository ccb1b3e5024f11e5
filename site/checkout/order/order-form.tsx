/** Who the order is for, and the package beside it. What is typed stays when something goes wrong. */
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import { displayNameOf, isMonthly } from '#contract/packages.ts';
import { useEffect, useState } from 'react';
import type { Order } from '#contract/orders.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { AddressFields, readAddress } from '#site/features/orders/address-fields.tsx';
import { BillingFields, readBilling } from '#site/features/orders/billing-fields.tsx';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { textsIn } from '#site/app/use-form.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import type { CallError } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { CouponField } from './coupon-field.tsx';
import { OpenOrderNotice, OpenOrderQuestion } from './open-order.tsx';
import type { Package } from './package.ts';
import { PackageSummary } from './package-summary.tsx';
import type { Customer } from './place-order.ts';
import { PriceQuestion } from './price-question.tsx';
import { useCoupon } from './use-coupon.ts';
import { useOrder, type OrderChoice } from './use-order.ts';
import css from './order-form.module.css';

export interface OrderFormProps {
  readonly chosen: Package;
  readonly email: string;
  /** What the fields begin with. */
  readonly customer: Customer;
  /** An order of this package that is not over yet. */
  readonly openOrder: Order | undefined;
}

export function OrderForm({ chosen, email, customer, openOrder }: OrderFormProps) {
  const [isDirty, setDirty] = useState(false);
  const { ref, errors, failure, isBusy, ...order } = useOrder(chosen, email, openOrder);
  const coupon = useCoupon(chosen, order.price);
  useUnsavedGuard(isDirty && !order.isPlaced);
  const forget = useSessionFields(ref, email);

  useEffect(() => {
    if (!order.isPlaced) return;
    forget();
    // The guard above is off by now, so that nobody is asked whether to leave a form that has been sent.
    location.assign(linkTo('pendingOrders'));
  }, [order.isPlaced, forget]);

  const send = (choice?: OrderChoice) =>
    ref.current
      ? order.send(
          {
            ...readAddress(ref.current),
            ...readBilling(ref.current),
            ...textsIn(ref.current, ['couponCode']),
          },
          choice,
        )
      : Promise.resolve();

  return (
    <TwoColumns
      aside={
        <PackageSummary
          chosen={chosen}
          price={order.price}
          formerPrice={order.formerPrice}
          coupon={coupon.applied}
        />
      }
    >
      <Form ref={ref} className={css['form']} onChange={() => setDirty(true)} onSend={() => send()}>
        {order.openOrder && <OpenOrderNotice order={order.openOrder} />}
        <Field
          label="Email"
          name="customerEmail"
          type="email"
          value={email}
          readOnly
          help="The order belongs to the account that you are signed in with."
          error={errors['customerEmail']}
        />
        <AddressFields start={customer} errors={errors} isOwn />
        <BillingFields details={customer} errors={errors} />
        <CouponField coupon={coupon} error={errors['couponCode']} />
        <ErrorSummary errors={Object.values(errors)} />
        {failure && <OrderFailure failure={failure} />}
        <div className={css['send']}>
          <Button type="submit" busy={isBusy}>
            Place Order
          </Button>
          <span className={css['total']}>
            {isMonthly(chosen)
              ? `${coupon.applied ? `${displayPriceText(coupon.applied.price)} today. The package costs ` : ''}${displayPriceText(order.price)} per month, until you cancel`
              : `${displayPriceText(coupon.applied?.price ?? order.price)} in all`}
          </span>
        </div>
      </Form>
      <PriceQuestion
        name={displayNameOf(chosen)}
        price={order.price}
        formerPrice={order.formerPrice ?? order.price}
        isOpen={order.asksAboutPrice}
        onOrder={() => void send()}
        onClose={order.closeQuestion}
      />
      {order.openOrder && (
        <OpenOrderQuestion
          order={order.openOrder}
          isOpen={order.asksAboutSecond}
          onOrder={() => void send({ isSecond: true })}
          onClose={order.closeQuestion}
        />
      )}
    </TwoColumns>
  );
}

const OrderFailure = ({ failure }: { readonly failure: CallError }) => (
  <Failure error={failure}>
    {failure.status === 429 && (
      <p>
        <TextLink href={linkTo('pendingOrders')}>See your pending orders</TextLink>
      </p>
    )}
  </Failure>
);

function ErrorSummary({ errors }: { readonly errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <Alert title="Please check what you typed">
      <ul className={css['errors']}>
        {errors.map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
    </Alert>
  );
}
