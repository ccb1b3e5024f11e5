/**
 * Stripe's test cards (https://docs.stripe.com/testing) and what becomes of a payment with each. Any other number is
 * declined as Stripe declines a real card in test mode.
 */
import { type ErrorBody } from './objects.ts';

/** Why a bank says no, in Stripe's codes and words. */
export interface Decline {
  code: string;
  decline_code?: string;
  message: string;
}

export type Outcome = 'approve' | 'process' | Decline;

export interface TestCard {
  number: string;
  /** What the bank answers, after the challenge where there is one. */
  outcome: Outcome;
  /** Whether the bank first asks for a 3-D Secure challenge. */
  isChallenged?: boolean;
  /** The name of its ready-made payment method, `pm_card_…`. */
  token?: string;
}

const declined = (decline_code: string, message = 'Your card was declined.'): Decline => ({
  code: 'card_declined',
  decline_code,
  message,
});
/** The decline that gives no reason. */
export const genericDecline = declined('generic_decline');
const insufficientFunds = declined('insufficient_funds', 'Your card has insufficient funds.');
const incorrectCvc: Decline = {
  code: 'incorrect_cvc',
  decline_code: 'incorrect_cvc',
  message: "Your card's security code is incorrect.",
};
const expiredCard: Decline = {
  code: 'expired_card',
  decline_code: 'expired_card',
  message: 'Your card has expired.',
};
const processingError: Decline = {
  code: 'processing_error',
  decline_code: 'processing_error',
  message: 'An error occurred while processing your card. Try again in a little bit.',
};

/** The decline of a card that wants a challenge when nobody is there to pass it (`off_session`). */
export const authenticationRequired: Decline = {
  code: 'authentication_required',
  decline_code: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

/** The decline of a number that is no test card. */
export const notATestCard: Decline = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
);

/** What an intent keeps when its 3-D Secure challenge failed. */
export const authenticationFailed: ErrorBody = {
  type: 'invalid_request_error',
  code: 'payment_intent_authentication_failure',
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
};

/**
 * The emulator's one number of its own: its payments stay `processing` until they settle. Stripe has no card that
 * does this at will (a card's payment is `processing` only while a network is slow).
 */
export const processingCardNumber = '4000000000002701';

export const testCards: TestCard[] = [
  { number: '4242424242424242', outcome: 'approve', token: 'visa' },
  { number: '4000056655665556', outcome: 'approve', token: 'visa_debit' },
  { number: '5555555555554444', outcome: 'approve', token: 'mastercard' },
  { number: '378282246310005', outcome: 'approve', token: 'amex' },
  { number: '6011111111111117', outcome: 'approve', token: 'discover' },
  { number: '4000000000000077', outcome: 'approve', token: 'bypassPending' },
  { number: '4000000000000002', outcome: genericDecline, token: 'chargeDeclined' },
  { number: '4000000000000341', outcome: genericDecline, token: 'chargeCustomerFail' },
  { number: '4000000000009995', outcome: insufficientFunds, token: 'chargeDeclinedInsufficientFunds' },
  { number: '4000000000009987', outcome: declined('lost_card'), token: 'chargeDeclinedLostCard' },
  { number: '4000000000009979', outcome: declined('stolen_card'), token: 'chargeDeclinedStolenCard' },
  { number: '4000000000000069', outcome: expiredCard, token: 'chargeDeclinedExpiredCard' },
  { number: '4000000000000127', outcome: incorrectCvc, token: 'chargeDeclinedIncorrectCvc' },
  { number: '4000000000000119', outcome: processingError, token: 'chargeDeclinedProcessingError' },
  {
    number: '4000002500003155',
    outcome: 'approve',
    isChallenged: true,
    token: 'authenticationRequiredOnSetup',
  },
  { number: '4000002760003184', outcome: 'approve', isChallenged: true, token: 'authenticationRequired' },
  { number: '4000000000003220', outcome: 'approve', isChallenged: true, token: 'threeDSecure2Required' },
  {
    number: '4000008260003178',
    outcome: insufficientFunds,
    isChallenged: true,
    token: 'authenticationRequiredChargeDeclinedInsufficientFunds',
  },
  { number: processingCardNumber, outcome: 'process', token: 'processing' },
];

/** The test card with that number, or undefined. */
export function findTestCard(number: string): TestCard | undefined {
  return testCards.find((card) => card.number === number);
}

/** The test card behind `pm_card_visa` or `tok_visa`, or undefined. */
export function findTestToken(id: string): TestCard | undefined {
  const name = /^(?:pm_card|tok)_(\w+)$/.exec(id)?.[1];
  return name === undefined ? undefined : testCards.find((card) => card.token === name);
}
