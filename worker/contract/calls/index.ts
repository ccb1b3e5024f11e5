/**
 * Every call of the API. The Worker refuses what is not listed here, before any handler runs. The browser takes the
 * types of this table and nothing else of it.
 */
import { splitCallName, type Call, type CallName, type CallTable, type Method } from '../call.ts';
import * as z from 'zod';
import { accountCalls } from './accounts.ts';
import { auditCalls } from './audit.ts';
import { allSectionEntries, historyCalls, publishingCalls, type SectionReads } from './content.ts';
import { conversationCalls } from './conversations.ts';
import { customerCalls } from './customers.ts';
import { draftCalls } from './drafts.ts';
import { inboxCalls } from './inbox.ts';
import { mediaCalls } from './media.ts';
import { mailCalls } from './mail.ts';
import { orderCalls } from './orders.ts';
import { passkeyCalls } from './passkeys.ts';
import { paymentCalls } from './payments.ts';
import { receiptCalls } from './receipts.ts';
import { refundCalls } from './refunds.ts';
import { releaseCalls } from './releases.ts';
import { workCalls } from './work.ts';

export const systemCalls = {
  'GET /health': {
    about: 'Whether the site, its database and its cron trigger work; 503 when one does not.',
    who: 'anyone',
    answer: z.strictObject({ status: z.literal('ok') }),
  },
  'GET /openapi.json': {
    about: 'This description.',
    who: 'anyone',
    answer: z.looseObject({ openapi: z.string() }),
  },
} as const satisfies CallTable;

const fixedCalls = {
  ...systemCalls,
  ...accountCalls,
  ...passkeyCalls,
  ...auditCalls,
  ...orderCalls,
  ...paymentCalls,
  ...conversationCalls,
  ...receiptCalls,
  ...refundCalls,
  ...workCalls,
  ...inboxCalls,
  ...customerCalls,
  ...mailCalls,
  ...mediaCalls,
  ...publishingCalls,
  ...historyCalls,
  ...releaseCalls,
  ...draftCalls,
} as const satisfies CallTable;

/** The entry of every call that a browser may name. */
export type Calls = typeof fixedCalls & SectionReads;

/** An entry with its name, taken apart. */
export interface ListedCall extends Call {
  readonly name: CallName;
  readonly method: Method;
  /** Below `/api`. */
  readonly path: string;
}

/** Every call there is. */
export const allCalls: readonly ListedCall[] = Object.entries({
  ...allSectionEntries,
  ...fixedCalls,
} as CallTable).map(([key, entry]) => {
  const name = key as CallName;
  const [method, path] = splitCallName(name);
  return { ...entry, name, method, path };
});
