/** The kinds of entries under 'Needs attention'. `attentionFor` (worker/attention/attention.ts) joins their queries. */
import type { Ability } from './audience.ts';

interface KindOfEntry {
  readonly title: string;
  /** Who sees these entries. */
  readonly who: Ability;
  /** Somebody may mark the entry as done (`markSeen`), because its cause may never be resolved. */
  readonly canBeMarkedDone?: true;
  /** `NOTIFY_EMAIL` gets a separate email about each entry, so an alert to that address leaves it out. */
  readonly hasOwnEmail?: true;
  /** Where a person handles the entry, besides the order's screen. The entry's `_id` is the id for that screen. */
  readonly link?: {
    readonly screen: 'customerSubscription' | 'paymentKey' | 'release';
    readonly label: string;
  };
}

const kinds = {
  /** A refund that Stripe could not make. */
  failedRefund: { title: 'Refund failed', who: 'orders', canBeMarkedDone: true },
  /** A monthly payment that failed, until it succeeds or the subscription ends. `_id` is the id of the subscription. */
  failedRenewal: {
    title: 'Monthly payment failed',
    who: 'orders',
    link: { screen: 'customerSubscription', label: 'Open the subscription' },
  },
  /** A payment that no order could accept. */
  refund: { title: 'Refund', who: 'orders', canBeMarkedDone: true },
  /** A payment whose outcome is unknown. */
  unsettledIntent: { title: 'Payment not settled', who: 'orders', canBeMarkedDone: true },
  /** A payment that the payer's bank disputes, until the dispute is decided. */
  dispute: { title: 'Payment in dispute', who: 'orders' },
  /** A payment that was lost in a dispute, until the work on its order is delivered. */
  lostDispute: { title: 'Dispute lost', who: 'orders' },
  /** An order whose customer has not answered the questions for four days. */
  missingBrief: { title: 'Answers missing', who: 'orders' },
  /**
   * A release that was not published on schedule, or a scheduled release that cannot be published in its current state,
   * because a record that it changes was saved or removed. `_id` is the id of the release.
   */
  release: {
    title: 'Release not published',
    who: 'content',
    link: { screen: 'release', label: 'Open the release' },
  },
  /** A plan step that was not done, or not answered, in time. */
  overdueStep: { title: 'Step overdue', who: 'orders' },
  /** A payment that the cardholder's bank warns about, until it is refunded, disputed or marked as done. */
  fraudWarning: { title: 'Possible fraud', who: 'orders', canBeMarkedDone: true },
  /** A customer's request to change a step, until the step is marked as done again. */
  changeWanted: { title: 'Change requested', who: 'orders', hasOwnEmail: true },
  /** A paid order whose customer deleted their account before delivery, until it is delivered or refunded. */
  customerDeleted: { title: 'Customer deleted their account', who: 'orders' },
  /** An order with a customer's message that no staff member has read. `_id` is the id of the order. */
  unreadMessage: { title: 'Unread message', who: 'orders', hasOwnEmail: true },
  /** A payment key that Stripe rejects, until another key is saved. */
  paymentKey: {
    title: 'Payment key rejected',
    who: 'orders',
    link: { screen: 'paymentKey', label: 'Change the payment key' },
  },
  /** An email that could not be delivered. */
  unsentMail: { title: 'Email not sent', who: 'orders' },
} as const satisfies Record<string, KindOfEntry>;

export type AttentionKind = keyof typeof kinds;
export const attentionKinds: Readonly<Record<AttentionKind, KindOfEntry>> = kinds;
export const attentionKindNames = Object.keys(kinds) as [AttentionKind, ...AttentionKind[]];
