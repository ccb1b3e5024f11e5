/** `/pay-now/{id}`: pays for an order, and then shows what was paid. */
import { useState } from 'react';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
import { PayOrder } from '#site/features/pay/pay-order.tsx';
import { PaymentDone, type Paid } from '#site/features/pay/payment-done.tsx';

export function PayScreen({ id }: { readonly id: string }) {
  const [paid, setPaid] = useState<Paid>();
  return paid ? (
    <PaymentDone paid={paid} onRestore={() => setPaid(undefined)} />
  ) : (
    <PayOrder id={id} frame={ScreenFrame} onPaid={setPaid} />
  );
}
