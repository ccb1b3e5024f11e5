/**
 * The first screen of the administration. Each role sees its part: shortcuts, what is due, the newest orders,
 * what needs attention, sales, the newest releases and publications, and subscribers.
 */
import { ActionList } from './action-list.tsx';
import { DuePanel } from './due-panel.tsx';
import { MonthlyRevenue, TotalSales, Sources } from './sales-panels.tsx';
import { NewestOrders, NewestSubscribers } from './newest-lists.tsx';
import { PasskeyNotice } from './passkey-notice.tsx';
import { SetupNotice } from './setup-notice.tsx';
import { Actions } from './actions.tsx';
import { SalesChart } from '../money/sales-chart.tsx';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import { isRestricted, offers, isTrial } from '../shell/role.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './overview.module.css';
import { Alert } from '#site/ui/alert.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';

/** They name sections, which nothing else on this screen does. */
const ContentPanels = lazyPart(() => import('./content-panels.tsx'), <Skeleton lines={8} />);

export default function Overview() {
  useRefetchOnInboxChange();
  return (
    <ScreenFrame title="Welcome to Admin Panel">
      <TrialNotice />
      {offers('administrator') && <SetupNotice />}
      <PasskeyNotice />
      {offers('orders') && <Actions />}
      {offers('orders') ? <OrdersAndSales /> : <ActionList />}
      {offers('content') && !offers('orders') && <ContentPanels />}
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

function TrialNotice() {
  if (!isTrial) return null;
  return (
    <Alert tone="warning" isStanding title="This site is a trial: it sends no email">
      The site has no domain of its own yet, so it cannot send email. Customers get no confirmations, and you
      get no notifications: check here for new orders and messages. Emails wait for three days. The deployment
      guide explains how to give the site a domain.
    </Alert>
  );
}
