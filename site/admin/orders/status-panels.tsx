/** The two statuses of an order, collapsed because payments and deliveries set them for most orders. */
import { Fold } from '#site/ui/fold.tsx';
import { offers } from '../shell/role.ts';
import { useDelivery, deliveryDisabledReason } from './delivery-fields.tsx';
import { DeliveryPanel } from './delivery-panel.tsx';
import type { WorkPanelProps } from './order-panel.ts';
import { PaymentPanel } from './payment-panel.tsx';
import { stack, surface } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './status-panels.module.css';

export function StatusPanels({ order, work }: WorkPanelProps) {
  const delivery = useDelivery(work, 'delivery-note', deliveryDisabledReason(order));
  return (
    <div className={surface(css['status'])}>
      <Fold
        isNeeded={delivery.disabledReason !== undefined && delivery.isBegun}
        summary={<h2 className={typography['heading']}>Status</h2>}
      >
        <div className={stack(0, css['forms'])}>
          {offers('administrator') && <PaymentPanel order={order} />}
          <DeliveryPanel order={order} delivery={delivery} />
        </div>
      </Fold>
    </div>
  );
}
