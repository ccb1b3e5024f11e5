/**
 * `/order-now/{id}`: the order form of a package, with the customer's details next to the package. A visitor without an
 * account creates one with the order. Typed values are kept after an error.
 */
import { useEffect, useState } from 'react';
import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { signInTexts } from '#contract/account-rules.ts';
import type { Profile } from '#contract/accounts.calls.ts';
import type { CouponPrice } from '#contract/coupons.calls.ts';
import { displayCouponMonths } from '#contract/coupons.ts';
import { displayPriceText } from '#contract/money.ts';
import type { Order } from '#contract/orders.calls.ts';
import { displayNameOf, isMonthly } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import { joinQueries, queryClient, useCall } from '#site/app/query.ts';
import { readSession } from '#site/app/session.ts';
import { textsIn } from '#site/app/use-form.ts';
import { assignTyped, useSessionFields } from '#site/app/use-session-fields.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { AddressFields, readAddress } from '#site/features/orders/address-fields.tsx';
import { BillingFields, readBilling } from '#site/features/orders/billing-fields.tsx';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { named } from '#site/ui/firm-name.ts';
import { Form } from '#site/ui/form.tsx';
import { row, stack } from '#site/ui/layout.ts';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { loginAddress, NewAccountFields, OwnEmail, readNewAccount } from './account-fields.tsx';
import { CouponField, useCoupon } from './coupon-field.tsx';
import { OpenOrderNotice } from './order-questions.tsx';
import { PackageSummary } from './package-summary.tsx';
import { loadCheck, openOrderOf, openOrders, useOrder, type Customer, type Package } from './use-order.ts';
import css from './order-screen.module.css';

const lastOrder = { own: 'true', pageSize: 1 } as const;

interface Buyer {
  readonly email: string;
  /** The initial values of the form. */
  readonly customer: Customer;
  readonly openOrders: readonly Order[];
}

/** The signed-in customer with their details; null for an anonymous visitor. */
async function readBuyer(signal: AbortSignal): Promise<Buyer | null> {
  const account = await readSession(signal);
  if (!account) return null;
  const [{ data: last }, { data: open }, { data: profile }] = await Promise.all([
    api('GET /orders', { query: lastOrder, signal }),
    api('GET /orders', { query: openOrders, signal }),
    api('GET /auth/profile', { signal }),
  ]);
  return { email: account.email, customer: knownCustomer(last[0], profile), openOrders: open };
}

/** The customer's details from the last order or, before the first order, from the profile. */
const knownCustomer = (last: Order | undefined, { name, company }: Profile): Customer => ({
  customerName: last?.customerName ?? name,
  customerAddress: last?.customerAddress ?? '',
  customerCountry: last?.customerCountry ?? '',
  customerCompany: last?.customerCompany ?? company,
  customerTaxNumber: last?.customerTaxNumber ?? '',
  receiptCopyEmail: last?.receiptCopyEmail ?? '',
});

const buyerQuery = {
  queryKey: ['buyer'],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => readBuyer(signal),
  select: (buyer: Buyer | null) => buyer,
};

/** The query client loads with this screen, because no other checkout screen uses it. */
export default function OrderScreen({ id }: { readonly id: string }) {
  return (
    <QueryClientProvider client={queryClient}>
      <LoadedOrderForm id={id} />
    </QueryClientProvider>
  );
}

function LoadedOrderForm({ id }: { readonly id: string }) {
  const query = joinQueries({
    chosen: useCall('GET /pricing/:id', { id }),
    buyer: useQuery(buyerQuery),
  });
  return (
    <LoadedScreen
      title={query.data ? `Order the ${named(displayNameOf(query.data.chosen))} package` : 'Order now'}
      intro="Tell us who the order is for. You pay by card after you place the order."
      missing={{
        title: 'We could not find this package',
        why: 'The address may be misspelled. Choose one of our packages to continue.',
        wayOn: { href: linkTo('pricing'), label: 'See the packages' },
      }}
      query={query}
    >
      {({ chosen, buyer }) => <OrderForm chosen={chosen} buyer={buyer} />}
    </LoadedScreen>
  );
}

interface OrderFormProps {
  readonly chosen: Package;
  /** Null for a visitor. */
  readonly buyer: Buyer | null;
}

function OrderForm({ chosen, buyer }: OrderFormProps) {
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
    // `isPlaced` has disabled the guard above, so the browser does not ask about unsaved text.
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
        <Failure error={failure}>
          {failure?.status === 429 && email !== undefined && (
            <p>
              <TextLink href={linkTo('pendingOrders')}>See your pending orders</TextLink>
            </p>
          )}
        </Failure>
        <div className={row([2, 4], css['send'])}>
          <Button type="submit" busy={isBusy}>
            Place Order
          </Button>
          <span className="muted">
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
