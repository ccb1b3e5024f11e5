/** The list of pending orders immediately after an order was placed, with its payment above the list. */
import { useState, type ReactNode } from 'react';
import { refetchScreen } from '#site/app/query.ts';
import { PayOrder, type PaymentFrame } from '#site/features/pay/pay-order.tsx';
import { PaymentDone, type Paid } from '#site/features/pay/payment-done.tsx';
import { classNames } from '#site/ui/class-names.ts';
import { stack } from '#site/ui/layout.ts';
import css from './pay-new-order.module.css';

const PaymentSection: PaymentFrame = ({ title, intro, children }) => (
  <section className={stack(5, css['payment'])} aria-labelledby="payment">
    <h2 id="payment">{title}</h2>
    {intro !== undefined && <p className={classNames('muted', css['intro'])}>{intro}</p>}
    {children}
  </section>
);

interface PayNewOrderProps {
  readonly id: string;
  /** The list of pending orders, below the payment. */
  readonly list: (payment: ReactNode) => ReactNode;
}

export default function PayNewOrder({ id, list }: PayNewOrderProps) {
  const [paid, setPaid] = useState<Paid>();
  return paid ? (
    <PaymentDone paid={paid} onRestore={() => setPaid(undefined)} />
  ) : (
    list(
      <PayOrder
        id={id}
        frame={PaymentSection}
        onPaid={setPaid}
        // The list below shows the order too.
        onSettled={() => void refetchScreen()}
      />,
    )
  );
}
