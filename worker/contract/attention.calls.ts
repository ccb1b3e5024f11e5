/** The calls about what needs attention. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { id, moment, pageQuery } from './schemas.ts';

export const attentionItem = z.strictObject({
  /**
   * Id for `PUT /needs-attention/{id}` (payments, and emails that failed for good) or `POST /unsent-mail/{id}`
   * (emails).
   */
  _id: id,
  /**
   * - `refund`: a payment that no order could accept.
   * - `failedRefund`: a refund that Stripe could not make.
   * - `failedRenewal`: a monthly payment that failed, until it succeeds or the subscription ends. `_id` is the id
   *   of the subscription.
   * - `unsettledIntent`: a payment whose outcome is unknown.
   * - `dispute`: a payment that the payer's bank disputes, until the dispute is decided.
   * - `unsentMail`: an email that could not be delivered.
   * - `missingBrief`: an order whose customer has not answered the questions for four days.
   * - `overdueStep`: a step of a plan that was not done, or not answered, in time.
   * - `release`: a release that could not be published on schedule, or a scheduled one that cannot be published in
   *   its current state, because a record that it changes was saved or removed. `_id` is the id of the release.
   * - `lostDispute`: a payment that was lost in a dispute, until the work on its order is delivered.
   * - `fraudWarning`: a payment that the cardholder's bank warns about, until it is refunded, disputed or marked as
   *   done.
   * - `changeWanted`: the customer asked for a change to a step, until the step is marked as done again.
   * - `customerDeleted`: a paid order whose customer deleted their account before the delivery, until it is delivered
   *   or refunded.
   * - `unreadMessage`: an order with a customer's message that no staff member has read. `_id` is the id of the
   *   order.
   * - `paymentKey`: a payment key that Stripe rejects, until another key is saved.
   */
  kind: z.enum([
    'refund',
    'failedRefund',
    'failedRenewal',
    'dispute',
    'lostDispute',
    'unsettledIntent',
    'unsentMail',
    'missingBrief',
    'release',
    'overdueStep',
    'fraudWarning',
    'changeWanted',
    'customerDeleted',
    'unreadMessage',
    'paymentKey',
  ]),
  /** A sentence that says what happened and what to do. */
  text: z.string(),
  at: moment,
  /** The order that the line is about, if any. */
  orderId: id.optional(),
  /** Set for an email that is no longer retried automatically. */
  isGivenUp: z.literal(true).optional(),
  /** The page in Stripe's dashboard where a person can handle it. */
  stripeUrl: z.url().optional(),
});
export type AttentionItem = Output<typeof attentionItem>;

/** The tasks of setting up a site. */
export const setupTasks = ['paymentKey', 'brand', 'businessDetails', 'businessPages'] as const;
export type SetupTask = (typeof setupTasks)[number];

export const attentionCalls = {
  'GET /needs-attention': {
    about:
      'Lists what needs attention, oldest first. Callers who may edit content get releases. Callers who may see orders get everything else.',
    who: 'staff',
    query: pageQuery,
    answer: z.array(attentionItem),
  },
  'PUT /needs-attention/:id': {
    about:
      'Removes a payment from the attention list, or a mail that is no longer retried. The mail is then never sent.',
    who: 'orders',
    body: z.strictObject({ seen: z.literal(true) }),
  },
  'POST /unsent-mail/:id': {
    about: 'Retries an email that could not be delivered.',
    who: 'orders',
    status: 202,
  },
  'GET /setup-tasks': {
    about:
      'Lists what remains of setting up the site: no payment key or business details, or texts of a new site.',
    who: 'administrator',
    answer: z.array(z.enum(setupTasks)),
  },
} as const satisfies CallTable;
