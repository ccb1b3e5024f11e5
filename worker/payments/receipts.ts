/**
 * Receipts and credit notes: who sold what to whom, how it was paid, and what was refunded. They are computed from
 * stored records, so a refund or a changed tax number appears immediately. The email stays the one at the time of
 * payment.
 */
import { and, asc, eq, inArray, sum } from 'drizzle-orm';
import { displayNameOf } from '#contract/packages.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import type { ContactableSeller, CreditNote, Receipt } from '#contract/receipts.calls.ts';
import { displayDate } from '#contract/days.ts';
import { columnsWithName } from '../db/firm-name.ts';
import { deliveryQueries } from '../fulfillment/read-conversation.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether, type Database } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import type { Caller } from '../http/app.ts';
import { conflict, notFound } from '../http/errors.ts';
import { orderQuery, visibleTo } from '../orders/read.ts';
import type { OrderRecord } from '../orders/schema.ts';
import { settledPaymentQuery } from './refunds.ts';
import { ledger, refunds, type NewPayment, type PaymentRecord, type RefundRecord } from './schema.ts';

/** The query for the section 'Business details', with the name of the firm in its texts. */
const sellerQuery = (db: Database) =>
  db.select(columnsWithName('businessDetails')).from(contentTables.businessDetails);

/** The section 'Business details'; undefined while it has no record. */
export const findSeller = (db: Database) => sellerQuery(db).get();

/** The seller, for people who are about to pay. */
export async function readSeller(db: Database): Promise<ContactableSeller> {
  const { legalName = '', postalAddress = '', phone = '' } = (await findSeller(db)) ?? {};
  return { legalName, postalAddress, phone };
}

/** The query for the money that disputes of an order have moved, in cents; negative while the bank has it. */
const disputedQuery = (db: Database, orderId: string) =>
  db
    .select({ cents: sum(ledger.amountCents).mapWith(Number) })
    .from(ledger)
    .where(and(eq(ledger.orderId, orderId), inArray(ledger.kind, ['disputeWithdrawn', 'disputeReinstated'])));

/**
 * Reads an order with the payment that settled it, if any, and that payment's refunds, oldest first.
 * @throws ApiError 404 the caller may not see the whole order
 */
async function readSettled({ db, account }: Caller, orderId: string) {
  const [[order], [payment], all, [seller], [disputed], [delivery], files] = await readTogether(db, [
    orderQuery(db, orderId),
    settledPaymentQuery(db, orderId),
    db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(asc(refunds._id)),
    sellerQuery(db),
    disputedQuery(db, orderId),
    ...deliveryQueries(db, orderId),
  ]);
  return {
    order: visibleTo(account, order),
    payment,
    refunds: all.filter(({ paymentId }) => paymentId === payment?._id),
    seller,
    disputedCents: 0 - (disputed?.cents ?? 0),
    delivery: order?.orderStatus === 'Delivered' ? delivery : undefined,
    files,
  };
}

type Settled = Awaited<ReturnType<typeof readSettled>>;

const dateOf = (env: Env, at: number) => displayDate(dayOf(env, at));

/** How a payment was made, such as 'Visa ending in 4242', 'Card', or 'Directly to us'. */
export const methodText = ({ paidWith, method }: NewPayment): string =>
  paidWith || (method === 'Card' ? 'Card' : 'Directly to us');

/** The part that receipts and credit notes share. */
function paperOf(env: Env, { order, seller }: Settled, payment: PaymentRecord) {
  return {
    orderId: order._id,
    orderNumber: order.number,
    paidOn: dateOf(env, payment.at),
    paidWith: methodText(payment),
    transactionId: order.transactionId,
    ...(seller && {
      seller: {
        legalName: seller.legalName,
        postalAddress: seller.postalAddress,
        taxNumber: seller.taxNumber,
        registration: seller.registration,
        billingEmail: seller.billingEmail,
        receiptNote: seller.receiptNote,
      },
    }),
    buyer: {
      customerName: order.customerName,
      customerEmail: payment.receiptEmail || order.customerEmail,
      customerAddress: order.customerAddress,
      customerCountry: order.customerCountry,
      customerCompany: order.customerCompany,
      customerTaxNumber: order.customerTaxNumber,
    },
  };
}

