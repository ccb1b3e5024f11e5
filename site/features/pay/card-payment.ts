/**
 * Pays by card or with a wallet, in Stripe's sequence: create a payment method, confirm the PaymentIntent with its
 * client secret (a wallet does both in one step), and wait if the bank needs time. Reports what Stripe says; the server
 * decides whether the order is Paid.
 */
import type {
  ConfirmPaymentData,
  PaymentIntent,
  PaymentIntentResult,
  Stripe,
  StripeCardElement,
  StripeElements,
  StripeError,
} from '@stripe/stripe-js';
import { cardsNotSetUp } from '#contract/payments.ts';

/** The payer's country and postal code, with Stripe's field names. */
export interface BillingAddress {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly postal_code: string;
}

export interface Payer {
  readonly name: string;
  readonly email: string;
  /** For a card; a wallet provides its own. */
  readonly address?: Partial<BillingAddress>;
}

export type PaymentOutcome =
  | { readonly kind: 'succeeded'; readonly transactionId: string }
  /** The order was paid in another tab or on another device first, so this card was not charged. */
  | { readonly kind: 'paidElsewhere' }
  /** The bank has not decided yet. */
  | { readonly kind: 'processing' }
  /** No money moved. The message is the provider's own. */
  | { readonly kind: 'refused'; readonly message: string }
  /**
   * The connection broke before Stripe responded, so money may have moved. Call `findOut`. `method` is the payment
   * method of this attempt; undefined for a wallet.
   */
  | { readonly kind: 'unknown'; readonly method?: string | undefined };

export type CardProvider = Pick<
  Stripe,
  'createPaymentMethod' | 'confirmCardPayment' | 'retrievePaymentIntent'
>;

/** The parts of Stripe that a wallet payment needs; of `confirmPayment`, the overload that stays on the page. */
interface WalletProvider {
  readonly confirmPayment: (options: {
    elements: StripeElements;
    confirmParams: Partial<ConfirmPaymentData>;
    redirect: 'if_required';
  }) => Promise<PaymentIntentResult>;
}

const noReason = 'The payment was not completed. Please try again.';

/** Interprets Stripe's response. A succeeded PaymentIntent counts, even if there is also an error. */
function judge(intent: PaymentIntent | undefined, error: StripeError | undefined): PaymentOutcome {
  if (intent?.status === 'succeeded') return { kind: 'succeeded', transactionId: intent.id };
  if (intent?.status === 'processing') return { kind: 'processing' };
  const message = isAboutKey(error) ? cardsNotSetUp : error?.message;
  return { kind: 'refused', message: message ?? intent?.last_payment_error?.message ?? noReason };
}

/** Whether Stripe rejects the site's key, which the payer cannot fix. https://docs.stripe.com/error-codes */
const isAboutKey = (error: StripeError | undefined): boolean =>
  error?.code === 'api_key_expired' ||
  (error?.type === 'invalid_request_error' && /^(Invalid|Expired) API Key/i.test(error.message ?? ''));

/**
 * Reads the state of an order's payment from Stripe, because it may have been paid in another tab, or an earlier
 * attempt may still be processing. Returns undefined if there is no payment, or Stripe is unreachable.
 */
export async function findPayment(
  stripe: CardProvider,
  clientSecret: string,
): Promise<PaymentOutcome | undefined> {
  const { paymentIntent, error } = await stripe.retrievePaymentIntent(clientSecret);
  const outcome = judge(paymentIntent ?? error.payment_intent, error);
  return outcome.kind === 'refused' ? undefined : outcome;
}

/** Calls Stripe with the payer's details. If Stripe rejects the email, it calls again without it. */
async function billing<T extends { readonly error?: StripeError | undefined }>(
  { email, ...others }: Payer,
  ask: (billed: Partial<Payer>) => Promise<T>,
): Promise<T> {
  const answer = await ask({ ...others, email });
  const { code, param = '' } = answer.error ?? {};
  return code === 'email_invalid' || param.endsWith('[email]') ? ask(others) : answer;
}

/** Pays with the typed card. Opens 3-D Secure if the bank requires it. */
export async function payByCard(
  stripe: CardProvider,
  card: StripeCardElement,
  clientSecret: string,
  payer: Payer,
): Promise<PaymentOutcome> {
  const method = await billing(payer, (billed) =>
    stripe.createPaymentMethod({ type: 'card', card, billing_details: billed }),
  );
  if (method.error) return judge(undefined, method.error);
  const confirmed = await stripe.confirmCardPayment(clientSecret, {
    payment_method: method.paymentMethod.id,
  });
  return outcomeOf(confirmed, method.paymentMethod.id);
}

