/** Who has ordered, noted in the batch of their order: lists and searches of customers read no orders. */
import { eq, sql } from 'drizzle-orm';
import { assertAccount } from '../accounts/owner.ts';
import type { Database, Statement } from '../db/client.ts';
import { customerCounts, customers, customerWords, type OrderRecord } from './schema.ts';
import { insertIf } from '../db/insert-if.ts';

/** The words of a text, in lower case and without accents. */
export const wordsOf = (text: string): string[] => [
  ...new Set(
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ''),
  ),
];

/**
 * A whole name as one more indexed word, which keeps the order of its words: so somebody with a common first and a
 * common last name can be found. It begins with a space, which no other word does.
 */
export const phraseOf = (words: readonly string[]): string => ` ${words.join(' ')}`;

/** The statement that moves the count of customers. It stands before the change. @param by +1 where there is none yet, -1 where there is one */
const countCustomer = (db: Database, accountId: string, by: 1 | -1): Statement => {
  const isThere = sql`EXISTS (SELECT 1 FROM ${customers} WHERE ${eq(customers.accountId, accountId)})`;
  const condition = by === 1 ? sql`NOT ${isThere}` : isThere;
  return insertIf(db, customerCounts, { scope: 'all', count: by }, condition).onConflictDoUpdate({
    target: customerCounts.scope,
    set: { count: sql`${customerCounts.count} + excluded.count` },
  });
};

/** The statements that note the customer of an order; none for an order that is nobody's yet. */
export function noteCustomer(
  db: Database,
  { accountId, customerName: name }: Pick<OrderRecord, 'accountId' | 'customerName'>,
): Statement[] {
  if (accountId === '') return [];
  const words = wordsOf(name);
  const rows = (words.length > 1 ? [...words, phraseOf(words)] : words).map((word) => ({ word, accountId }));
  return [
    assertAccount(db, accountId),
    countCustomer(db, accountId, 1),
    db
      .insert(customers)
      .values({ accountId, name })
      .onConflictDoUpdate({ target: customers.accountId, set: { name } }),
    ...(rows.length === 0 ? [] : [db.insert(customerWords).values(rows).onConflictDoNothing()]),
  ];
}

/** The statements that forget a customer. */
export const forgetCustomer = (db: Database, accountId: string): Statement[] => [
  countCustomer(db, accountId, -1),
  db.delete(customers).where(eq(customers.accountId, accountId)),
  db.delete(customerWords).where(eq(customerWords.accountId, accountId)),
];
