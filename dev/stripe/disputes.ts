/**
 * Disputes: the payer's bank takes a payment back until the dispute is decided
 * (https://docs.stripe.com/disputes/how-disputes-work). Nobody opens inquiries here.
 */
import * as z from 'zod';
import { recordMovement } from './balance.ts';
import { type Call, recordEvent, save } from './call.ts';
import { refuse } from './errors.ts';
import {
  type Charge,
  daySeconds,
  type Dispute,
  type FraudWarning,
  newObject,
  nowSeconds,
  nulls,
} from './objects.ts';
import { find } from './resources.ts';

/** The reasons for disputes, in Stripe's codes; `fraudulent` means that the payer did not make the payment. */
export const disputeReasons = [
  'fraudulent', 'product_not_received', 'product_unacceptable', 'duplicate', 'credit_not_processed',
  'subscription_canceled', 'unrecognized', 'general',
] as const; // prettier-ignore
export type DisputeReason = (typeof disputeReasons)[number];

/** In cents. It is not returned. */
const disputeFee = 1500;

export const isOpen = ({ status }: Dispute) => status === 'needs_response' || status === 'under_review';

/** The actions on a payment in the dashboard, or by its payer's bank. */
export const disputeShape = {
  reason: z.enum(disputeReasons).optional(),
  outcome: z.enum(['under_review', 'won', 'lost']).optional(),
};
export type DisputeAction = z.infer<z.ZodObject<typeof disputeShape>>;

/** Opens a dispute over a payment unless there is one. With an outcome, also decides the dispute. */
export function pursueDispute(
  call: Call,
  intentId: string,
  { reason = 'fraudulent', outcome }: DisputeAction,
): Dispute {
  const { id: payment_intent, latest_charge } = find(call, 'payment_intent', intentId, 'payment_intent');
  const known = call.state.list('dispute', { fields: { payment_intent } }).find(isOpen);
  const charge = find(call, 'charge', latest_charge ?? '', 'charge');
  const dispute = known && outcome ? known : openDispute(call, charge, reason);
  if (outcome === undefined) return dispute;
  return outcome === 'under_review' ? sendEvidence(call, dispute) : closeDispute(call, dispute, outcome);
}

/**
 * Opens a dispute over the rest of a charge. @throws {StripeFault} 400 if it was disputed before, or nothing is left
 */
export function openDispute(call: Call, charge: Charge, reason: DisputeReason): Dispute {
  const amount = charge.amount - charge.amount_refunded;
  if (charge.disputed) throw refuse(`Charge ${charge.id} has been disputed already.`);
  if (amount === 0) throw refuse(`Charge ${charge.id} has already been refunded.`);
  const dispute = newDispute(charge, amount, reason);
  const description = `Chargeback withdrawal for ${charge.id}`;
  dispute.balance_transactions.push(
    recordMovement(call, {
      category: 'dispute',
      amount: -amount,
      source: dispute.id,
      description,
      fee: disputeFee,
    }),
  );
  call.state.put('charge', { ...charge, disputed: true });
  save(call, 'charge.dispute.created', 'dispute', dispute);
  return recordEvent(call, 'charge.dispute.funds_withdrawn', dispute);
}

function newDispute(charge: Charge, amount: number, reason: DisputeReason): Dispute {
  const brand = charge.payment_method_details?.card?.brand ?? 'visa';
  return {
    ...newObject('dispute', 'dp'),
    amount,
    balance_transactions: [],
    charge: charge.id,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    // prettier-ignore
    evidence: {
      enhanced_evidence: {},
      ...nulls(
        'access_activity_log', 'billing_address', 'cancellation_policy', 'cancellation_policy_disclosure',
        'cancellation_rebuttal', 'customer_communication', 'customer_email_address', 'customer_name',
        'customer_purchase_ip', 'customer_signature', 'duplicate_charge_documentation',
        'duplicate_charge_explanation', 'duplicate_charge_id', 'product_description', 'receipt', 'refund_policy',
        'refund_policy_disclosure', 'refund_refusal_explanation', 'service_date', 'service_documentation',
        'shipping_address', 'shipping_carrier', 'shipping_date', 'shipping_documentation',
        'shipping_tracking_number', 'uncategorized_file', 'uncategorized_text',
      ),
    },
    evidence_details: {
      // The end of a day.
      due_by: (Math.floor(nowSeconds() / daySeconds) + 10) * daySeconds - 1,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: 'manual',
    is_charge_refundable: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: {
        brand,
        case_type: 'chargeback',
        network: brand,
        network_reason_code: reason === 'fraudulent' ? '10.4' : '13.1',
      },
      type: 'card',
    },
    reason,
    status: 'needs_response',
  };
}

/** Sends the merchant's evidence to the bank, which then decides. */
function sendEvidence(call: Call, dispute: Dispute): Dispute {
  const { submission_count } = dispute.evidence_details;
  return save(call, 'charge.dispute.updated', 'dispute', {
    ...dispute,
    evidence_details: {
      ...dispute.evidence_details,
      has_evidence: true,
      submission_count: submission_count + 1,
      submission_method: 'manual',
    },
    status: 'under_review',
  });
}

/** Decides a dispute: if won, the money comes back; if lost, the payer keeps it. */
function closeDispute(call: Call, dispute: Dispute, outcome: 'lost' | 'won'): Dispute {
  const closed: Dispute = { ...dispute, status: outcome };
  if (outcome === 'won') {
    const description = `Chargeback reversal for ${dispute.charge}`;
    const reversal = recordMovement(call, {
      category: 'dispute_reversal',
      amount: dispute.amount,
      source: dispute.id,
      description,
    });
    closed.balance_transactions = [...dispute.balance_transactions, reversal];
    closed.is_charge_refundable = true;
  }
  save(call, 'charge.dispute.closed', 'dispute', closed);
  if (outcome === 'won') recordEvent(call, 'charge.dispute.funds_reinstated', closed);
  return closed;
}

/** @throws {StripeFault} 400 while a dispute withholds the charge's money */
export function refuseDisputed(call: Call, { id }: Charge): void {
  const disputes = call.state.list('dispute', { fields: { charge: id } });
  if (disputes.some(({ is_charge_refundable }) => !is_charge_refundable))
    throw refuse(`Charge ${id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
}

export function warnOfFraud(call: Call, intentId: string): FraudWarning {
  const { latest_charge } = find(call, 'payment_intent', intentId, 'payment_intent');
  const charge = find(call, 'charge', latest_charge ?? '', 'charge');
  return save(call, 'radar.early_fraud_warning.created', 'radar.early_fraud_warning', {
    ...newObject('radar.early_fraud_warning', 'issfr'),
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    fraud_type: 'made_with_stolen_card',
    payment_intent: intentId,
  });
}
