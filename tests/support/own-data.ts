/**
 * Whether an export tells somebody everything that the database holds of them. Every column of every table that names a
 * person stands here, exported or left out for a reason, so that a new one is not forgotten.
 */
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Database } from '#worker/db/client.ts';

/** Columns by which a row is somebody's, or an order's. */
const naming = /^(accountId|orderId|customerId|email|userEmail|subemail|recipient|by|createdBy|recordId)$/;

const ofAccount = `accountId = :id`;
const ofOrders = `orderId IN (SELECT _id FROM orders WHERE ${ofAccount})`;

/** For the system alone: what says nothing about a person. */
const inner = 'what the system counts or finds rows by';
const secret = 'what lets somebody in';
const derived = 'another form of what is exported';
const staffs = 'what the staff is told and has seen, about its own work';
const staffsHistory = 'what staff did, told to administrators';

interface Told {
  /** The rows that are somebody's. */
  readonly rows: string;
  /** Columns that the export has, by value. */
  readonly columns: readonly string[];
  /** Columns that it leaves out, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
}

const exported: Readonly<Record<string, Told>> = {
  accounts: {
    rows: 'id = :id',
    columns: ['email', 'emailVerifiedAt', 'createdAt', 'name', 'company', 'phone', 'website'],
    leftOut: {
      ...{ id: inner, passwordVersion: inner, hasShortPassword: inner, passkeyHandle: inner },
      ...{ passwordHash: secret, googleSubject: 'told as signsInWithGoogle' },
    },
  },
  sessions: {
    rows: ofAccount,
    columns: ['device', 'place', 'createdAt', 'lastUsedAt'],
    leftOut: {
      id: secret,
      accountId: inner,
      passwordVersion: inner,
      _id: inner,
      confirmedAt: inner,
      shown: inner,
    },
  },
  passkeys: {
    rows: ofAccount,
    columns: ['name', 'addedAt', 'lastUsedAt'],
    leftOut: {
      ...{ _id: inner, accountId: inner, credentialId: secret, publicKey: secret },
      ...{ counter: inner, transports: inner },
    },
  },
  recovery_codes: {
    rows: ofAccount,
    columns: [],
    leftOut: { id: secret, accountId: inner, madeAt: 'told as recoveryCodesLeft' },
  },
  password_changes: {
    rows: ofAccount,
    columns: ['reason', 'changedAt'],
    leftOut: { accountId: inner, version: inner },
  },
  orders: {
    rows: ofAccount,
    columns: [
      ...['_id', 'number', 'packageName', 'packagePrice', 'customerEmail', 'customerName', 'customerAddress'],
      ...['customerCountry', 'customerCompany', 'customerTaxNumber', 'paymentStatus', 'orderStatus'],
      ...['packagePoints', 'transactionId', 'source'],
    ],
    leftOut: {
      ...{
        accountId: inner,
        idempotencyKey: inner,
        version: inner,
        remindedAt: inner,
        paymentIntentId: inner,
      },
      ...{
        priceCents: derived,
        sourceName: derived,
        orderDay: derived,
        paymentMethod: 'told once it is paid',
        wallet: 'told with its payment',
      },
      refundedCents: derived,
    },
  },
  order_events: {
    rows: ofOrders,
    columns: ['orderId', 'kind', 'at'],
    leftOut: {
      ...{ version: inner, role: 'told as by', accountId: inner },
      ...{ before: 'told as what changed', after: 'told as what changed' },
    },
  },
  payments: {
    rows: ofOrders,
    columns: ['orderId', 'at', 'paidWith', 'paymentIntentId', 'amountCents'],
    leftOut: {
      ...{ _id: inner, method: derived, currency: inner, outcome: inner, refusal: inner },
      ...{ seenBy: staffs, seenAt: staffs },
    },
  },
  refunds: {
    rows: ofOrders,
    columns: ['orderId', 'status', 'note', 'at', 'amountCents'],
    leftOut: {
      ...{
        _id: inner,
        paymentId: inner,
        refundId: inner,
        idempotencyKey: inner,
        changedAt: inner,
        failures: inner,
      },
      ...{
        checkAt: inner,
        accountId: staffs,
        seenBy: staffs,
        seenAt: staffs,
        reason: staffs,
        failure: staffs,
      },
    },
  },
  order_steps: {
    rows: ofOrders,
    columns: [
      ...['_id', 'orderId', 'title', 'details', 'dueDay', 'plannedDay', 'state', 'note', 'request', 'doneAt'],
    ],
    leftOut: {
      position: 'told as the order of the list',
      wantsApproval: 'yes or no',
      messageId: inner,
      doneBy: staffs,
      isOver: 'told as where the order stands',
    },
  },
  order_briefs: {
    rows: ofAccount,
    columns: ['orderId', 'sentAt'],
    leftOut: {
      ...{ accountId: inner, answers: 'told with the questions', asked: 'told with the answers' },
      ...{ awaitedSince: inner, remindedAt: inner, isOver: 'told as where the order stands' },
    },
  },
  conversation_messages: {
    rows: ofOrders,
    columns: ['orderId', 'side', 'kind', 'text', 'at'],
    leftOut: {
      _id: inner,
      sequence: 'told as the order of the list',
      accountId: 'told as side',
      idempotencyKey: inner,
    },
  },
  order_files: {
    rows: ofOrders,
    columns: ['orderId', 'name', 'type', 'bytes', '_id'],
    leftOut: {
      ...{ accountId: inner, messageId: 'told as the message that it stands in', idempotencyKey: inner },
      at: 'told with its message',
    },
  },
  messages: {
    rows: 'lower(email) = :email',
    columns: ['name', 'number', 'subject', 'message', 'receivedAt', 'source'],
    leftOut: { _id: inner, email: 'the account’s own', messageStatus: staffs, idempotencyKey: inner },
  },
  subscribers: {
    rows: 'lower(subemail) = :email',
    columns: [],
    leftOut: {
      _id: inner,
      subemail: 'the account’s own',
      askedAt: 'told as state',
      confirmedAt: 'told as state',
    },
  },
  users: {
    rows: 'lower(userEmail) = :email',
    columns: ['userEmail', 'userRole'],
    leftOut: { _id: inner, version: inner, position: inner },
  },
  drafts: {
    rows: ofAccount,
    columns: ['section', 'draftId', 'at'],
    leftOut: {
      accountId: inner,
      recordId: 'told where there is one',
      version: inner,
      values: 'told by fields',
    },
  },
};

/** Tables that name a person and of which the export has nothing, and why. */
const untold: Readonly<Record<string, string>> = {
  account_tokens: secret,
  invitations: secret,
  audit_events: 'told to administrators; whose network it was nobody else is to learn',
  setting_events: staffsHistory,
  inbox_events: staffsHistory,
  content_history: staffsHistory,
  publications: staffsHistory,
  releases: staffsHistory,
  release_changes: staffsHistory,
  conversations: inner,
  customers: derived,
  customer_words: derived,
  customer_notes: 'notes of the staff, which are not the customer’s to see',
  disputes: 'told in the timeline of the order',
  ledger: 'told as payments and refunds',
  mails: 'on their way to the person, and gone once they are sent',
  payment_intents: inner,
};

/** What an export may say for a value of a column. */
function formsOf(column: string, value: unknown): string[] {
  if (typeof value !== 'number') return [JSON.stringify(value).slice(1, -1), String(value)];
  if (column.endsWith('Cents')) return [`"${(value / 100).toFixed(2).replace('.00', '')}"`];
  return value > 1e11 ? [new Date(value).toISOString()] : [String(value), new Date(value).toISOString()];
}

/** Holds an export against every table of the database. @param told the export, as JSON */
export async function expectTold(
  db: Database,
  told: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  const columns = await db.all<{ name: string; column: string }>(
    sql`SELECT of.name AS name, info.name AS "column" FROM sqlite_master AS of, pragma_table_info(of.name) AS info WHERE of.type = 'table'`,
  );
  const byTable = Map.groupBy(columns, ({ name }) => name);
  const listed = Object.fromEntries(
    [...byTable]
      .filter(([name, own]) => name in exported || own.some(({ column }) => naming.test(column)))
      .map(([name, own]) => [name, own.map(({ column }) => column).toSorted()]),
  );
  const expected = Object.entries(exported).map(([name, table]) => [
    name,
    [...table.columns, ...Object.keys(table.leftOut)].toSorted(),
  ]);
  const left = Object.keys(untold).map((name) => [name, listed[name] ?? 'a table that is no more']);
  expect(listed).toEqual(Object.fromEntries([...expected, ...left]));
  const lower = told.toLowerCase();
  for (const [name, { rows, columns: wanted }] of Object.entries(exported)) {
    const found = await db.$client.execute({
      sql: `SELECT * FROM "${name}" WHERE ${rows}`,
      args: { ...(rows.includes(':id') && { id }), ...(rows.includes(':email') && { email }) },
    });
    for (const row of found.rows)
      for (const column of wanted) {
        const value = row[column];
        if (value === null || value === '') continue;
        const isTold = formsOf(column, value).some((form) => lower.includes(form.toLowerCase()));
        expect(isTold, `${name}.${column} ${JSON.stringify(value)}`).toBe(true);
      }
  }
}
