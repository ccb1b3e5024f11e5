/** The papers of an order: its receipt, and a credit note for each refund. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { id } from './schemas.ts';

/** Who sells, as the section 'Business details' has it; absent while that has no record. */
const seller = z.strictObject({
  legalName: z.string(),
  postalAddress: z.string(),
  taxNumber: z.string(),
  registration: z.string(),
  billingEmail: z.string(),
  receiptNote: z.string(),
});

/** Who bought; all but the country is empty once their account was deleted. */
const buyer = z.strictObject({
  customerName: z.string(),
  customerEmail: z.string(),
  customerAddress: z.string(),
  customerCountry: z.string(),
  customerCompany: z.string(),
  customerTaxNumber: z.string(),
});

const paper = {
  orderId: id,
  /** The order's number. */
  orderNumber: z.int(),
  /** MM/DD/YYYY in the site's time zone. */
  paidOn: z.string(),
  /** How it was paid, such as 'Visa ending in 4242' or 'Card'. */
  paidWith: z.string(),
  /** Stripe's id of the payment; empty for money that came another way. */
  transactionId: z.string(),
  seller: seller.optional(),
  buyer,
};

export const receipt = z.strictObject({
  ...paper,
  /** MM/DD/YYYY in the site's time zone. */
  placedOn: z.string(),
  lines: z.array(z.strictObject({ title: z.string(), details: z.array(z.string()), amountCents: z.int() })),
  totalCents: z.int(),
  /** What was delivered; absent while the order is not. */
  delivery: z
    .strictObject({
      deliveredOn: z.string(),
      /** For the customer; empty when there is none. */
      note: z.string(),
      /** Names of the files that came with it. */
      files: z.array(z.string()),
    })
    .optional(),
  /** What has gone back, oldest first. */
  refunds: z.array(
    z.strictObject({
      _id: id,
      /** The credit note's number, such as `#1042-R1`. */
      number: z.string(),
      refundedOn: z.string(),
      amountCents: z.int(),
    }),
  ),
});
export type Receipt = Output<typeof receipt>;

export const creditNote = z.strictObject({
  ...paper,
  number: z.string(),
  refundedOn: z.string(),
  amountCents: z.int(),
  /** What was paid, of which the amount went back. */
  paidCents: z.int(),
  packageName: z.string(),
  /** What the customer was told; empty when nothing was. */
  note: z.string(),
});
export type CreditNote = Output<typeof creditNote>;

export const receiptCalls = {
  'GET /order/:id/receipt': {
    about: 'The receipt of a paid order, for its owner and administrators; 409 while it is not paid.',
    who: 'account',
    answer: receipt,
    problems: [409],
  },
  'GET /credit-note/:id': {
    about: 'The credit note of a refund, by the id of the refund; 409 unless its money has gone back.',
    who: 'account',
    answer: creditNote,
    problems: [409],
  },
} as const satisfies CallTable;
