/**
 * Checks that an export contains everything that the database stores about a person. A new table, or a new column of an
 * exported table, fails the check until it is exported or listed here. Content is about the business, so its tables are
 * exempt.
 */
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { sectionNamed, sectionNames } from '#contract/sections/index.ts';
import type { Database } from '#worker/db/client.ts';

const ofAccount = `accountId = :id`;
const ofOrders = `orderId IN (SELECT _id FROM orders WHERE ${ofAccount})`;

/**
 * The exported tables, and which of their rows belong to the person. The columns that the export leaves out only serve
 * the system, are secret, are about the staff's work, or are exported in another form.
 */
const exported: Readonly<Record<string, { readonly rows: string; readonly leftOut: readonly string[] }>> = {
  accounts: {
    rows: 'id = :id',
    leftOut: [
      ...['id', 'passwordVersion', 'hasShortPassword', 'passkeyHandle', 'passwordHash', 'googleSubject'],
    ],
  },
  sessions: {
    rows: ofAccount,
    leftOut: ['id', 'accountId', 'passwordVersion', '_id', 'confirmedAt', 'shown'],
  },
  passkeys: {
    rows: ofAccount,
    leftOut: ['_id', 'accountId', 'credentialId', 'publicKey', 'counter', 'transports'],
  },
  recovery_codes: { rows: ofAccount, leftOut: ['id', 'accountId', 'madeAt'] },
  password_changes: { rows: ofAccount, leftOut: ['accountId', 'version'] },
  orders: {
    rows: ofAccount,
    leftOut: [
      ...['accountId', 'idempotencyKey', 'version', 'remindedAt', 'paymentIntentId', 'priceCents'],
      ...['sourceName', 'orderDay', 'paymentMethod', 'wallet', 'refundedCents'],
    ],
  },
  subscriptions: {
    rows: `firstOrderId IN (SELECT _id FROM orders WHERE ${ofAccount})`,
    // The export has the dates as days, and says the rest in words.
    leftOut: [
      ...['packageName', 'stripeId', 'customerId', 'status', 'newPriceFrom', 'periodEnd', 'isEnding'],
      ...['resumesAt', 'failures', 'failedAt', 'nextTryAt', 'startedAt', 'endedAt', 'checkAt', 'syncedAt'],
      'version',
    ],
  },
  order_events: { rows: ofOrders, leftOut: ['version', 'role', 'accountId', 'before', 'after'] },
  payments: {
    rows: ofOrders,
    leftOut: ['_id', 'method', 'currency', 'outcome', 'refusal', 'seenBy', 'seenAt', 'warnedAt'],
  },
  refunds: {
    rows: ofOrders,
    leftOut: [
      ...['_id', 'paymentId', 'refundId', 'idempotencyKey', 'changedAt', 'failures', 'checkAt', 'accountId'],
      ...['seenBy', 'seenAt', 'reason', 'failure'],
    ],
  },
  order_steps: {
    rows: ofOrders,
    leftOut: ['position', 'wantsApproval', 'messageId', 'doneBy', 'isOver'],
  },
  order_briefs: {
    rows: ofAccount,
    leftOut: ['accountId', 'answers', 'asked', 'awaitedSince', 'remindedAt', 'isOver'],
  },
  conversation_messages: { rows: ofOrders, leftOut: ['_id', 'sequence', 'accountId', 'idempotencyKey'] },
  order_files: { rows: ofOrders, leftOut: ['accountId', 'messageId', 'idempotencyKey', 'at'] },
  messages: {
    rows: 'lower(email) = :email',
    leftOut: ['_id', 'email', 'messageStatus', 'repliedAt', 'newReplyAt', 'idempotencyKey'],
  },
  message_replies: {
    rows: 'messageId IN (SELECT _id FROM messages WHERE lower(email) = :email)',
    leftOut: ['_id', 'messageId', 'accountId', 'idempotencyKey'],
  },
  reply_files: {
    rows: 'messageId IN (SELECT _id FROM messages WHERE lower(email) = :email)',
    leftOut: ['_id', 'messageId', 'replyId'],
  },
  subscribers: {
    rows: 'lower(subemail) = :email',
    leftOut: ['_id', 'subemail', 'askedAt', 'confirmedAt'],
  },
  users: { rows: 'lower(userEmail) = :email', leftOut: ['_id', 'version', 'position'] },
  drafts: { rows: ofAccount, leftOut: ['accountId', 'recordId', 'version', 'values'] },
};

/** Tables with personal data that are not exported: secrets, the staff's work, and copies of other tables. */
const unexported: readonly string[] = [
  ...['account_tokens', 'invitations', 'audit_events', 'setting_events', 'inbox_events', 'content_history'],
  ...['publications', 'releases', 'release_changes', 'conversations', 'customers', 'customer_search'],
  ...['staff_notes', 'assignments', 'disputes', 'ledger', 'mails', 'payment_intents'],
];

/** Tables without personal data. Their rows are counts, times, hashes or texts of the business. */
const withoutPersonalData: readonly string[] = [
  ...[
    'alerts',
    'assertions',
    'attempts',
    'coupons',
    'customer_counts',
    'first_run',
    'inbox_counts',
    'job_runs',
  ],
  ...[
    'order_digests',
    'order_totals',
    'page_sets',
    'pages',
    'preview_links',
    'saved_answers',
    'source_totals',
  ],
  ...['spent_challenges', 'stripe_keys'],
];

/** Tables that SQLite and the migrations create for themselves. */
const internal = /^(sqlite_|__drizzle_|customer_search_)/;

/** The forms in which an export may contain the value of a column. */
function formsOf(column: string, value: unknown): string[] {
  if (typeof value !== 'number') return [JSON.stringify(value).slice(1, -1), String(value)];
  if (column.endsWith('Cents')) return [`"${(value / 100).toFixed(2).replace('.00', '')}"`];
  return value > 1e11 ? [new Date(value).toISOString()] : [String(value), new Date(value).toISOString()];
}

/**
 * Compares an export with every table of the database.
 * @param text the export, as JSON
 */
export async function expectExported(
  db: Database,
  text: string,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  const columns = await db.all<{ name: string; column: string }>(
    sql`SELECT of.name AS name, info.name AS "column" FROM sqlite_master AS of, pragma_table_info(of.name) AS info WHERE of.type = 'table'`,
  );
  const content = sectionNames.map((section) => sectionNamed(section).table);
  const known = [...Object.keys(exported), ...unexported, ...withoutPersonalData, ...content];
  const undecided = columns
    .map(({ name }) => name)
    .filter((name) => !known.includes(name) && !internal.test(name));
  expect([...new Set(undecided)], 'Does it have personal data? Decide in tests/support/own-data.ts.').toEqual(
    [],
  );
  const lower = text.toLowerCase();
  for (const [name, { rows, leftOut }] of Object.entries(exported)) {
    const own = columns.filter((one) => one.name === name).map(({ column }) => column);
    expect(own, `Columns of ${name} that are left out`).toEqual(expect.arrayContaining([...leftOut]));
    const found = await db.$client.execute({
      sql: `SELECT * FROM "${name}" WHERE ${rows}`,
      args: { ...(rows.includes(':id') && { id }), ...(rows.includes(':email') && { email }) },
    });
    for (const row of found.rows)
      for (const column of own.filter((one) => !leftOut.includes(one))) {
        const value = row[column];
        if (value === null || value === '') continue;
        const isTold = formsOf(column, value).some((form) => lower.includes(form.toLowerCase()));
        expect(isTold, `${name}.${column} ${JSON.stringify(value)}`).toBe(true);
      }
  }
}
