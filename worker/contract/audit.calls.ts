/** The calls on the audit log. */
import * as z from 'zod';
import { auditActions } from './audit.ts';
import type { CallTable } from './call.ts';
import { moment, pageQuery } from './schemas.ts';

export const auditEntry = z.strictObject({
  /** Place in the log, from 1. */
  sequence: z.int(),
  at: moment,
  action: z.enum(auditActions),
  /** The account that did it, or at which somebody failed to sign in or to confirm who they are; empty where there is none. */
  accountId: z.string(),
  /** Its email; empty once it is deleted. */
  email: z.string(),
  /** Id of the record that it was done to; empty where there is none. */
  recordId: z.string(),
  /** What and how much, such as 'Returned $895 of order #1042'; empty where the action says all. */
  details: z.string(),
  /** The network that it came from: the first 24 bits of an IPv4 address, the first 48 of an IPv6 one. */
  network: z.string(),
});

export const auditCalls = {
  'GET /audit-log': {
    about: 'What was done that matters for safety, newest first, for 12 months.',
    who: 'administrator',
    query: pageQuery,
    answer: z.array(auditEntry),
  },
  'GET /audit-log.csv': {
    about: 'The audit log, oldest first.',
    who: 'administrator',
    audited: 'export',
    confirmed: true,
    answer: 'text/csv',
  },
} as const satisfies CallTable;
