/** What a test can make happen: the functions of `emulator.controls`. */
import type { Bank } from './bank.ts';
import { type DisputeCourse, pursueDispute, warnOfFraud } from './disputes.ts';
import type { Faults } from './faults.ts';
import type { PublishableKeys } from './keys.ts';
import { changeVerification } from './registrations.ts';
import { refundPayment, type RefundEnd, settleRefund } from './refunds.ts';
import { settleProcessing } from './settle.ts';
import type { Webhooks } from './webhooks.ts';

interface Payment {
  /** The id of its intent. */
  paymentIntent: string;
}

/** The controls over one emulator. */
export function makeControls(webhooks: Webhooks, faults: Faults, bank: Bank, keys: PublishableKeys) {
  return {
    /** Sends what is pending, and what comes, there. */
    setWebhookUrl: ({ url }: { url: string }) => webhooks.setUrl(url),
    /** Ends the wait of a `processing` payment. */
    settlePayment: ({ paymentIntent, isApproved = true }: Payment & { isApproved?: boolean }) =>
      bank.settle((call) => settleProcessing(call, paymentIntent, isApproved)),
    /** Refunds a payment as in the dashboard: all that is left, or an amount in cents. */
    refund: ({ paymentIntent, amount }: Payment & { amount?: number | undefined }) =>
      bank.change((call) => refundPayment(call, paymentIntent, amount)),
    /** Ends a refund that is `pending`, or fails or cancels one that had succeeded. */
    settleRefund: ({ refund, status = 'succeeded' }: { refund: string; status?: RefundEnd }) =>
      bank.change((call) => settleRefund(call, refund, status)),
    /** Opens a dispute over a payment unless one is open; with an outcome, takes it on to there. */
    dispute: ({ paymentIntent, ...course }: Payment & DisputeCourse) =>
      bank.change((call) => pursueDispute(call, paymentIntent, course)),
    /** Has the cardholder's bank warn that a payment may be a fraud. */
    warnOfFraud: ({ paymentIntent }: Payment) => bank.change((call) => warnOfFraud(call, paymentIntent)),
    /** Rolls the publishable keys: the former ones are unknown from now on. */
    setPublishableKeys({ own, foreign = [] }: { own: string[]; foreign?: string[] }): void {
      Object.assign(keys, { own: new Set(own), foreign: new Set(foreign) });
    },
    /** Makes wallets inactive on a host, or lets Stripe verify it again. */
    changeDomain: ({ host, isVerifiable }: { host: string; isVerifiable: boolean }) =>
      bank.change(({ state }) => changeVerification(state, host, isVerifiable)),
    /** Makes the next calls go wrong (faults.ts). */
    planFault: faults.plan,
    clearFaults: faults.clear,
  };
}
