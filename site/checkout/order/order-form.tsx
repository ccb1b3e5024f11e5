/** The order form: the customer's details, and the package next to them. Typed values stay after an error. */
import { signInTexts } from '#contract/account-rules.ts';
import { displayCouponMonths } from '#contract/coupons.ts';
import type { CouponPrice } from '#contract/coupons.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import { isMonthly } from '#contract/packages.ts';
import { useEffect, useState } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Form } from '#site/ui/form.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { AddressFields, readAddress } from '#site/features/orders/address-fields.tsx';
import { BillingFields, readBilling } from '#site/features/orders/billing-fields.tsx';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { textsIn } from '#site/app/use-form.ts';
import { assignTyped, useSessionFields } from '#site/app/use-session-fields.ts';
import { Failure } from '#site/app/failure.tsx';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { loginAddress, NewAccountFields, OwnEmail, readNewAccount } from './account-fields.tsx';
import { CouponField, useCoupon } from './coupon-field.tsx';
import { OpenOrderNotice } from './order-questions.tsx';
import { type Package, openOrderOf, type Buyer } from './place-order.ts';
import { PackageSummary } from './package-summary.tsx';
import { loadCheck, useOrder } from './use-order.ts';
import { row, stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './order-form.module.css';

interface OrderFormProps {
  readonly chosen: Package;
  /** Null for a stranger. */
  readonly buyer: Buyer | null;
}

export function OrderForm({ chosen, buyer }: OrderFormProps) {
  const [isDirty, setDirty] = useState(false);
  const openOrder = buyer ? openOrderOf(chosen.packageName, buyer.openOrders) : undefined;
  const { ref, errors, failure, isBusy, email, ...order } = useOrder(chosen, buyer?.email, openOrder);
  const coupon = useCoupon(chosen, order.price);
  useUnsavedGuard(isDirty && !order.isPlaced);
  useEffect(() => {
    if (email !== undefined) assignTyped(email);
  }, [email]);
  const forget = useSessionFields(ref, email);

  useEffect(() => {
    if (!order.isPlaced) return;
    forget();
    // `isPlaced` has turned the guard above off, so the browser does not ask about unsaved text.
    location.assign(linkTo('pendingOrders'));
  }, [order.isPlaced, forget]);

  const send = (element: HTMLFormElement) =>
    order.send({
      account: readNewAccount(element),
      ...readAddress(element),
      ...readBilling(element),
      ...textsIn(element, ['couponCode']),
    });

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
      <Form
        ref={ref}
        errors={errors}
        className={stack(5)}
        onFocus={() => void loadCheck().catch(() => undefined)}
        onChange={() => setDirty(true)}
        onSend={send}
      >
        {order.openOrder && <OpenOrderNotice order={order.openOrder} />}
        {email === undefined ? (
          // The values are stored, so there is no warning.
          <NewAccountFields onLeave={() => setDirty(false)} />
        ) : (
          <OwnEmail email={email} />
        )}
        <AddressFields start={buyer?.customer} isOwn />
        <BillingFields details={buyer?.customer} />
        <CouponField coupon={coupon} chosen={chosen} />
        <ErrorSummary errors={Object.values(errors)} onLeave={() => setDirty(false)} />
        {failure && (
          <Failure error={failure}>
            {failure.status === 429 && email !== undefined && (
              <p>
                <TextLink href={linkTo('pendingOrders')}>See your pending orders</TextLink>
              </p>
            )}
          </Failure>
        )}
        <div className={row([2, 4], css['send'])}>
          <Button type="submit" busy={isBusy}>
            Place Order
          </Button>
          <span className={typography['muted']}>
            {isMonthly(chosen)
              ? `${monthlyCost(order.price, coupon.applied)}, until you cancel`
              : `${displayPriceText(coupon.applied?.price ?? order.price)} total`}
          </span>
        </div>
      </Form>
    </TwoColumns>
  );
}

/** For example, '$719.20 for each of the first 3 payments, then $899 per month'. */
function monthlyCost(price: string, coupon: CouponPrice | undefined): string {
  if (!coupon || coupon.months === null) return `${displayPriceText(coupon?.price ?? price)} per month`;
  return `${displayPriceText(coupon.price)} for ${displayCouponMonths(coupon.months)}, then ${displayPriceText(price)} per month`;
}

interface ErrorSummaryProps {
  readonly errors: readonly string[];
  /** Called before the login page opens. */
  readonly onLeave: () => void;
}

function ErrorSummary({ errors, onLeave }: ErrorSummaryProps) {
  if (errors.length === 0) return null;
  return (
    <Alert
      title="Please check what you typed"
      action={
        errors.includes(signInTexts.taken) && (
          <LinkButton variant="secondary" href={loginAddress()} onClick={onLeave}>
            Log in
          </LinkButton>
        )
      }
    >
      <ul className={stack(1)}>
        {errors.map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
      {errors.includes(signInTexts.taken) && <p>We keep what you typed, except for the password.</p>}
    </Alert>
  );
}
