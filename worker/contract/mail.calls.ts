/**
 * The call about mails that could not be delivered. The list of what needs attention shows them (`attention.calls.ts`).
 */
import type { CallTable } from './call.ts';

export const mailCalls = {
  'POST /unsent-mail/:id': {
    about: 'Retries a mail that could not be delivered.',
    who: 'orders',
    status: 202,
  },
} as const satisfies CallTable;
