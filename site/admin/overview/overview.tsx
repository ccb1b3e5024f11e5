/** The first screen of the administration, each role's part of it: what needs attention, the sales, the newest orders and subscribers, and the way on. */
import { useOpenDisputes } from '../orders/open-disputes.ts';
import { ActionList } from './action-list.tsx';
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
import { offers } from '../shell/role.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import css from './overview.module.css';

export default function Overview() {
  useRefetchOnInboxChange();
  return (
    <ScreenFrame title="Welcome to Admin Panel">
      <TrialNotice />
      <PasskeyNotice />
      {offers('orders') ? (
        <OrdersAndSales />
      ) : (
        <div className={css['first']}>
          <ActionList />
          <Actions />
        </div>
      )}
      {offers('customers') && <NewestSubscribers />}
    </ScreenFrame>
  );
}

function OrdersAndSales() {
  const disputes = useOpenDisputes();
  return (
    <>
      <div className={css['first']}>
        <ActionList />
        <div className={css['second']}>
          <TotalSales disputes={disputes} />
          <MonthlyRevenue />
          <Actions />
        </div>
      </div>
      <SalesChart />
      <Sources />
      <NewestOrders disputes={disputes} />
    </>
  );
}
