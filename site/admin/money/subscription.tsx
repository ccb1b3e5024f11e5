/** A customer's subscription: its dates and months, and for administrators the form for a new price. */
import { displayPriceText, readTypedPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { Card } from '#site/ui/card.tsx';
import { EmailLink } from '#site/ui/email-text.tsx';
import { row, stack } from '#site/ui/layout.ts';
import { joinQueries, useCall, refetchScreen } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { MonthTable } from '#site/features/subscription/month-table.tsx';
import { SubscriptionActions } from '#site/features/subscription/subscription-actions.tsx';
import { displayNextPayment, SubscriptionStatus } from '#site/features/subscription/subscription-status.tsx';
import { Facts } from '../shell/facts.tsx';
import { offers } from '../shell/role.ts';
import { LoadedScreen } from '../shell/screen.tsx';
import type { Subscription as SubscriptionData } from '#contract/subscriptions.calls.ts';
import { priceNoticeDays } from '#contract/subscriptions.ts';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api, formBody } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { useForm } from '#site/app/use-form.ts';

const back = { href: linkTo('subscriptions'), label: 'All subscriptions' };

export default function Subscription({ id }: { readonly id: string }) {
  const query = joinQueries({
    subscription: useCall('GET /subscription/:id', { id }),
    orders: useCall('GET /subscription/:id/orders', { id }),
  });
  useRefetchOnFocus(query.refetch);
  const found = query.data?.subscription;
  return (
    <LoadedScreen
      title={found ? found.customerName || found.customerEmail || 'Deleted account' : 'Subscription'}
      back={back}
      intro={
        found && (
          <span className={row([1, 3])}>
            <SubscriptionStatus state={found.state} />
            <span>
              {found.displayName} package, {displayPriceText(found.price)} per month
            </span>
          </span>
        )
      }
      missing={{
        title: 'We could not find this subscription',
        why: 'The address may be misspelled.',
        wayOn: back,
      }}
      query={query}
    >
      {({ subscription, orders }) => (
        <>
          <Card title="What happens next">
            <p>{subscription.whatNext}</p>
            <Facts
              facts={[
                ['Email', subscription.customerEmail && <EmailLink email={subscription.customerEmail} />],
                ['Next payment', displayNextPayment(subscription)],
                ['Card', subscription.card || 'Not known yet'],
                ['Since', subscription.startedOn ?? 'Not paid yet'],
              ]}
            />
            <SubscriptionActions subscription={subscription} isOwner={false} />
          </Card>
          <Card title="Months">
            <MonthTable orders={orders} orderScreen="order" />
          </Card>
          {offers('administrator') &&
            subscription.startedOn &&
            !subscription.isEnding &&
            subscription.state !== 'ended' && <PriceForm subscription={subscription} />}
        </>
      )}
    </LoadedScreen>
  );
}

function PriceForm({
  subscription: { _id: id, price, newPrice },
}: {
  readonly subscription: SubscriptionData;
}) {
  const { ref, ...form } = useForm();
  async function send(element: HTMLFormElement) {
    const typed = formBody('POST /subscription/:id/price', element);
    await api('POST /subscription/:id/price', { id, body: { price: readTypedPrice(typed.price) } });
    showToast('New price announced');
    await refetchScreen();
  }
  return (
    <Card title="Change the price">
      <Form
        ref={ref}
        errors={form.errors}
        className={stack(4)}
        onSend={(element) => form.submit({ send: () => send(element) })}
      >
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
