/** The calls for what needs attention. */
import * as z from 'zod';
import { attentionKindNames } from './attention.ts';
import type { CallTable, Output } from './call.ts';
import { id, moment, pageQuery } from './schemas.ts';

export const attentionItem = z.strictObject({
  /**
   * Id for `PUT /needs-attention/{id}` (payments, and emails that failed for good) or `POST /unsent-mail/{id}`
   * (emails).
   */
  _id: id,
  kind: z.enum(attentionKindNames),
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

/** The tasks for setting up a site. */
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
      'Removes a payment from the attention list, or an email that is no longer retried. The email is then never sent.',
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
