/** All subscriptions to monthly packages, newest first, with the monthly recurring revenue. */
import { Repeat } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { useRef, useState } from 'react';
import { displayPrice, displayPriceText, parsePriceCents, readTypedPrice } from '#contract/money.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import type { SubscriptionTotals } from '#contract/subscriptions.calls.ts';
import type { PackageName } from '#contract/orders.ts';
import { priceNoticeDays } from '#contract/subscriptions.ts';
import { Card } from '#site/ui/card.tsx';
import { RowLink } from '#site/ui/table.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall, refetchScreen } from '#site/app/query.ts';
import { usePage } from '#site/app/use-page.ts';
import { displayNextPayment, SubscriptionStatus } from '#site/features/subscription/subscription-status.tsx';
import { ListPanel } from '../lists/list-panel.tsx';
import { Facts } from '../shell/facts.tsx';
import { isRestricted, offers } from '../shell/role.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { Field } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { textsIn, useForm } from '#site/app/use-form.ts';
import { columns } from '#site/ui/layout.ts';
import css from './new-coupon.module.css';

export default function Subscriptions() {
  const list = usePage('GET /subscriptions', { pageSize: pageSizes.allOrders, inAddress: 'page' });
  return (
    <ScreenFrame
      title="Subscriptions"
      intro="Customers of monthly packages. Stripe charges their cards, and each paid month is an order."
    >
      {!isRestricted('totals') && <Totals />}
      <ListPanel
        title="Subscriptions"
        noun="subscription"
        caption="Subscriptions"
        list={list}
        columns={[
          {
            header: 'Customer',
            phone: 'lead',
            cell: ({ _id, customerName, customerEmail }) => (
              <RowLink href={linkTo('customerSubscription', _id)}>
                {customerName || customerEmail || 'Deleted account'}
              </RowLink>
            ),
          },
          { header: 'Package', phone: 'plain', cell: ({ displayName }) => displayName },
          { header: 'Per month', align: 'end', phone: 'end', cell: ({ price }) => displayPriceText(price) },
          {
            header: 'Next payment',
            phone: 'named',
            cell: displayNextPayment,
          },
          { header: 'Status', phone: 'mark', cell: ({ state }) => <SubscriptionStatus state={state} /> },
        ]}
        icon={<Repeat />}
        empty={['No subscriptions yet', 'Subscriptions to monthly packages will be listed here.']}
      />
    </ScreenFrame>
  );
}

/** The revenue from subscriptions, and for administrators the form for a new price. */
function Totals() {
  const totals = useCall('GET /subscription-totals');
  return (
    <>
      <Card title="Revenue">
        <QueryBoundary query={totals} lines={3}>
          {(known) => <Facts facts={monthFacts(known)} />}
        </QueryBoundary>
      </Card>
      {totals.data && totals.data.byPackage.length > 0 && offers('administrator') && (
        <Card title="Change the price of a package">
          <p>
            To change the price for new customers, edit the package under Site content. Here you change it for
            existing customers.
          </p>
          <PackagePrice byPackage={totals.data.byPackage} />
        </Card>
      )}
    </>
  );
}

export const monthFacts = (totals: SubscriptionTotals) =>
  [
    [
      'Monthly recurring revenue',
      `${displayPrice(totals.monthlyCents)} from ${counted(totals.renewing, 'subscription')}`,
    ],
    ['New this month', totals.newThisMonth],
    ['Ended this month', totals.lostThisMonth],
    ['Failed payments this month', totals.failedThisMonth],
  ] as const;

type Priced = SubscriptionTotals['byPackage'][number];

/** Asks for confirmation. The question contains the number of subscriptions and their total before and after. */
const askAbout = ({ displayName, subscriptions, monthlyCents }: Priced, priceCents: number) =>
  confirm({
    title: `Change the price for ${counted(subscriptions, 'subscription')}?`,
    text: `Revenue from ${displayName} changes from ${displayPrice(monthlyCents)} to ${displayPrice(subscriptions * priceCents)} per month${subscriptions === 1 ? '' : ` at ${displayPrice(priceCents)} each`}, before coupons. We email every customer today. Each pays the new price from the first payment that is at least ${priceNoticeDays} days away.`,
    confirm: 'Change the price and email them',
  });

/** Changes the price of all subscriptions to a package. */
function PackagePrice({ byPackage }: Pick<SubscriptionTotals, 'byPackage'>) {
  const { ref, ...form } = useForm();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(byPackage[0]?.packageName ?? '');
  const chosen = byPackage.find(({ packageName }) => packageName === name) ?? byPackage[0];
  if (!chosen) return null;

  async function send(element: HTMLFormElement) {
    const price = readTypedPrice(textsIn(element, ['price']).price);
    const cents = parsePriceCents(price);
    if (chosen && cents !== undefined && !(await askAbout(chosen, cents))) return;
    const packageName = name as PackageName;
    const { data } = await api('POST /subscription-prices', { body: { packageName, price } });
    const left =
      data.left === 0
        ? ''
        : ` ${counted(data.left, 'subscription')} kept the current price, because a coupon would make the new one too low.`;
    showToast(`${displayPriceText(price)} announced to ${counted(data.changed, 'customer')}.${left}`);
    if (field.current) field.current.value = '';
    await refetchScreen();
  }

  return (
    <Form
      ref={ref}
      errors={form.errors}
      className={columns(4, css['form'])}
      onSend={(element) => form.submit({ send: () => send(element) })}
    >
      <SelectField
        label="Package"
        name="packageName"
        options={byPackage.map(({ packageName, displayName, subscriptions }) => [
          packageName,
          `${displayName}, ${counted(subscriptions, 'subscription')}`,
        ])}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Field
        ref={field}
        label="New price per month in US dollars"
        name="price"
        inputMode="decimal"
        required
      />
      <SendButton form={form} variant="secondary">
        Change the price
      </SendButton>
    </Form>
  );
}
