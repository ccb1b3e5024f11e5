/** `/pending-order`: orders that wait for payment or work, and the payment of one that was just placed. */
import { lazy, Suspense, useState } from 'react';
import { Skeleton } from '#site/ui/loading.tsx';
import { findPlacedOrder } from '#site/features/orders/placed-order.ts';
import { PendingOrderList } from '../pending-order-list.tsx';

/** It includes the card form, which is needed only right after ordering. */
const PayNewOrder = lazy(() => import('../pay-new-order.tsx'));

export default function PendingOrders() {
  const [placed] = useState(findPlacedOrder);
  if (placed === undefined) return <PendingOrderList />;
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <PayNewOrder id={placed} />
    </Suspense>
  );
}
