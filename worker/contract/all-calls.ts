/**
 * Every call of the API. The Worker rejects other calls before any handler runs. The browser imports only the types of
 * this table.
 */
import { splitCallName, type Call, type CallName, type CallTable, type Method } from './call.ts';
import * as z from 'zod';
import { accountCalls } from './accounts.calls.ts';
import { attentionCalls } from './attention.calls.ts';
import { auditCalls } from './audit.calls.ts';
import { sectionEntries, historyCalls, publishingCalls, type SectionReads } from './content.calls.ts';
import { conversationCalls } from './conversations.calls.ts';
import { couponCalls } from './coupons.calls.ts';
import { customerCalls } from './customers.calls.ts';
import { draftCalls } from './drafts.calls.ts';
import { inboxCalls } from './inbox.calls.ts';
import { mediaCalls } from './media.calls.ts';
import { noteCalls } from './notes.calls.ts';
import { orderCalls } from './orders.calls.ts';
import { passkeyCalls } from './passkeys.calls.ts';
import { paymentCalls } from './payments.calls.ts';
import { receiptCalls } from './receipts.calls.ts';
import { refundCalls } from './refunds.calls.ts';
import { releaseCalls } from './releases.calls.ts';
import { planCalls } from './plans.calls.ts';
import { subscriptionCalls } from './subscriptions.calls.ts';

export const systemCalls = {
  'GET /health': {
    about: 'Checks the site, its database and its cron trigger. Returns 503 if one of them does not work.',
    who: 'anyone',
    answer: z.strictObject({ status: z.literal('ok') }),
  },
  'GET /openapi.json': {
    about: 'Returns this description.',
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
  ...couponCalls,
  ...paymentCalls,
  ...attentionCalls,
  ...conversationCalls,
  ...receiptCalls,
  ...refundCalls,
  ...subscriptionCalls,
  ...planCalls,
  ...inboxCalls,
  ...customerCalls,
  ...noteCalls,
  ...mediaCalls,
  ...publishingCalls,
  ...historyCalls,
  ...releaseCalls,
  ...draftCalls,
} as const satisfies CallTable;

/** The entry of every call that a browser can make by name. */
export type Calls = typeof fixedCalls & SectionReads;

export interface ListedCall extends Call {
  readonly name: CallName;
  readonly method: Method;
  /** Below `/api`. */
  readonly path: string;
}

export const allCalls: readonly ListedCall[] = Object.entries({
  ...sectionEntries,
  ...fixedCalls,
} as CallTable).map(([key, entry]) => {
  const name = key as CallName;
  const [method, path] = splitCallName(name);
  return { ...entry, name, method, path };
});
