/** All subscriptions to monthly packages, newest first, with the monthly recurring revenue. */
import { Repeat } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { displayPrice, displayPriceText } from '#contract/money.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import type { SubscriptionTotals } from '#contract/subscriptions.calls.ts';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { RowLink } from '#site/ui/table.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { PagedTable } from '#site/app/paged-table.tsx';
import { usePage } from '#site/app/use-page.ts';
import { displayNextPayment, SubscriptionStatus } from '#site/features/orders/subscription-status.tsx';
import { Facts } from '../shell/facts.tsx';
import { isRestricted, offers } from '../shell/role.ts';
import { Panel, ScreenFrame } from '../shell/screen.tsx';
import { PackagePrice } from './package-price.tsx';

export default function Subscriptions() {
  const list = usePage('GET /subscriptions', { pageSize: pageSizes.allOrders, inAddress: 'page' });
  return (
    <ScreenFrame
      title="Subscriptions"
      intro="Customers of monthly packages. Stripe charges their cards, and each paid month is an order."
    >
      {!isRestricted('totals') && <Totals />}
      <Panel title={list.data ? counted(list.data.total, 'subscription') : 'Subscriptions'}>
        <PagedTable
          caption="Subscriptions"
          list={list}
          columns={[
            {
              header: 'Customer',
              phone: 'lead',
              cell: ({ _id, customerName, customerEmail }) => (
                <RowLink href={linkTo('subscription', _id)}>
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
          empty={
            <EmptyState title="No subscriptions yet" icon={<Repeat aria-hidden="true" />}>
              Subscriptions to monthly packages will be listed here.
            </EmptyState>
          }
        />
      </Panel>
    </ScreenFrame>
  );
}

/** The revenue from subscriptions, and for administrators the form for a new price. */
function Totals() {
  const totals = useCall('GET /subscription-totals');
  return (
    <>
      <Panel title="Revenue">
        <QueryBoundary query={totals} lines={3}>
          {(known) => <Facts facts={monthFacts(known)} />}
        </QueryBoundary>
      </Panel>
      {totals.data && totals.data.byPackage.length > 0 && offers('administrator') && (
        <Panel title="Change the price of a package">
          <p>
            A price that you change under Site content applies to new customers. Here you change it for
            existing customers.
          </p>
          <PackagePrice byPackage={totals.data.byPackage} />
        </Panel>
      )}
    </>
  );
}

/** The totals, one line each. */
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
