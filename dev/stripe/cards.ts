/**
 * Stripe's test cards (https://docs.stripe.com/testing) and what becomes of a payment with each. Any other number is
 * declined as Stripe declines a real card in test mode.
 */
import { createHash } from 'node:crypto';

/** Why a bank says no, in Stripe's codes and words. */
export interface Decline {
  code: string;
  decline_code: string;
  message: string;
}

export type Outcome = 'approve' | 'process' | Decline;

export interface TestCard {
  number: string;
  /** What the bank answers, after the challenge where there is one. */
  outcome: Outcome;
  /** The name of its ready-made payment method, `pm_card_…`. */
  name: string;
  /** Whether the bank first asks for a 3-D Secure challenge. */
  isChallenged: boolean;
}

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});
const refused = (code: string, message: string): Decline => ({ code, decline_code: code, message });

/** The decline that gives no reason. */
export const genericDecline = declined('generic_decline');

/** The decline of a number that is no test card. */
export const notATestCard = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
);

const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');
const expired = refused('expired_card', 'Your card has expired.');
const wrongCvc = refused('incorrect_cvc', "Your card's security code is incorrect.");
const troubled = refused(
  'processing_error',
  'An error occurred while processing your card. Try again in a little bit.',
);

const card = (number: string, name: string, outcome: Outcome = 'approve'): TestCard => ({
  number,
  name,
  outcome,
  isChallenged: false,
});
const challenged = (...details: Parameters<typeof card>): TestCard => ({
  ...card(...details),
  isChallenged: true,
});

const testCards: TestCard[] = [
  card('4242424242424242', 'visa'),
  card('5555555555554444', 'mastercard'),
  card('378282246310005', 'amex'),
  card('6011111111111117', 'discover'),
  card('4000000000000002', 'chargeDeclined', genericDecline),
  card('4000000000000341', 'chargeCustomerFail', genericDecline),
  card('4000000000009995', 'chargeDeclinedInsufficientFunds', insufficientFunds),
  card('4000000000009987', 'chargeDeclinedLostCard', declined('lost_card')),
  card('4000000000009979', 'chargeDeclinedStolenCard', declined('stolen_card')),
  card('4000000000000069', 'chargeDeclinedExpiredCard', expired),
  card('4000000000000127', 'chargeDeclinedIncorrectCvc', wrongCvc),
  card('4000000000000119', 'chargeDeclinedProcessingError', troubled),
  challenged('4000002500003155', 'authenticationRequiredOnSetup'),
  challenged('4000002760003184', 'authenticationRequired'),
  challenged('4000000000003220', 'threeDSecure2Required'),
  challenged('4000008260003178', 'authenticationRequiredChargeDeclinedInsufficientFunds', insufficientFunds),
  // The emulator's own: its payments stay `processing` until they settle, which Stripe has no card for.
  card('4000000000002701', 'processing', 'process'),
];

/** What Stripe shows of a number, the same for the same number. */
export const fingerprintOf = (number: string) =>
  createHash('sha256').update(number).digest('hex').slice(0, 16);

/** The test card with that number, or undefined. */
export const findByNumber = (number: string) => testCards.find((known) => known.number === number);

/** The test card behind `pm_card_visa`, or undefined. */
export const findReadyMade = (id: string) => testCards.find(({ name }) => id === `pm_card_${name}`);

/** The test card of a payment method. */
export const findByFingerprint = (fingerprint: string) =>
  testCards.find(({ number }) => fingerprintOf(number) === fingerprint);
