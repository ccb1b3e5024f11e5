/**
 * Stripe's test cards (https://docs.stripe.com/testing) and the result of a payment with each. Any other number
 * is declined like a real card in test mode.
 */
import { createHash } from 'node:crypto';
import type { DisputeReason } from './disputes.ts';

/** The bank's decline codes and messages, in Stripe's words. */
export interface Decline {
  code: string;
  decline_code: string;
  message: string;
}

export type Outcome = 'approve' | 'process' | Decline;

interface TestCard {
  number: string;
  /** The name of the card's ready-made payment method, `pm_card_…`. */
  name: string;
  /** The bank's answer, after the challenge if there is one. */
  outcome: Outcome;
  /** Whether the bank first asks for a 3-D Secure challenge. */
  isChallenged?: true;
  /** The first and the final status of the card's refunds; refunds of other cards succeed immediately. */
  refunds?: { begin: 'pending' | 'succeeded'; end: 'failed' | 'succeeded' };
  /** The reason with which its payments are disputed immediately. */
  dispute?: DisputeReason;
}

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});
const refused = (code: string, message: string): Decline => ({ code, decline_code: code, message });

/** The decline that gives no reason. */
export const genericDecline = declined('generic_decline');

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

const card = (number: string, name: string, rest: Partial<TestCard> = {}): TestCard => ({
  number,
  name,
  outcome: 'approve',
  ...rest,
});
const declining = (number: string, name: string, outcome: Decline) => card(number, name, { outcome });
const challenging = (number: string, name: string, outcome: Outcome = 'approve') =>
  card(number, name, { outcome, isChallenged: true });

const testCards: TestCard[] = [
  card('4242424242424242', 'visa'),
  card('5555555555554444', 'mastercard'),
  card('378282246310005', 'amex'),
  card('6011111111111117', 'discover'),
  declining('4000000000000002', 'chargeDeclined', genericDecline),
  declining('4000000000000341', 'chargeCustomerFail', genericDecline),
  declining('4000000000009995', 'chargeDeclinedInsufficientFunds', insufficientFunds),
  declining('4000000000009987', 'chargeDeclinedLostCard', declined('lost_card')),
  declining('4000000000009979', 'chargeDeclinedStolenCard', declined('stolen_card')),
  declining('4000000000000069', 'chargeDeclinedExpiredCard', expired),
  declining('4000000000000127', 'chargeDeclinedIncorrectCvc', wrongCvc),
  declining('4000000000000119', 'chargeDeclinedProcessingError', troubled),
  challenging('4000002500003155', 'authenticationRequiredOnSetup'),
  challenging('4000002760003184', 'authenticationRequired'),
  challenging('4000000000003220', 'threeDSecure2Required'),
  challenging('4000008260003178', 'authenticationRequiredChargeDeclinedInsufficientFunds', insufficientFunds),
  card('4000000000007726', 'pendingRefund', { refunds: { begin: 'pending', end: 'succeeded' } }),
  card('4000000000005126', 'refundFail', { refunds: { begin: 'succeeded', end: 'failed' } }),
  card('4000000000000259', 'createDispute', { dispute: 'fraudulent' }),
  card('4000000000002685', 'createDisputeProductNotReceived', { dispute: 'product_not_received' }),
  // The emulator's own card. Its payments stay `processing` until they settle. Stripe has no such card.
  card('4000000000002701', 'processing', { outcome: 'process' }),
];

export const fingerprintOf = (number: string) =>
  createHash('sha256').update(number).digest('hex').slice(0, 16);

export const findByNumber = (number: string) => testCards.find((known) => known.number === number);

/** The test card behind `pm_card_visa`, or undefined. */
export const findReadyMade = (id: string) => testCards.find(({ name }) => id === `pm_card_${name}`);

/** The test card with a fingerprint, which payment methods and charges contain, or undefined. */
export const findByFingerprint = (fingerprint: string | null | undefined) =>
  testCards.find(({ number }) => fingerprintOf(number) === fingerprint);
