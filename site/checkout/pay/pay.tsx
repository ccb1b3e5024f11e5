/** The island of the pay page. */
import { useState } from 'react';
import { ScreenBoundary } from '#site/app/screen-boundary.tsx';
import { screenHere } from '#site/app/shell-screens.ts';
import { useKeptFocus } from '#site/ui/use-kept-focus.ts';
import { ScreenFrame } from '#site/ui/screen-frame.tsx';
import { PayOrder } from '#site/features/pay/pay-order.tsx';
import { PaymentDone, type Paid } from '#site/features/pay/payment-done.tsx';

const screen = screenHere('pay', { pay: PayScreen });

export default function Pay() {
  useKeptFocus();
  return (
    screen && (
      <ScreenBoundary>
        <screen.Shown id={screen.id} />
      </ScreenBoundary>
    )
  );
}

function PayScreen({ id }: { readonly id: string }) {
  const [paid, setPaid] = useState<Paid>();
  return paid ? (
    <PaymentDone paid={paid} onRestore={() => setPaid(undefined)} />
  ) : (
    <PayOrder id={id} frame={ScreenFrame} onPaid={setPaid} />
  );
}
