/** Shown instead of the list if there are no orders. */
import { ReceiptText } from 'lucide-react';
import { EmptyState } from '#site/ui/empty-state.tsx';

export function NoOrders() {
  return (
    <EmptyState title="No orders yet" icon={<ReceiptText />}>
      Orders will be listed here.
    </EmptyState>
  );
}