/**
 * @param returnUrl where a bank's page returns to @param payer the billing details, if the wallet did not ask for them
 */
export async function payByWallet(
  stripe: WalletProvider,
  elements: StripeElements,
  { returnUrl, payer }: { readonly returnUrl: string; readonly payer: Payer | undefined },
): Promise<PaymentOutcome> {
  const { error } = await elements.submit();
  if (error) return judge(undefined, error);
  const confirm = (billed?: Partial<Payer>) =>
    stripe.confirmPayment({
      elements,
      confirmParams: {
        return_url: returnUrl,
        ...(billed && { payment_method_data: { billing_details: billed } }),
      },
      redirect: 'if_required',
    });
  const confirmed = await (payer ? billing(payer, confirm) : confirm());
  return outcomeOf(confirmed);
}

/** Interprets the response to a confirmation. @param method the payment method of this attempt, if known */
function outcomeOf({ paymentIntent, error }: PaymentIntentResult, method?: string): PaymentOutcome {
  if (paymentIntent) return judge(paymentIntent, undefined);
  if (error.type === 'api_connection_error') return { kind: 'unknown', method };
  const paid = error.payment_intent;
  // Stripe rejects confirming a PaymentIntent that has succeeded. https://docs.stripe.com/error-codes
  if (error.code === 'payment_intent_unexpected_state' && paid?.status === 'succeeded')
    return methodOf(paid) === method ? judge(paid, undefined) : { kind: 'paidElsewhere' };
  return judge(paid, error);
}

const methodOf = ({ payment_method: method }: PaymentIntent): string | undefined =>
  typeof method === 'string' ? method : method?.id;

/** Whether the order was paid with a payment method other than this attempt's, for example on another device. */
const isOther = (intent: PaymentIntent, method: string | undefined): boolean =>
  intent.status === 'succeeded' && method !== undefined && methodOf(intent) !== method;

/** Resolves after `ms`, or as soon as the connection or the user returns. */
export const pauseUntilReturn = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const listening = new AbortController();
    const end = () => {
      clearTimeout(timer);
      listening.abort();
      resolve();
    };
    const endWhenVisible = () => document.visibilityState === 'visible' && end();
    const timer = setTimeout(end, ms);
    addEventListener('online', end, { signal: listening.signal });
    document.addEventListener('visibilitychange', endWhenVisible, { signal: listening.signal });
  });

const connectionLost = 'The connection was lost before the payment was made.';

/** The number of checks in the first two minutes. */
const earlyChecks = 24;

/** Checks every 3 seconds for a minute, every 15 for another, then every minute. */
export const checkPauseMs = (count: number): number =>
  count < 20 ? 3_000 : count < earlyChecks ? 15_000 : 60_000;

/**
 * Finds the outcome of a payment whose response was lost. Checks until Stripe's answer is definite. Stripe may still be
 * working on the request, so 'not paid' counts only the second time.
 * @param method the payment method of the attempt, if known
 */
export async function findOut(
  stripe: Pick<Stripe, 'retrievePaymentIntent'>,
  clientSecret: string,
  method: string | undefined,
  wait: (ms: number) => Promise<void> = pauseUntilReturn,
): Promise<PaymentOutcome> {
  let timesUnpaid = 0;
  for (let count = 0; ; count += 1) {
    const paymentIntent = await retrieve(stripe, clientSecret);
    const outcome = paymentIntent && judge(paymentIntent, undefined);
    if (outcome?.kind === 'refused') timesUnpaid += 1;
    else if (outcome) return isOther(paymentIntent, method) ? { kind: 'paidElsewhere' } : outcome;
    if (timesUnpaid === 2) {
      const message = paymentIntent?.last_payment_error?.message ?? connectionLost;
      return { kind: 'refused', message };
    }
    await wait(checkPauseMs(count));
  }
}

/** The PaymentIntent; undefined if Stripe is unreachable. */
const retrieve = (stripe: Pick<Stripe, 'retrievePaymentIntent'>, clientSecret: string) =>
  stripe.retrievePaymentIntent(clientSecret).then(
    ({ paymentIntent }) => paymentIntent,
    () => undefined,
  );

/** Waits for the bank's decision. @param onLate called if the bank needs more than two minutes */
export async function awaitDecision(
  stripe: CardProvider,
  clientSecret: string,
  onLate: () => void,
  wait: (ms: number) => Promise<void> = pauseUntilReturn,
): Promise<PaymentOutcome> {
  for (let count = 0; ; count += 1) {
    if (count === earlyChecks) onLate();
    await wait(checkPauseMs(count));
    const paymentIntent = await retrieve(stripe, clientSecret);
    if (paymentIntent && paymentIntent.status !== 'processing') return judge(paymentIntent, undefined);
  }
}
