/** The card field and the Pay button, and what became of the payment. */
import { useRef, useState } from 'react';
import { CardElement, Elements } from '@stripe/react-stripe-js';
import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/button.tsx';
import { Spinner } from '../../../components/loading.tsx';
import { useUnsavedGuard } from '../../shared/use-unsaved-guard.ts';
import { useReturn } from '../../shared/use-return.ts';
import type { Payer } from './card-payment.ts';
import { useCardStyle } from './card-style.ts';
import { PayerFields, readPayer, type PayerErrors } from './payer-fields.tsx';
import type { PayableOrder } from './payable-order.ts';
import { PaymentDone, PaymentUnrecorded } from './payment-result.tsx';
import { usePayment, type PaymentState } from './use-payment.ts';
import css from './pay.module.css';

export interface PayFormProps {
  readonly order: PayableOrder;
  /** Absent when somebody pays who only holds the link. */
  readonly owner: Payer | undefined;
  /** Absent until the card provider has loaded. */
  readonly stripe: Stripe | undefined;
  /** Absent until the order's payment has been opened. */
  readonly clientSecret: string | undefined;
  /** Called when the order may have been paid or cancelled elsewhere. */
  readonly onDoubt: () => void;
}

/** Steps at which leaving the page would leave the payer in doubt. */
const isUnderWay = ({ kind }: PaymentState) => kind === 'paying' || kind === 'recording';

export function PayForm({ order, owner, stripe, clientSecret, onDoubt }: PayFormProps) {
  const { state, problem, setProblem, pay, record } = usePayment({
    orderId: order._id,
    stripe,
    clientSecret,
    onRefused: onDoubt,
  });
  const card = useRef<StripeCardElement>(null);
  const [payerErrors, setPayerErrors] = useState<PayerErrors>({});
  useUnsavedGuard(isUnderWay(state));
  useReturn(() => {
    if (state.kind === 'open') onDoubt();
  });

  if (state.kind === 'done')
    return <PaymentDone transactionId={state.transactionId} isOwner={owner !== undefined} />;
  if (state.kind === 'unrecorded')
    return (
      <PaymentUnrecorded
        transactionId={state.transactionId}
        error={state.error}
        onRetry={() => record(state.transactionId)}
      />
    );

  function submit(form: HTMLFormElement) {
    const { payer, errors } = owner ? { payer: owner, errors: {} } : readPayer(form);
    setPayerErrors(errors);
    if (card.current && payer) void pay(card.current, payer);
  }

  return (
    <form
      className={css['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit(event.currentTarget);
      }}
    >
      {problem !== undefined && <Alert>{problem}</Alert>}
      {owner ? (
        <p className={css['note']}>
          Billed to {owner.name}, {owner.email}
        </p>
      ) : (
        <PayerFields errors={payerErrors} />
      )}
      <CardField
        stripe={stripe}
        onReady={(element) => {
          card.current = element;
        }}
        onProblem={setProblem}
      />
      <PaymentProgress state={state} />
      <div>
        <Button
          type="submit"
          busy={isUnderWay(state)}
          disabled={!stripe || !clientSecret || state.kind === 'opening' || state.kind === 'processing'}
        >
          Pay Now {order.packagePrice}$
        </Button>
      </div>
    </form>
  );
}

interface CardFieldProps {
  readonly stripe: Stripe | undefined;
  readonly onReady: (element: StripeCardElement) => void;
  /** The provider's words about what is typed; undefined when there is nothing wrong with it. */
  readonly onProblem: (message: string | undefined) => void;
}

/** Stripe's own field, in a frame of theirs: what is typed there never reaches this page. */
function CardField({ stripe, onReady, onProblem }: CardFieldProps) {
  const style = useCardStyle();
  return (
    <div className={css['card']} role="group" aria-labelledby="card-label">
      <span id="card-label" className={css['label']}>
        Card
      </span>
      <div className={css['cardBox']}>
        {stripe ? (
          <Elements stripe={stripe}>
            <CardElement
              options={{ style, hidePostalCode: true }}
              onReady={onReady}
              onChange={({ error }) => onProblem(error?.message)}
            />
          </Elements>
        ) : (
          <span className={css['note']}>The card field is on its way …</span>
        )}
      </div>
    </div>
  );
}

function PaymentProgress({ state }: { readonly state: PaymentState }) {
  switch (state.kind) {
    case 'paying':
      return <Spinner label="Paying. Please keep this page open." visible />;
    case 'recording':
      return <Spinner label="Paid. Recording your payment …" visible />;
    case 'processing':
      return state.isLate ? (
        <Alert tone="info" title="Your bank has not decided yet">
          You can leave this page and must not pay again: your order becomes Paid by itself as soon as the
          bank agrees.
        </Alert>
      ) : (
        <Spinner label="Your bank is processing the payment. We keep asking; please wait." visible />
      );
    default:
      return null;
  }
}
