/**
 * `/subscription/{id}`: the price and dates of a monthly package, and how to pause, cancel or change it. Staff
 * see it too.
 */
import { may } from '#contract/audience.ts';
import { linkTo } from '#contract/screens.ts';
import { displayPriceText, readTypedPrice } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { EmailText } from '#site/ui/email-text.tsx';
import { RowLink, Table } from '#site/ui/table.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { joinQueries, useCall, refetchScreen } from '#site/app/query.ts';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { OrderStatusBadge } from '#site/features/orders/order-status-badge.tsx';
import { displayNextPayment, SubscriptionStatus } from '#site/features/orders/subscription-status.tsx';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { Details } from '../details.tsx';
import { SubscriptionActions } from '../subscription/subscription-actions.tsx';
import { row } from '#site/ui/layout.ts';
import { priceNoticeDays } from '#contract/subscriptions.ts';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { api, formBody } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { useForm } from '#site/app/use-form.ts';

export default function SubscriptionScreen({ id }: { readonly id: string }) {
  const query = joinQueries({
    subscription: useCall('GET /subscription/:id', { id }),
    orders: useCall('GET /subscription/:id/orders', { id }),
    session: useCall('GET /auth/session'),
  });
  useRefetchOnFocus(query.refetch);
  const found = query.data?.subscription;
  const account = query.data?.session.account;
  const isOwner = account?.email === found?.customerEmail;
  const isStaff = may(account ?? undefined, 'orders') && !isOwner;
  return (
    <LoadedScreen
      title={found ? `${found.displayName} package` : 'Your subscription'}
      {...(isStaff && { back: { href: linkTo('subscriptions'), label: 'All subscriptions' } })}
      intro={
        found && (
          <span className={row([1, 3])}>
            <SubscriptionStatus state={found.state} />
            <span>{displayPriceText(found.price)} per month</span>
          </span>
        )
      }
      missing={{
        title: 'There is no such subscription',
        why: 'The address may be misspelled, or the subscription belongs to another account.',
        wayOn: { href: linkTo('dashboard'), label: 'To your dashboard' },
      }}
      query={query}
    >
      {({ subscription, orders }) => (
        <TwoColumns aside={<SubscriptionDetails subscription={subscription} isStaff={isStaff} />}>
          <Card title="What happens next">
            <p>{subscription.whatNext}</p>
            <SubscriptionActions subscription={subscription} isOwner={isOwner} />
          </Card>
          <Months orders={orders} isStaff={isStaff} />
          {may(account ?? undefined, 'administrator') &&
            subscription.startedOn &&
            subscription.state !== 'ended' && <PriceForm subscription={subscription} />}
        </TwoColumns>
      )}
    </LoadedScreen>
  );
}

/** Each month is an order. Staff open it in the administration. */
function Months({ orders, isStaff }: { readonly orders: readonly Order[]; readonly isStaff: boolean }) {
  return (
    <Card title={isStaff ? 'Months' : 'Your months'}>
      <Table
        caption="Months"
        rows={orders}
        rowKey={({ _id }) => _id}
        columns={[
          {
            header: 'Order',
            phone: 'lead',
            cell: ({ _id, number, orderDate }) => (
              <RowLink href={linkTo(isStaff ? 'order' : 'myOrder', _id)}>
                {displayOrderNumber(number)}, {orderDate}
              </RowLink>
            ),
          },
          {
            header: 'Amount',
            align: 'end',
            phone: 'end',
            cell: ({ packagePrice }) => displayPriceText(packagePrice),
          },
          { header: 'Progress', phone: 'mark', cell: (order) => <OrderStatusBadge order={order} /> },
          {
            header: 'Receipt',
            phone: 'plain',
            cell: ({ _id, number, transactionId }) =>
              transactionId ? (
                <TextLink href={linkTo('receipt', _id)}>
                  Receipt<span className="visually-hidden"> {displayOrderNumber(number)}</span>
                </TextLink>
              ) : (
                'None yet'
              ),
          },
        ]}
      />
    </Card>
  );
}

interface SubscriptionDetailsProps {
  readonly subscription: Subscription;
  readonly isStaff: boolean;
}

function SubscriptionDetails({ subscription, isStaff }: SubscriptionDetailsProps) {
  const { startedOn, card, customerName, customerEmail } = subscription;
  return (
    <Card title={isStaff ? 'Subscription' : 'Your subscription'}>
      <Details
        facts={[
          ['Next payment', displayNextPayment(subscription)],
          ['Card', card || 'Not known yet'],
          ['Since', startedOn ?? 'Not paid yet'],
          ['Name', customerName],
          ['Email', <EmailText email={customerEmail} />],
        ]}
      />
    </Card>
  );
}

/** The form with which an administrator announces a new price to the customer. */
function PriceForm({ subscription: { _id: id, price, newPrice } }: { readonly subscription: Subscription }) {
  const { ref, ...form } = useForm();
  async function send(element: HTMLFormElement) {
    const typed = formBody('POST /subscription/:id/price', element);
    await api('POST /subscription/:id/price', { id, body: { price: readTypedPrice(typed.price) } });
    await refetchScreen();
  }
  return (
    <Card title="Change the price">
      <Form ref={ref} errors={form.errors} onSend={(element) => form.submit({ send: () => send(element) })}>
        <Field
          key={newPrice ?? price}
          label="Price per month in US dollars"
          name="price"
          inputMode="decimal"
          required
          defaultValue={newPrice ?? price}
          help={`We email the customer. The new price applies from the first payment that is at least ${priceNoticeDays} days away.`}
        />
        <SendButton form={form} variant="secondary">
          Announce the price
        </SendButton>
      </Form>
    </Card>
  );
}
