/**
 * Fills a copy as a firm's would be after ten weeks: orders in every state, messages, subscribers, a payment that went
 * back. Orders are written by the Worker's own functions, because only those can date them back.
 */
import { accounts } from '#worker/accounts/schema.ts';
import { newId } from '#contract/ids.ts';
import { parsePriceCents } from '#contract/money.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import type { Database } from '#worker/db/client.ts';
import { changeOrder, insertOrder, stripeActor } from '#worker/orders/changes.ts';
import type { NewOrderRecord, OrderRecord } from '#worker/orders/schema.ts';
import { payments } from '#worker/payments/schema.ts';
import { openSystemDatabase } from '../bench/database.ts';
import type { TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const dayMs = 86_400_000;
const orderCount = 42;

const buyers = [
  { name: 'Dana Whitlock', address: '77 Canal Road, Columbus, OH 43215', country: 'United States' },
  { name: 'Marco Bellini', address: '4 Harbor View, Portland, ME 04101', country: 'United States' },
  { name: 'Sunita Rao', address: '1290 Elm Avenue, Suite 9, Fresno, CA 93721', country: 'United States' },
  { name: 'Owen MacAllister', address: '18 Quay Street, Halifax, NS B3J 1A1', country: 'Canada' },
  { name: 'Grace Adeyemi', address: '502 Market Street, Newark, NJ 07102', country: 'United States' },
] as const;

const questions = [
  ['Which package suits two offices?', 'We lend in Dayton and in Springfield. Is Premium too much for us?'],
  ['Our old pages', 'Will the addresses of our present loan pages still lead somewhere afterwards?'],
  ['A call next week', 'Could somebody ring me on Tuesday before noon? I have three short questions.'],
  ['Invoice', 'Please send the invoice to our accountant as well. The address is in my order.'],
] as const;

const emailOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@lender.example`;

/** The order that was placed so many orders ago: less than two days lie between one and the next. */
function orderOf(
  index: number,
  accountIds: ReadonlyMap<string, string>,
  ownEmail: string,
  bought: { readonly packageName: string; readonly packagePrice: string },
): { order: NewOrderRecord; at: number } {
  const at = Date.now() - Math.round((index + (index % 5) * 0.6) * 1.5 * dayMs);
  const { name, address, country } = buyers[index % buyers.length] ?? buyers[0];
  const customerEmail = index % 5 === 0 ? ownEmail : emailOf(name);
  return {
    at,
    order: {
      _id: newId(at),
      accountId: accountIds.get(customerEmail) ?? '',
      packageName: bought.packageName,
      packagePrice: bought.packagePrice,
      priceCents: parsePriceCents(bought.packagePrice) ?? 0,
      packagePoints: ['Site review, and we make the repairs', '4 loan pages written and published'],
      customerEmail,
      customerName: name,
      customerAddress: address,
      customerCountry: country,
      customerCompany: '',
      customerTaxNumber: '',
      paymentStatus: 'UnPaid',
      orderStatus: 'Pending',
      orderDay: new Date(at).toISOString().slice(0, 10),
      paymentMethod: 'PayPal',
      wallet: '',
      transactionId: '',
      refundedCents: 0,
      paymentIntentId: '',
      remindedAt: null,
      idempotencyKey: null,
      source: index % 3 === 0 ? null : { page: '/pricing/', referrer: 'www.google.com' },
      sourceName: index % 3 === 0 ? 'unknown' : 'google.com',
      version: 1,
    },
  };
}

/** Of the newest orders one waits for its payment, some are being worked on; one in seven was cancelled. */
async function moveOn(db: Database, order: OrderRecord, index: number): Promise<void> {
  if (index === 0 || index % 9 === 4) return;
  if (index % 7 === 5) {
    const by = { role: 'customer', accountId: order.accountId } as const;
    await changeOrder(db, order, { kind: 'cancelled', by, set: { paymentStatus: 'Cancelled' } });
    return;
  }
  const transactionId = `pi_${order._id.replaceAll('-', '').slice(0, 24)}`;
  const paid = await changeOrder(db, order, {
    kind: 'paid',
    by: stripeActor,
    set: { paymentStatus: 'Paid', paymentMethod: 'Card', transactionId },
  });
  if (!paid || index < 9) return;
  const by = { role: 'administrator', accountId: '' } as const;
  await changeOrder(db, paid, { kind: 'delivered', by, set: { orderStatus: 'Delivered' } });
}

async function placeOrders(db: Database, email: string): Promise<void> {
  await db
    .insert(accounts)
    .values(buyers.map(({ name }) => ({ id: newId(), email: emailOf(name), createdAt: Date.now() })));
  const accountIds = new Map((await db.select().from(accounts)).map(({ id, email: of }) => [of, id]));
  const packages = await db.select().from(contentTables.pricingPackage);
  for (let index = orderCount - 1; index >= 0; index -= 1) {
    const bought = packages[(index * 2) % packages.length];
    if (!bought) throw new Error('The copy sells no package.');
    const { order, at } = orderOf(index, accountIds, email, bought);
    const placed = await insertOrder(db, order, { role: 'customer', accountId: order.accountId }, at, []);
    if (placed) await moveOn(db, placed, index);
    if (index === 5)
      await db.insert(payments).values({
        _id: newId(at),
        orderId: order._id,
        method: 'Card',
        paymentIntentId: 'pi_that_came_too_late',
        amountCents: order.priceCents,
        currency: 'usd',
        outcome: 'refunded',
        refusal: 'cancelled',
        at: at + dayMs / 24,
      });
  }
}

/** @param customerEmail anyone who places every fifth order; the account must be there */
export async function fillWithTrade(system: TestSystem, customerEmail: string): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
  try {
    await placeOrders(db, customerEmail);
  } finally {
    close();
  }
  const visitor = new Visitor(system.url);
  for (const [index, { name }] of [...buyers, ...buyers].entries()) {
    const [subject, message] = questions[index % questions.length] ?? questions[0];
    const number = `+1 (312) 555-01${String(10 + index)}`;
    await visitor.post('/api/add-message', { name, email: emailOf(name), number, subject, message });
    await visitor.post('/api/add-subscriber', { subemail: `office-${String(index + 1)}@lender.example` });
  }
  const administrator = await signInAdministrator(system.url);
  const unread = (await administrator.get('/api/messages')).json as readonly { readonly _id: string }[];
  for (const { _id } of unread.slice(4))
    await administrator.put(`/api/message/${_id}`, { messageStatus: 'Read' });
}
