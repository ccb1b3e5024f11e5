/**
 * Placing an order. The server trusts nothing it can know: the email must be the caller's, the price the package's
 * price now, statuses and date are its own; what was bought is kept as it was.
 */
import { and, eq } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { normalizeEmail } from '#contract/accounts.ts';
import { newId } from '#contract/ids.ts';
import { pointsOf } from '#contract/packages.ts';
import { minPriceCents, parsePriceCents } from '#contract/money.ts';
import type { NewOrder, PackageName, PriceChanged } from '#contract/orders.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { insertOrder, retryOnConflict } from './changes.ts';
import { dayOf } from './dates.ts';
import { orderPlacedMail } from './mails.ts';
import { tellCustomer } from './notify.ts';
import { orders, type OrderRecord } from './schema.ts';

const packages = contentTables.pricingPackage;

async function findPackage(db: Database, name: PackageName) {
  const [found] = await db.select().from(packages).where(eq(packages.packageName, name));
  if (!found) throw notFound('There is no such package any more.');
  return found;
}

async function findByKey(db: Database, accountId: string, key: string): Promise<OrderRecord | undefined> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.idempotencyKey, key)));
  return order;
}

const isSameOrder = (order: OrderRecord, input: NewOrder): boolean =>
  order.packageName === input.packageName &&
  order.priceCents === parsePriceCents(input.packagePrice) &&
  order.customerName === input.customerName &&
  order.customerAddress === input.customerAddress &&
  order.customerCountry === input.customerCountry;

/**
 * Places an order for the caller; the same idempotency key again answers the order that is there.
 * @throws ApiError 409 with `currentPrice` when the package costs something else now, 422 another email than the
 *   caller's, or a key that another order has used
 */
export async function placeOrder(
  { db, env, account }: { db: Database; env: Env; account: Account },
  input: NewOrder,
  idempotencyKey: string | undefined,
): Promise<OrderRecord> {
  if (normalizeEmail(input.customerEmail) !== normalizeEmail(account.email))
    throw invalid({ customerEmail: 'An order is placed with the email you are signed in with.' });
  return retryOnConflict(async () => {
    const repeated =
      idempotencyKey === undefined ? undefined : await findByKey(db, account.id, idempotencyKey);
    if (repeated && !isSameOrder(repeated, input))
      throw invalid({ body: 'This submit was already used for another order. Please load the page again.' });
    if (repeated) return repeated;

    const bought = await findPackage(db, input.packageName);
    const priceCents = parsePriceCents(bought.packagePrice);
    if (priceCents === undefined || priceCents !== parsePriceCents(input.packagePrice))
      throw conflict(
        `The price of this package is now ${bought.packagePrice} USD. Do you want to order at this price?`,
        {
          currentPrice: bought.packagePrice,
        } satisfies PriceChanged,
      );

    if (priceCents < minPriceCents)
      throw conflict('This package cannot be ordered online at its present price. Please write to us.');

    const now = Date.now();
    const order: OrderRecord = {
      _id: newId(now),
      accountId: account.id,
      packageName: bought.packageName,
      packagePrice: bought.packagePrice,
      priceCents,
      packagePoints: [...pointsOf(bought)],
      customerEmail: account.email,
      customerName: input.customerName,
      customerAddress: input.customerAddress,
      customerCountry: input.customerCountry,
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
      orderDay: dayOf(env, now),
      paymentMethod: 'PayPal',
      transactionId: '',
      paymentIntentId: '',
      idempotencyKey: idempotencyKey ?? null,
      version: 1,
    };
    const isNew = await insertOrder(
      db,
      order,
      { role: 'customer', accountId: account.id },
      now,
      tellCustomer({ db, env }, order, 'order-placed', orderPlacedMail),
    );
    return isNew ? order : undefined;
  });
}
