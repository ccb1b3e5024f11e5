import * as z from 'zod';
import { auditActions } from './audit.ts';
import type { CallTable } from './call.ts';
import { moment, pageQuery } from './schemas.ts';

export const auditEntry = z.strictObject({
  /** Position in the log, from 1. */
  sequence: z.int(),
  at: moment,
  action: z.enum(auditActions),
  /** The account that did it, or the account of a failed sign-in or confirmation; empty if there is none. */
  accountId: z.string(),
  /** The account's email; empty once the account is deleted. */
  email: z.string(),
  /** The account's name; empty if it has none, and once the account is deleted. */
  name: z.string(),
  /** Id of the affected record; empty if there is none. */
  recordId: z.string(),
  /** What changed and by how much, such as 'Refunded $895 of order #1042'; empty if the action needs no details. */
  details: z.string(),
  /** For actions on users: the account that was changed; empty if the user had no account then. */
  subjectId: z.string(),
  /** The email of that account; empty once it is deleted. */
  subjectEmail: z.string(),
  /** The caller's network: the first 24 bits of an IPv4 address, or the first 48 bits of an IPv6 address. */
  network: z.string(),
});

export const auditCalls = {
  'GET /audit-log': {
    about: 'Lists the security-relevant actions of the last 12 months, newest first.',
    who: 'administrator',
    query: pageQuery,
    answer: z.array(auditEntry),
  },
  'GET /audit-log.csv': {
    about: 'Exports the audit log, oldest first.',
    who: 'administrator',
    audited: 'export',
    confirmed: true,
    answer: 'text/csv',
  },
} as const satisfies CallTable;
