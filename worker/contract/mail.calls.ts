/** The call on mails that could not be delivered; their list is part of what needs a person (`payments.ts`). */
import type { CallTable } from './call.ts';

export const mailCalls = {
  'POST /unsent-mail/:id': {
    about: 'Tries again to send a mail that could not be delivered.',
    who: 'orders',
    status: 202,
  },
} as const satisfies CallTable;
