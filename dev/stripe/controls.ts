/** Controls for tests: what a payer's bank, the merchant and Stripe itself do without a call from the product. */
import type { Bank } from './bank.ts';
import { type DisputeAction, pursueDispute, warnOfFraud } from './disputes.ts';
import type { FaultPlan, Faults } from './faults.ts';
import type { PublishableKeys } from './keys.ts';
import { changeVerification } from './registrations.ts';
import { refundPayment, type RefundEnd, settleRefund } from './refunds.ts';
import { changeCard } from './portal.ts';
import { settleProcessing } from './settle.ts';
import type { Webhooks } from './webhooks.ts';

interface OfPayment {
  paymentIntent: string;
}

export function makeControls(webhooks: Webhooks, faults: Faults, bank: Bank, keys: PublishableKeys) {
  return {
    /** Sets the URL for pending and future deliveries. */
    setWebhookUrl: ({ url }: { url: string }) => webhooks.setUrl(url),
    settlePayment: ({ paymentIntent, isApproved = true }: OfPayment & { isApproved?: boolean }) =>
      bank.settle((call) => settleProcessing(call, paymentIntent, isApproved)),
    /** Refunds a payment as in the dashboard: everything that is left, or an amount in cents. */
    refund: ({ paymentIntent, amount }: OfPayment & { amount?: number }) =>
      bank.change((call) => refundPayment(call, paymentIntent, amount)),
    /** Settles a `pending` refund, or fails or cancels a refund that had succeeded. */
    settleRefund: ({ refund, status = 'succeeded' }: { refund: string; status?: RefundEnd }) =>
      bank.change((call) => settleRefund(call, refund, status)),
    /** Opens a dispute over a payment unless there is one. With an outcome, also decides the dispute. */
    dispute: ({ paymentIntent, ...action }: OfPayment & DisputeAction) =>
      bank.change((call) => pursueDispute(call, paymentIntent, action)),
    warnOfFraud: ({ paymentIntent }: OfPayment) => bank.change((call) => warnOfFraud(call, paymentIntent)),
    advance: ({ days }: { days: number }) => bank.advance(days),
    /** Changes the card of a customer as the customer portal does. */
    changeCard: ({ customer, card }: { customer: string; card: string }) =>
      bank.change((call) => changeCard(call, customer, card)),
    /** Replaces the publishable keys, so that earlier keys are unknown. */
    setPublishableKeys: ({ own, foreign = [] }: { own: string[]; foreign?: string[] }): void =>
      void Object.assign(keys, { own: new Set(own), foreign: new Set(foreign) }),
    /** Deactivates wallets on a host, or lets Stripe verify it again. */
    changeDomain: ({ host, isVerifiable }: { host: string; isVerifiable: boolean }) =>
      bank.change(({ state }) => changeVerification(state, host, isVerifiable)),
    /** Makes the next calls fail (faults.ts). */
    planFault: (fault: FaultPlan) => faults.plan(fault),
    clearFaults: () => faults.clear(),
  };
}
