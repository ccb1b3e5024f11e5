/** The calls on what needs a person. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { id, moment, pageQuery } from './schemas.ts';

export const attentionItem = z.strictObject({
  /** Id for `PUT /needs-attention/{id}` (payments, and mails that were given up) or `POST /unsent-mail/{id}` (mails). */
  _id: id,
  /**
   * `refund`: a payment that no order could take; `failedRefund`: a refund that Stripe could not make; `unsettledIntent`: a
   * payment that we could not learn the end of; `dispute`: a payment that its payer's bank disputes, listed until that is
   * decided; `unsentMail`: a mail that could not be delivered; `missingBrief`: an order whose customer has
   * not answered its questions for four days; `overdueStep`: a step of a plan that was not done, or not answered, in time;
   * `release`: one that could not be published at its time, with the id of the release; `fraudWarning`: a payment that the
   * cardholder's bank warns of, listed until it is refunded, disputed or marked as done; `changeWanted`: a change of a step that its customer asks for, listed until the step is
   * ticked off again; `unreadMessage`: an order whose customer has written what none of us has read, with its id;
   * `paymentKey`: Stripe refuses the payment key, listed until another one is saved.
   */
  kind: z.enum([
    'refund',
    'failedRefund',
    'dispute',
    'unsettledIntent',
    'unsentMail',
    'missingBrief',
    'release',
    'overdueStep',
    'fraudWarning',
    'changeWanted',
    'unreadMessage',
    'paymentKey',
  ]),
  /** A sentence that says what happened and what to do. */
  text: z.string(),
  at: moment,
  /** The order it concerns, when it concerns one. */
  orderId: id.optional(),
  /** A mail that is not tried again by itself; absent for any other line. */
  isGivenUp: z.literal(true).optional(),
  /** Where it is seen to, when that is Stripe's dashboard. */
  stripeUrl: z.url().optional(),
});
/** One line of `GET /needs-attention`. */
export type AttentionItem = Output<typeof attentionItem>;

export const attentionCalls = {
  'GET /needs-attention': {
    about:
      'What needs a person, the longest waiting first: releases for who may edit content, all else for who may see orders.',
    who: 'staff',
    query: pageQuery,
    answer: z.array(attentionItem),
  },
  'PUT /needs-attention/:id': {
    about:
      'Takes a payment off the list of what needs a person, or a mail that is not tried again, which is then never sent.',
    who: 'orders',
    body: z.strictObject({ seen: z.literal(true) }),
  },
} as const satisfies CallTable;
