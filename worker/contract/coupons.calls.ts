/** The calls for coupons. Only administrators see coupons. Customers send a code with their order. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { couponCodePattern, couponStates, maxCouponMonths, normalizeCouponCode } from './coupons.ts';
import { parsePriceCents, readTypedPrice } from './money.ts';
import { packageNames } from './orders.ts';
import { day, id, moment } from './schemas.ts';

/** A typed coupon code, in its stored spelling. A code in an invalid format is treated as unknown. */
export const typedCouponCode = z
  .string({ error: 'Please enter the coupon code.' })
  .max(100, 'There is no coupon with this code. Please check the spelling.')
  .overwrite(normalizeCouponCode);

const percentText = 'Please enter a whole number from 1 to 99.';
const percent = z.int(percentText).min(1, percentText).max(99, percentText);

export const amountText = 'Please enter an amount, such as 100 or 49.50.';
const amount = z
  .string()
  .overwrite(readTypedPrice)
  .refine((typed) => parsePriceCents(typed) !== undefined, amountText);

const usesText = 'Please enter a whole number of at least 1.';
const uses = z.int(usesText).min(1, usesText).max(1_000_000, 'At most 1,000,000.');

const monthsText = `Please enter a whole number of months from 1 to ${maxCouponMonths}.`;

const newCoupon = z
  .strictObject({
    code: z
      .string({ error: 'Please enter a code.' })
      .overwrite(normalizeCouponCode)
      .regex(couponCodePattern, 'Use 3 to 30 letters, digits and hyphens, with no hyphen at either end.'),
    /** Either a percentage or an amount. */
    percentOff: percent.optional(),
    /** In dollars, as a decimal string. */
    amountOff: amount.optional(),
    /** The packages that it applies to; empty for all of them. */
    packages: z.array(z.enum(packageNames)).max(packageNames.length).default([]),
    /** The last day on which it applies; absent if it does not expire. */
    lastDay: day.optional(),
    /** Maximum number of orders; absent if unlimited. */
    mostUses: uses.optional(),
    oncePerCustomer: z.boolean().default(false),
    /** How many payments of a monthly package it lowers; null for all of them. */
    months: z.int(monthsText).min(1, monthsText).max(maxCouponMonths, monthsText).nullable().default(1),
  })
  .refine(({ percentOff, amountOff }) => (percentOff === undefined) !== (amountOff === undefined), {
    error: 'Please enter either a percentage or an amount.',
    path: ['percentOff'],
  });
export type NewCoupon = Output<typeof newCoupon>;

const coupon = z.strictObject({
  _id: id,
  code: z.string(),
  /** In percent; null if it takes off an amount. */
  percentOff: z.int().nullable(),
  /** In cents; null if it takes off a percentage. */
  amountOffCents: z.int().nullable(),
  packages: z.array(z.enum(packageNames)),
  /** YYYY-MM-DD; empty if it does not expire. */
  lastDay: z.string(),
  mostUses: z.int().nullable(),
  oncePerCustomer: z.boolean(),
  /** How many payments of a monthly package it lowers; null for all of them. */
  months: z.int().nullable(),
  createdAt: moment,
  /** When an administrator ended it; null before that. */
  endedAt: moment.nullable(),
  state: z.enum(couponStates),
  /** The number of orders that use it, not counting cancelled ones. */
  uses: z.int(),
  /** The total discount on paid orders, in cents. */
  discountCents: z.int(),
  /** The total amount of these orders, in cents. */
  soldCents: z.int(),
});
export type Coupon = Output<typeof coupon>;

const couponPrice = z.strictObject({
  code: z.string(),
  /** The package's price, the discount, and the amount to pay, as decimal strings. */
  listPrice: z.string(),
  discount: z.string(),
  price: z.string(),
  /** How many payments of a monthly package it lowers; null for all of them, and for a package paid once. */
  months: z.int().nullable(),
});
export type CouponPrice = Output<typeof couponPrice>;

export const couponCalls = {
  'GET /coupons': {
    about: 'Lists all coupons with what they were used for, newest first.',
    who: 'administrator',
    answer: z.array(coupon),
  },
  'POST /add-coupon': {
    about: 'Creates a coupon. Returns 409 if there is already a coupon with this code.',
    who: 'administrator',
    body: newCoupon,
    answer: coupon,
    status: 201,
    problems: [409],
  },
  'POST /coupon/:id/end': {
    about: 'Ends a coupon. Orders that use it keep their price.',
    who: 'administrator',
    answer: coupon,
  },
  'POST /coupon-price': {
    about:
      'Returns what a package costs the caller with a coupon. Returns 422 if the coupon does not apply. For a caller who is not signed in, placing the order checks whether they have used the coupon before.',
    who: 'anyone',
    body: z.strictObject({
      couponCode: typedCouponCode,
      packageName: z.enum(packageNames, { error: 'Choose one of the packages.' }),
    }),
    answer: couponPrice,
    problems: [404, 429],
  },
} as const satisfies CallTable;
