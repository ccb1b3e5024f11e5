/** The calls for an order's receipt, and for the credit note of each refund. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { order } from './orders.calls.ts';
import { id } from './schemas.ts';

/** The seller, from the section 'Business details'; absent if that section has no record. */
const seller = z.strictObject({
  legalName: z.string(),
  postalAddress: z.string(),
  taxNumber: z.string(),
  registration: z.string(),
  billingEmail: z.string(),
  receiptNote: z.string(),
});

/** The seller's contact details for the payer. They are empty if the section 'Business details' has no record. */
const contactableSeller = z.strictObject({
  legalName: z.string(),
  postalAddress: z.string(),
  phone: z.string(),
});
export type ContactableSeller = Output<typeof contactableSeller>;

/** The buyer. Once their account is deleted, only the country is left. */
const buyer = order.pick({
  customerName: true,
  customerEmail: true,
  customerAddress: true,
  customerCountry: true,
  customerCompany: true,
  customerTaxNumber: true,
});

const paper = {
  orderId: id,
  orderNumber: z.int(),
  /** MM/DD/YYYY in the site's time zone. */
  paidOn: z.string(),
  /** How it was paid, such as 'Visa ending in 4242' or 'Card'. */
  paidWith: z.string(),
  /** Stripe's id of the payment; empty for a payment outside Stripe. */
  transactionId: z.string(),
  seller: seller.optional(),
  buyer,
};

const receipt = z.strictObject({
  ...paper,
  /** MM/DD/YYYY in the site's time zone. */
  placedOn: z.string(),
  /** One line for the package at its price, and one with a negative amount for its discount. */
  lines: z.array(z.strictObject({ title: z.string(), details: z.array(z.string()), amountCents: z.int() })),
  totalCents: z.int(),
  /** The delivery; absent before the order is delivered. */
  delivery: z
    .strictObject({
      deliveredOn: z.string(),
      /** For the customer; may be empty. */
      note: z.string(),
      /** The names of the delivered files. */
      files: z.array(z.string()),
    })
    .optional(),
  /** Oldest first. */
  refunds: z.array(
    z.strictObject({
      _id: id,
      /** The number of the credit note, such as `#1042-R1`. */
      number: z.string(),
      refundedOn: z.string(),
      amountCents: z.int(),
    }),
  ),
  /** What the payer's bank has taken back in disputes and not returned. */
  disputedCents: z.int(),
});
export type Receipt = Output<typeof receipt>;

const creditNote = z.strictObject({
  ...paper,
  number: z.string(),
  refundedOn: z.string(),
  amountCents: z.int(),
  /** The amount of the payment. */
  paidCents: z.int(),
  packageName: z.string(),
  /** The note to the customer; may be empty. */
  note: z.string(),
});
export type CreditNote = Output<typeof creditNote>;

export const receiptCalls = {
  'GET /seller': {
    about:
      'Returns the seller: the name, address and phone of the business, for people who are about to pay.',
    who: 'anyone',
    answer: contactableSeller,
  },
  'GET /order/:id/receipt': {
    about: 'Returns the receipt of a paid order, for its owner and the staff. Returns 409 if it is not paid.',
    who: 'account',
    answer: receipt,
    problems: [409],
  },
  'GET /credit-note/:id': {
    about:
      'Returns the credit note of a refund, by the id of the refund. Returns 409 unless the refund succeeded.',
    who: 'account',
    answer: creditNote,
    problems: [409],
  },
} as const satisfies CallTable;
