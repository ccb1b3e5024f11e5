/** The card field, the Pay button, and the outcome of the payment. */
import { useState, type ReactNode } from 'react';
import { displayPriceText } from '#contract/money.ts';
import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { Form } from '#site/ui/form.tsx';
import { Spinner } from '#site/ui/loading.tsx';
import { useForm } from '#site/app/use-form.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { BillingFields, readBillingAddress } from './billing-fields.tsx';
import { CardField } from './card-field.tsx';
import { PayerFields, payerErrors, readPayer } from './payer-fields.tsx';
import { ownerOf, type OpenedPayment, type PayableOrder } from './payable-order.ts';
import { PaymentUnrecorded } from './payment-unrecorded.tsx';
import type { Payment, PaymentState } from './use-payment.ts';
import { WalletButtons } from './wallet-buttons.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './pay.module.css';
import { linkTo } from '#contract/screens.ts';
import { firmName } from '#site/ui/firm-name.ts';
import { api } from '#site/app/call.ts';
import { useAttempt, type Attempt } from './use-attempt.ts';

interface PayFormProps {
  readonly order: PayableOrder;
  readonly payment: Payment;
  /** Undefined until the payment provider has loaded. */
  readonly stripe: Stripe | undefined;
  readonly opened: Attempt<OpenedPayment>;
  /** Whether something failed to load. `trouble` explains what. */
  readonly isStuck: boolean;
  /** The message about what prevents a payment. It is shown only if there is no other message. */
  readonly trouble: ReactNode;
}

/** Whether leaving the page now would leave the payer in doubt about the payment. */
const isDelicate = ({ kind }: PaymentState) =>
  kind === 'paying' || kind === 'checking' || kind === 'recording';

/** Whether only Stripe or the bank can continue, so there is no button. */
const isAwaiting = ({ kind }: PaymentState) => kind === 'checking' || kind === 'processing';

export function PayForm(props: PayFormProps) {
  const { order, payment, stripe, opened, isStuck, trouble } = props;
  const { state, problem, setProblem, pay, payWithWallet, record } = payment;
  const { clientSecret, renewal } = opened.data ?? {};
  // Unless the server has refused, an earlier PaymentIntent can still be paid.
  const isOpened = clientSecret !== undefined && (!opened.error || opened.error.isUnanswered);
  // After too many declined cards, `trouble` says so.
  const mustWait = opened.error?.status === 429;
  const owner = ownerOf(order);
  const [card, setCard] = useState<StripeCardElement>();
  const { ref, errors, submit } = useForm();
  useUnsavedGuard(isDelicate(state));

  if (state.kind === 'done') return null; // `onPaid` shows what comes next.
  if ((state.kind === 'unrecorded' || state.kind === 'recording') && state.error)
    return (
      <PaymentUnrecorded
        transactionId={state.transactionId}
        error={state.error}
        isBusy={state.kind === 'recording'}
        onRetry={() => record(state.transactionId)}
      />
    );

  const send = (form: HTMLFormElement) =>
    submit({
      check: () => (owner ? {} : payerErrors(form)),
      async send() {
        const payer = { ...(owner ?? readPayer(form)), address: readBillingAddress(form) };
        if (card) await pay(card, payer);
      },
    });

  return (
    <Form ref={ref} errors={errors} className={stack(5)} onSend={send}>
      {/* Before both ways to pay, because the payer agrees to this with either. */}
      {renewal && (
        <p className="muted">
          You pay {displayPriceText(order.packagePrice)} today. {renewal} You can cancel at any time from your
          dashboard. Nothing more is charged after the month you have paid for.
        </p>
      )}
      {(!isStuck || (stripe && clientSecret)) && (
        <WalletButtons
          stripe={stripe}
          clientSecret={clientSecret}
          asksForEmail={owner === undefined}
          isDisabled={!isOpened || state.kind !== 'open'}
          onPay={(elements) => payWithWallet(elements, owner)}
        />
      )}
      {owner ? (
        <p className="muted">
          Billed to {owner.name}, {owner.email}
        </p>
      ) : (
        <PayerFields />
      )}
      <CardField
        stripe={stripe}
        isStuck={isStuck}
        isReady={card !== undefined}
        onReady={setCard}
        onProblem={(message) => setProblem(message === undefined ? undefined : { message })}
      />
      {problem && !problem.endedTry && <Alert>{problem.message}</Alert>}
      <BillingFields order={order} />
      <PaymentProgress state={state} />
      {problem?.endedTry && !mustWait ? <Declined message={problem.message} /> : trouble}
      {!isAwaiting(state) && (
        <div className={css['pay']}>
          <Button
            type="submit"
            busy={isDelicate(state)}
            disabled={!card || !isOpened || state.kind === 'opening'}
          >
            Pay Now {order.packagePrice}$
          </Button>
        </div>
      )}
      <SellerNote />
    </Form>
  );
}

function Declined({ message }: { readonly message: string }) {
  return (
    <div className={stack(1)}>
      <Alert>{message}</Alert>
      <p className="muted">
        Your card was not charged. Check the details and try again, or use another card.
      </p>
    </div>
  );
}

function PaymentProgress({ state }: { readonly state: PaymentState }) {
  switch (state.kind) {
    case 'paying':
      return <Spinner label="Processing your payment. Please keep this page open." visible />;
    case 'checking':
      return (
        <Alert tone="info" title="We are checking your payment">
          The connection was lost while you were paying. We are asking our payment provider whether your card
          was charged, and will show the answer here as soon as you are online. Please do not pay in another
          tab.
        </Alert>
      );
    case 'recording':
      return <Spinner label="Paid. Recording your payment…" visible />;
    case 'processing':
      return state.isLate ? (
        <Alert tone="info" title="Your bank has not decided yet">
          You can leave this page. Please do not pay again: we will mark your order as Paid as soon as the
          bank approves the payment.
        </Alert>
      ) : (
        <Spinner label="Your bank is processing the payment. Please wait while we keep checking." visible />
      );
    default:
      return null;
  }
}

/** The seller and the terms, next to the pay button. */
function SellerNote() {
  const { data: seller } = useAttempt(
    'seller',
    async (signal) => (await api('GET /seller', { signal })).data,
  );
  // Until the seller is loaded, or if the section has no record, the firm's name is the seller.
  const { legalName = '', postalAddress = '', phone = '' } = seller ?? {};
  return (
    <div className={stack(1, 'note', css['seller'])}>
      <p>
        You are buying from <strong>{legalName || firmName()}</strong>
        {postalAddress && `, ${postalAddress.replace(/\s*\n\s*/g, ', ')}`}.
        {phone && (
          <>
            {' '}
            Phone: <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>.
          </>
        )}
      </p>
      {/* Links open in new tabs, so that a typed card is not lost. */}
      <p>
        Our{' '}
        <a href={linkTo('terms')} target="_blank" rel="noopener">
          terms
        </a>{' '}
        and our{' '}
        <a href={linkTo('refunds')} target="_blank" rel="noopener">
          refund policy
        </a>{' '}
        apply.
      </p>
    </div>
  );
}
