/** What a payer reads while the site's keys do not allow card payments. */
export const cardsNotSetUp =
  'Card payments are not set up right now. Please write to us, and we will help you pay.';

export const keyTexts = {
  required: 'Publishable key is required.',
  secret:
    'This is a secret key and must never be typed here. Use the publishable key, which begins with pk_.',
  other: "Use Stripe's publishable key. It begins with pk_test_ or pk_live_.",
} as const;

/** https://docs.stripe.com/keys#obtain-api-keys */
export const keyPatterns = {
  secret: /^(sk|rk)_/i,
  publishable: /^pk_(test|live)_[A-Za-z0-9_]{1,240}$/,
} as const;

/** Stripe's statuses of a refund. `requires_action` counts as pending. */
export const refundStatuses = ['pending', 'succeeded', 'failed', 'canceled'] as const;
export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;
export const ledgerEntryKinds = [
  'payment',
  'outsidePayment',
  'outsidePaymentWithdrawn',
  'refund',
  'refundFailed',
  'outsideRefund',
  'disputeWithdrawn',
  'disputeReinstated',
  'fee',
] as const;

export const ledgerEntryTexts: Readonly<Record<LedgerEntryKind, string>> = {
  payment: 'Payment',
  outsidePayment: 'Payment outside Stripe',
  outsidePaymentWithdrawn: 'Payment outside Stripe reversed',
  refund: 'Refund',
  refundFailed: 'Failed refund',
  outsideRefund: 'Refund outside Stripe',
  disputeWithdrawn: 'Dispute: money withdrawn',
  disputeReinstated: 'Dispute: money returned',
  fee: 'Stripe fee',
};

export const refundReasonTexts: Readonly<Record<RefundReason, string>> = {
  requested_by_customer: 'The customer asked for it',
  duplicate: 'It was paid twice',
  fraudulent: 'The payment was fraudulent',
};

export type RefundStatus = (typeof refundStatuses)[number];
export type RefundReason = (typeof refundReasons)[number];
export type LedgerEntryKind = (typeof ledgerEntryKinds)[number];

const disputeReasonTexts: ReadonlyMap<string, string> = new Map([
  ['fraudulent', 'the cardholder says that they did not make this payment'],
  ['unrecognized', 'the cardholder does not recognize this payment on their statement'],
  ['product_not_received', 'the customer says that they did not get what they paid for'],
  ['product_unacceptable', 'the customer says that what they got is not what was promised'],
  ['duplicate', 'the customer says that they were charged twice'],
  ['credit_not_processed', 'the customer says that a refund they were promised has not come'],
  ['subscription_canceled', 'the customer says that they had cancelled before this payment'],
]);

/** Describes why a payment is disputed. @param reason Stripe's code (https://docs.stripe.com/disputes/categories) */
export const displayDisputeReason = (reason: string): string =>
  disputeReasonTexts.get(reason) ?? 'the bank gave no reason';