/** What was sold, such as 'Gold package' or 'Gold package, 11/26/2026 to 12/26/2026'. */
function soldAs(env: Env, order: OrderRecord): string {
  const name = `${displayNameOf(order)} package`;
  const { periodStart, periodEnd } = order;
  return periodStart === null || periodEnd === null
    ? name
    : `${name}, ${dateOf(env, periodStart)} to ${dateOf(env, periodEnd)}`;
}

/** The number of a refund's credit note, such as `#1042-R1`. Failed refunds count too, so that no number changes. */
const numberOf = ({ order, refunds: all }: Settled, refund: RefundRecord): string =>
  `${displayOrderNumber(order.number)}-R${all.indexOf(refund) + 1}`;

/** @throws ApiError 404 the caller may not see the whole order, 409 it is not paid */
export async function readReceipt(caller: Caller, orderId: string): Promise<Receipt> {
  const settled = await readSettled(caller, orderId);
  const { order, payment, delivery, files } = settled;
  if (!payment)
    throw conflict('This order is not paid, so there is no receipt for it.', {
      paymentStatus: order.paymentStatus,
    });
  return {
    ...paperOf(caller.env, settled, payment),
    placedOn: displayDate(order.orderDay),
    lines: [
      {
        title: soldAs(caller.env, order),
        details: [...order.packagePoints],
        amountCents: order.priceCents + order.discountCents,
      },
      ...(order.discountCents === 0
        ? []
        : [
            {
              title: order.couponCode === '' ? 'Discount' : `Coupon ${order.couponCode}`,
              details: [],
              amountCents: -order.discountCents,
            },
          ]),
    ],
    totalCents: payment.amountCents,
    ...(delivery && {
      delivery: {
        deliveredOn: dateOf(caller.env, delivery.at),
        note: delivery.text,
        files: files.map(({ name }) => name),
      },
    }),
    refunds: settled.refunds
      .filter(({ status }) => status === 'succeeded')
      .map((refund) => ({
        _id: refund._id,
        number: numberOf(settled, refund),
        refundedOn: dateOf(caller.env, refund.changedAt),
        amountCents: refund.amountCents,
      })),
    disputedCents: settled.disputedCents,
  };
}

const refundNotFound = () => notFound('We could not find this refund.');

/**
 * @throws ApiError 404 the caller may not see the whole order, or the order could not accept the payment, which
 *   then has no receipt either; 409 the refund has not succeeded
 */
export async function readCreditNote(caller: Caller, refundId: string): Promise<CreditNote> {
  const [known] = await caller.db
    .select({ orderId: refunds.orderId })
    .from(refunds)
    .where(eq(refunds._id, refundId));
  if (!known) throw refundNotFound();
  const settled = await readSettled(caller, known.orderId);
  const refund = settled.refunds.find(({ _id }) => _id === refundId);
  if (!refund || !settled.payment) throw refundNotFound();
  if (refund.status !== 'succeeded')
    throw conflict(
      refund.status === 'pending'
        ? 'This refund is on its way. Its credit note will be here once the bank has confirmed it.'
        : 'This refund could not be paid out, so there is no credit note for it.',
    );
  return {
    ...paperOf(caller.env, settled, settled.payment),
    ...(settled.payment.method !== 'Card' && { paidWith: 'The customer, outside this site' }),
    number: numberOf(settled, refund),
    refundedOn: dateOf(caller.env, refund.changedAt),
    amountCents: refund.amountCents,
    paidCents: settled.payment.amountCents,
    packageName: displayNameOf(settled.order),
    note: refund.note,
  };
}
