/**
 * The first screen of the administration. Each role sees its part: shortcuts, what is due, the newest orders,
 * what needs attention, sales, the newest releases and publications, and subscribers.
 */
import { ActionList } from './action-list.tsx';
import { NewestPublications, NewestReleases } from './content-panels.tsx';
import { DuePanel } from './due-panel.tsx';
import { MonthlyRevenue } from './monthly-revenue.tsx';
import { NewestOrders } from './newest-orders.tsx';
import { NewestSubscribers } from './newest-subscribers.tsx';
import { PasskeyNotice } from './passkey-notice.tsx';
import { Sources } from './sources.tsx';
import { TotalSales } from './total-sales.tsx';
import { TrialNotice } from './trial-notice.tsx';
import { Actions } from './actions.tsx';
import { SalesChart } from '../money/sales-chart.tsx';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import { isRestricted, offers } from '../shell/role.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './overview.module.css';

export default function Overview() {
  useRefetchOnInboxChange();
  return (
    <ScreenFrame title="Welcome to Admin Panel">
      <TrialNotice />
      <PasskeyNotice />
      {offers('orders') && <Actions />}
      {offers('orders') ? <OrdersAndSales /> : <ActionList />}
      {offers('content') && !offers('orders') && (
        <>
          <NewestReleases />
          <NewestPublications />
        </>
      )}
      {offers('customers') && <NewestSubscribers />}
    </ScreenFrame>
  );
}

function OrdersAndSales() {
  const hidesTotals = isRestricted('totals');
  return (
    <>
      <DuePanel />
      <NewestOrders />
      {hidesTotals ? (
        <ActionList />
      ) : (
        <>
          <div className={stack(5, css['first'])}>
            <ActionList />
            <div className={stack(5, css['second'])}>
              <TotalSales />
              <MonthlyRevenue />
            </div>
          </div>
          <SalesChart />
          <Sources />
        </>
      )}
    </>
  );
}
