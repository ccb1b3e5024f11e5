/** One payment from the click on the button until it is recorded, including all errors. */
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
  /** The payment provider is loading, or we are asking it whether a payment is already running. */
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  | { readonly kind: 'paying' }
  /** The connection broke during the payment, and we are asking Stripe for the outcome. */
  | { readonly kind: 'checking' }
  /** Another device paid the order first. */
  | { readonly kind: 'paidElsewhere' }
  /** The bank needs time; `isLate` after two minutes. */
  | { readonly kind: 'processing'; readonly isLate: boolean }
  /** `error`: why the last attempt to record the payment failed. */
  | { readonly kind: 'recording'; readonly transactionId: string; readonly error: CallError | undefined }
  /** Stripe has received the payment, but our server has not recorded it. */
  | { readonly kind: 'unrecorded'; readonly transactionId: string; readonly error: CallError }
  | { readonly kind: 'done'; readonly transactionId: string };

/** The message below the card field. */
interface CardProblem {
  /** The provider's own message, shown verbatim. */
  readonly message: string;
  /** Whether a payment failed and the card was not charged. Undefined while the card is being typed. */
  readonly endedTry?: true;
}

interface PaymentParts {
  readonly orderId: string;
  readonly stripe: Stripe | undefined;
  readonly clientSecret: string | undefined;
  /** Called with every refusal, because the order may have been cancelled in the meantime. */
  readonly onRefused: () => void;
}

const recording = (now: PaymentState, transactionId: string): PaymentState => ({
  kind: 'recording',
  transactionId,
  error: now.kind === 'unrecorded' ? now.error : undefined,
});

/**
 * Retries automatically until a received payment is recorded. A conflict is the server's final answer. Until then, the
 * state does not change, so that a screen reader does not announce each attempt.
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

/** The state of a payment, and the transition for each outcome. */
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
    const onLate = () => setState({ kind: 'processing', isLate: true });
    await follow(await awaitDecision(provider, secret, onLate), provider, secret);
  }

  return { state, setState, problem, setProblem, record, follow };
}

export function usePayment({ stripe, clientSecret, ...parts }: PaymentParts) {
  const { state, setState, problem, setProblem, record, follow } = usePaymentState(parts);
  const isPaying = useRef(false);

  /** A second click while the first is running does nothing. @returns whether it started a payment */
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

  /** Continues a payment that is already running, from another tab or from before a reload. */
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

/** Whether no payment is running or done. */
export const isIdle = ({ state }: Payment): boolean => state.kind === 'opening' || state.kind === 'open';

/** Whether the payment has ended. */
export const isOver = ({ state }: Payment): boolean =>
  state.kind === 'done' || state.kind === 'paidElsewhere' || state.kind === 'unrecorded';
