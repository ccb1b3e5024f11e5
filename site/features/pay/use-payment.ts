/** One payment from the press of the button to the record of it, also when something fails in between. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Stripe, StripeCardElement, StripeElements } from '@stripe/stripe-js';
import { linkTo } from '#contract/screens.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import type { CallError } from '#site/app/call.ts';
import {
  awaitDecision,
  checkPauseMs,
  findOut,
  findPayment,
  payByCard,
  payByWallet,
  pauseUntilReturn,
  type Payer,
  type PaymentOutcome,
} from './card-payment.ts';
import { recordPayment } from './payable-order.ts';

export type PaymentState =
  /** The card provider is on its way, or is asked whether a payment is under way already. */
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  | { readonly kind: 'paying' }
  /** The connection broke during the payment, and Stripe is asked what became of it. */
  | { readonly kind: 'checking' }
  /** Another device paid the order first. */
  | { readonly kind: 'paidElsewhere' }
  /** The bank takes its time; `isLate` once we no longer ask. */
  | { readonly kind: 'processing'; readonly isLate: boolean }
  /** `error` is why it was not recorded before. */
  | { readonly kind: 'recording'; readonly transactionId: string; readonly error: CallError | undefined }
  /** Paid at Stripe, but our server did not record it. */
  | { readonly kind: 'unrecorded'; readonly transactionId: string; readonly error: CallError }
  | { readonly kind: 'done'; readonly transactionId: string };

/** What stands beneath the card field. */
export interface CardProblem {
  /** The provider's own words, shown verbatim. */
  readonly message: string;
  /** It ended a try to pay, and the card was not charged. Absent while the card is being typed. */
  readonly endedTry?: true;
}

export interface PaymentParts {
  readonly orderId: string;
  readonly stripe: Stripe | undefined;
  readonly clientSecret: string | undefined;
  /** Called with every refusal: the order may have been cancelled meanwhile. */
  readonly onRefused: () => void;
}

const recording = (now: PaymentState, transactionId: string): PaymentState => ({
  kind: 'recording',
  transactionId,
  error: now.kind === 'unrecorded' ? now.error : undefined,
});

/**
 * Records a charged payment by itself once the site answers again. A conflict is the server's last word. The state stays
 * as it is until then, so that a screen reader does not hear each try.
 */
function useRecordRetry(state: PaymentState, orderId: string, setState: (state: PaymentState) => void): void {
  useEffect(() => {
    if (state.kind !== 'unrecorded' || state.error.status === 409) return undefined;
    const { transactionId } = state;
    const ended = new AbortController();
    const isOver = () => ended.signal.aborted;
    async function tryUntilRecorded(count: number): Promise<void> {
      await pauseUntilReturn(checkPauseMs(count));
      if (isOver()) return;
      const error = await recordPayment(orderId).then(() => undefined, callErrorOf);
      if (isOver()) return;
      if (!error) setState({ kind: 'done', transactionId });
      else if (error.status === 409) setState({ kind: 'unrecorded', transactionId, error });
      else await tryUntilRecorded(count + 1);
    }
    void tryUntilRecorded(0);
    return () => ended.abort();
  }, [state, orderId, setState]);
}

/** The state of a payment, and what its outcome makes of it. */
function usePaymentState({ orderId, onRefused }: Pick<PaymentParts, 'orderId' | 'onRefused'>) {
  const [state, setState] = useState<PaymentState>({ kind: 'opening' });
  const [problem, setProblem] = useState<CardProblem>();
  useRecordRetry(state, orderId, setState);

  async function record(transactionId: string) {
    setState((now) => recording(now, transactionId));
    try {
      await recordPayment(orderId);
      setState({ kind: 'done', transactionId });
    } catch (thrown) {
      setState({ kind: 'unrecorded', transactionId, error: callErrorOf(thrown) });
    }
  }

  async function follow(outcome: PaymentOutcome, provider: Stripe, secret: string): Promise<void> {
    if (outcome.kind === 'succeeded') return record(outcome.transactionId);
    if (outcome.kind === 'paidElsewhere') {
      setState({ kind: 'paidElsewhere' });
      // The webhook records it as well.
      await recordPayment(orderId).catch(() => undefined);
      return;
    }
    if (outcome.kind === 'unknown') {
      setState({ kind: 'checking' });
      return follow(await findOut(provider, secret, outcome.method), provider, secret);
    }
    if (outcome.kind === 'refused') {
      setProblem({ message: outcome.message, endedTry: true });
      setState({ kind: 'open' });
      onRefused();
      return;
    }
    setState({ kind: 'processing', isLate: false });
    const decided = await awaitDecision(provider, secret);
    if (decided.kind === 'processing') setState({ kind: 'processing', isLate: true });
    else await follow(decided, provider, secret);
  }

  return { state, setState, problem, setProblem, record, follow };
}

export function usePayment({ stripe, clientSecret, ...parts }: PaymentParts) {
  const { state, setState, problem, setProblem, record, follow } = usePaymentState(parts);
  const isPaying = useRef(false);

  /** A second press while the first is under way does nothing. @returns whether it began a payment */
  async function begin(make: (provider: Stripe, secret: string) => Promise<PaymentOutcome>) {
    if (!stripe || !clientSecret || state.kind !== 'open' || isPaying.current) return false;
    isPaying.current = true;
    setProblem(undefined);
    setState({ kind: 'paying' });
    try {
      const outcome = await make(stripe, clientSecret).catch((): PaymentOutcome => ({ kind: 'unknown' }));
      await follow(outcome, stripe, clientSecret);
    } finally {
      isPaying.current = false;
    }
    return true;
  }

  const pay = (card: StripeCardElement, payer: Payer) =>
    begin((provider, secret) => payByCard(provider, card, secret, payer));

  const returnUrl = new URL(linkTo('pay', parts.orderId), location.href).href;
  const payWithWallet = (elements: StripeElements, payer: Payer | undefined) =>
    begin((provider) => payByWallet(provider, elements, { returnUrl, payer }));

  /** Goes on with a payment that is under way already: made in another tab, or before the page was loaded again. */
  const resume = useEffectEvent((found: PaymentOutcome | undefined) => {
    if (found && stripe && clientSecret) void follow(found, stripe, clientSecret);
    else setState({ kind: 'open' });
  });
  useEffect(() => {
    if (!stripe || !clientSecret) return;
    void findPayment(stripe, clientSecret)
      .catch(() => undefined)
      .then((found) => resume(found));
  }, [stripe, clientSecret]);

  return { state, problem, setProblem, pay, payWithWallet, record };
}

export type Payment = ReturnType<typeof usePayment>;

/** Whether nothing of a payment is under way or done. */
export const isIdle = ({ state }: Payment): boolean => state.kind === 'opening' || state.kind === 'open';

/** Whether a payment has come to its end. */
export const isOver = ({ state }: Payment): boolean =>
  state.kind === 'done' || state.kind === 'paidElsewhere' || state.kind === 'unrecorded';
