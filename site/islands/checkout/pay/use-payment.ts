/** One payment from the press of the button to the record of it, also when something fails in between. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Stripe, StripeCardElement, StripeElements } from '@stripe/stripe-js';
import { callErrorOf } from '#site/islands/shared/call-error.ts';
import type { CallError } from '#site/islands/shared/call.ts';
import {
  awaitDecision,
  findPayment,
  payByCard,
  payByWallet,
  type Payer,
  type PaymentOutcome,
} from './card-payment.ts';
import { recordPayment } from './payable-order.ts';

export type PaymentState =
  /** The card provider is on its way, or is asked whether a payment is under way already. */
  | { readonly kind: 'opening' }
  | { readonly kind: 'open' }
  | { readonly kind: 'paying' }
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
  /** After a try to pay: whether the card was charged. Absent while the card is being typed. */
  readonly charged?: 'no' | 'unknown';
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

export function usePayment({ orderId, stripe, clientSecret, onRefused }: PaymentParts) {
  const [state, setState] = useState<PaymentState>({ kind: 'opening' });
  const [problem, setProblem] = useState<CardProblem>();
  const isPaying = useRef(false);

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
    if (outcome.kind === 'refused' || outcome.kind === 'unknown') {
      setProblem({ message: outcome.message, charged: outcome.kind === 'refused' ? 'no' : 'unknown' });
      setState({ kind: 'open' });
      onRefused();
      return;
    }
    setState({ kind: 'processing', isLate: false });
    const decided = await awaitDecision(provider, secret);
    if (decided.kind === 'processing') setState({ kind: 'processing', isLate: true });
    else await follow(decided, provider, secret);
  }

  /** A second press while the first is under way does nothing. @returns whether it began a payment */
  async function begin(make: (provider: Stripe, secret: string) => Promise<PaymentOutcome>) {
    if (!stripe || !clientSecret || state.kind !== 'open' || isPaying.current) return false;
    isPaying.current = true;
    setProblem(undefined);
    setState({ kind: 'paying' });
    try {
      await follow(await make(stripe, clientSecret), stripe, clientSecret);
    } catch (thrown) {
      setProblem({ message: callErrorOf(thrown).message, charged: 'unknown' });
      setState({ kind: 'open' });
    } finally {
      isPaying.current = false;
    }
    return true;
  }

  const pay = (card: StripeCardElement, payer: Payer) =>
    begin((provider, secret) => payByCard(provider, card, secret, payer));

  const payWithWallet = (elements: StripeElements, payer: Payer | undefined) =>
    begin((provider, secret) => payByWallet(provider, elements, secret, { returnUrl: location.href, payer }));

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

/** Whether the card has been charged, or may have been: then nothing on the page may speak against it. */
export const mayBeCharged = (payment: Payment): boolean =>
  !isIdle(payment) || payment.problem?.charged === 'unknown';
