/** The first screen of the administration, each role's part of it: what needs attention, the sales, the newest orders and subscribers, and the way on. */
import { useOpenDisputes } from '../orders/open-disputes.ts';
import { ActionList } from '../overview/action-list.tsx';
import { NewestOrders } from '../overview/newest-orders.tsx';
import { NewestSubscribers } from '../overview/newest-subscribers.tsx';
import { PasskeyNotice } from '../overview/passkey-notice.tsx';
import { Sources } from '../overview/sources.tsx';
import { TotalSales } from '../overview/total-sales.tsx';
import { TrialNotice } from '../overview/trial-notice.tsx';
import { Ways } from '../overview/ways.tsx';
import { SalesChart } from '../sales/sales-chart.tsx';
import { offers } from '../role.ts';
import { ScreenFrame } from '../screen.tsx';
import css from '../overview/overview.module.css';

export default function Overview() {
  return (
    <ScreenFrame title="Welcome to Admin Panel">
      <TrialNotice />
      <PasskeyNotice />
      {offers('orders') ? (
        <OrdersAndSales />
      ) : (
        <div className={css['first']}>
          <ActionList />
          <Ways />
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
          <Ways />
        </div>
      </div>
      <SalesChart />
      <Sources />
      <NewestOrders disputes={disputes} />
    </>
  );
}
