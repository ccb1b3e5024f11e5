/** The screen after a payment: what was bought, what happens next, and links. */
import { useEffect, useState, type ReactNode } from 'react';
import { linkTo } from '#contract/screens.ts';
import { displayPriceText } from '#contract/money.ts';
import { displayOrderNumber, isWholeOrder } from '#contract/orders.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { ScreenFrame, TwoColumns } from '#site/ui/screen-frame.tsx';
import { Spinner } from '#site/ui/loading.tsx';
import { useAttended } from '#site/ui/use-attended.ts';
import { api } from '#site/app/call.ts';
import { useRestore } from '#site/app/use-refetch-on-focus.ts';
import { nextStep } from '#site/features/orders/order-progress.ts';
import { ownerOf, type PayableOrder } from './payable-order.ts';
import { TransactionId } from './payment-unrecorded.tsx';
import { useAttempt } from './use-attempt.ts';
import { LogInLinks, waysToOrder } from './log-in-links.tsx';
import { classNames } from '#site/ui/class-names.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import css from './pay.module.css';

const redirectDelayMs = 15_000;

/** A payment that was made and recorded. */
export interface Paid {
  /** The order before the payment. */
  readonly order: PayableOrder;
  readonly transactionId: string;
}

interface PaymentDoneProps {
  readonly paid: Paid;
  /** The message after a payment is only for that moment, not for later visits. */
  readonly onRestore: () => void;
}

export function PaymentDone({ paid, onRestore }: PaymentDoneProps) {
  const { order } = paid;
  useRestore(onRestore);
  useEffect(() => {
    scrollTo(0, 0);
  }, []);
  return (
    <ScreenFrame title="Your payment">
      {ownerOf(order) ? <DoneForOwner {...paid} /> : <DoneForPayer {...paid} />}
    </ScreenFrame>
  );
}

/** The customer's own payment. The dashboard opens next, unless they want to stay. */
function DoneForOwner({ order, transactionId }: Paid) {
  const { isAttended, watch } = useAttended();
  const [stays, setStays] = useState(false);
  useEffect(() => {
    if (stays || isAttended) return undefined;
    const timer = setTimeout(() => location.replace(linkTo('dashboard')), redirectDelayMs);
    return () => clearTimeout(timer);
  }, [stays, isAttended]);
  return (
    <>
      <Alert
        tone="success"
        title="Thank you, your payment was successful"
        action={
          <>
            <LinkButton variant="secondary" href={linkTo('dashboard')}>
              Go to your dashboard
            </LinkButton>
            {!stays && (
              <Button variant="quiet" onClick={() => setStays(true)}>
                Stay on this page
              </Button>
            )}
          </>
        }
      >
        {/* The user may be copying the id. */}
        <div role="presentation" {...watch}>
          <TransactionId id={transactionId} />
        </div>
        {!stays && 'We will take you to your dashboard in a moment.'}
      </Alert>
      <TwoColumns aside={<Bought order={order} />}>
        <NextCard order={order} />
      </TwoColumns>
    </>
  );
}

function NextCard({ order }: { readonly order: PayableOrder }) {
  const work = useAttempt(order._id, (signal) => api('GET /order/:id/work', { id: order._id, signal }));
  const next =
    work.data && isWholeOrder(order)
      ? nextStep({ ...order, paymentStatus: 'Paid' }, work.data.data)
      : undefined;
  const action = next?.action;
  return (
    <Card title="What happens next">
      {next ? (
        <p>{next.text}</p>
      ) : work.error ? (
        <p>Your order is paid. Its page shows what happens next.</p>
      ) : (
        <Spinner label="Loading the next steps" />
      )}
      <p>We are also emailing you a link to your receipt.</p>
      <div className={cluster(2)}>
        {action !== undefined && action !== 'orderAgain' && (
          <LinkButton href={action.href}>{action.label}</LinkButton>
        )}
        <LinkButton variant="secondary" href={linkTo('receipt', order._id)}>
          See your receipt
        </LinkButton>
        <LinkButton variant="secondary" href={linkTo('myOrder', order._id)}>
          See your order
        </LinkButton>
        {isWholeOrder(order) && order.subscriptionId && (
          <LinkButton variant="secondary" href={linkTo('subscription', order.subscriptionId)}>
            See your subscription
          </LinkButton>
        )}
      </div>
    </Card>
  );
}

/** A payment by a payer who only has the link. */
const DoneForPayer = ({ order, transactionId }: Paid) => (
  <>
    <Alert tone="success" title="Thank you, your payment was successful">
      <TransactionId id={transactionId} />
      We are emailing a receipt to the address that you entered with the payment. You can close this page.
    </Alert>
    <TwoColumns aside={<Bought order={order} />}>
      <Card title="Is this your order?">
        <p>Then {waysToOrder(order)} to see what happens next and whether we need anything from you.</p>
        <div className={cluster(2)}>
          <LogInLinks order={order} />
        </div>
      </Card>
    </TwoColumns>
  </>
);

function Bought({ order }: { readonly order: PayableOrder }) {
  const orderedFor = isWholeOrder(order) ? '' : order.orderedFor;
  return (
    <Card title="What you paid for">
      <dl className={stack(2)}>
        <Fact name="Package">{order.displayName}</Fact>
        <Fact name="Order">{displayOrderNumber(order.number)}</Fact>
        <Fact name="Paid">{displayPriceText(order.packagePrice)}</Fact>
        {orderedFor && <Fact name="Ordered by">{orderedFor}</Fact>}
      </dl>
    </Card>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className={cluster([0, 4])}>
    <dt className={classNames('muted', css['name'])}>{name}</dt>
    <dd className="strong">{children}</dd>
  </div>
);
