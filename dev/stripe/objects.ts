/**
 * Stripe's objects as the emulator stores them: the shapes of the `stripe` package, with ids where the API can expand
 * them. Field names, units (cents, Unix seconds) and states follow version {@link apiVersion} of Stripe's API
 * reference.
 */
import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';

/** The API version of these shapes, which the installed `stripe` package pins. */
export const apiVersion = '2026-10-28.endive';

/** Stripe's name for that family of versions. The browser script is served under it (`/endive/stripe.js`). */
export const releaseTrain = apiVersion.split('.')[1] ?? '';

/**
 * An object as the emulator stores it. Where Stripe's type allows an id or the expanded object, as in
 * `latest_charge: string | Charge | null`, the stored one has the id: `string | null`.
 * @template Other fields with another type than in Stripe's package
 */
type Stored<T, Other = unknown> = Omit<
  {
    [Key in keyof T]: string extends Exclude<T[Key], object | null | undefined>
      ? Exclude<T[Key], object>
      : T[Key];
  },
  keyof Other | 'deleted'
> &
  Other;

interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

export type BalanceTransaction = Stored<Stripe.BalanceTransaction>;
export type Charge = Stored<Stripe.Charge>;
export type FraudWarning = Stored<Stripe.Radar.EarlyFraudWarning>;
export type Dispute = Stored<Stripe.Dispute>;
export type Refund = Stored<Stripe.Refund>;
export type PaymentMethod = Stored<Stripe.PaymentMethod, { card: Stripe.PaymentMethod.Card }>;
export type Customer = Omit<Stored<Stripe.Customer>, 'discount' | 'sources' | 'subscriptions'>;
export type Coupon = Stored<Stripe.Coupon>;
export type Discount = Stored<Stripe.Discount, { source: { coupon: string; type: 'coupon' } }>;
export type Product = Stored<Stripe.Product>;
export type Price = Stored<Stripe.Price, { unit_amount_decimal: string }>;
/** Without `plan`, which repeats the price in the format of an older version. */
export type SubscriptionItem = Omit<Stored<Stripe.SubscriptionItem, { price: Price }>, 'plan'>;
export type Subscription = Stored<
  Stripe.Subscription,
  { discounts: string[]; items: List<SubscriptionItem> }
>;
type InvoicePayment = Stored<Stripe.InvoicePayment>;
export type InvoiceLine = Stored<
  Stripe.InvoiceLineItem,
  {
    pricing: {
      price_details: { price: string; product: string };
      type: 'price_details';
      unit_amount_decimal: string;
    };
    quantity_decimal: string;
  }
>;
export type Invoice = Omit<Stored<Stripe.Invoice, { lines: List<InvoiceLine> }>, 'payments'>;
type PortalSession = Stored<Stripe.BillingPortal.Session, { flow: { type: 'payment_method_update' } | null }>;
export type PaymentMethodDomain = Stripe.PaymentMethodDomain;
export type Token = Stored<Stripe.Token>;
export type WebhookEndpoint = Stored<Stripe.WebhookEndpoint>;

export interface NextAction {
  type: 'use_stripe_sdk';
  use_stripe_sdk: { type: 'stripe_3ds2_fingerprint'; three_d_secure_2_source: string };
}

export type PaymentIntent = Stored<
  Stripe.PaymentIntent,
  { client_secret: string; last_payment_error: ErrorBody | null; next_action: NextAction | null }
>;

export type StripeEvent = Pick<Stripe.EventBase, 'api_version' | 'created' | 'id' | 'livemode' | 'object'> & {
  data: { object: unknown };
  pending_webhooks: number;
  request: Stripe.Event.Request;
  type: string;
};

export type StoredObject =
  | BalanceTransaction
  | Charge
  | Coupon
  | Customer
  | Discount
  | Dispute
  | FraudWarning
  | Invoice
  | InvoicePayment
  | PaymentIntent
  | PaymentMethod
  | PaymentMethodDomain
  | PortalSession
  | Price
  | Product
  | Refund
  | StripeEvent
  | Subscription
  | Token
  | WebhookEndpoint;

/** The content of `error` for a rejected call, and of `last_payment_error` in an intent. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  charge?: string;
  code?: string;
  decline_code?: string;
  doc_url?: string;
  param?: string;
  payment_intent?: PaymentIntent;
  payment_method?: PaymentMethod;
  payment_method_type?: 'card';
}

/** Fields of an object that are always null, because the emulator does not support their features. */
export function nulls<const Name extends string>(...names: Name[]): Record<Name, null> {
  // The type of `fromEntries` loses the names.
  return Object.fromEntries(names.map((name) => [name, null])) as Record<Name, null>;
}

/** Unguessable hexadecimal digits, two per random byte. */
export const randomText = (length: number): string => randomBytes(length / 2).toString('hex');

/** A new id such as `pi_3f9c…`: Stripe's prefix and 24 unguessable characters. */
export const newId = (prefix: string): string => `${prefix}_${randomText(24)}`;

export const newObject = <const Kind extends string>(object: Kind, prefix: string) => ({
  id: newId(prefix),
  object,
  created: nowSeconds(),
  livemode: false,
});

/** How far the clock of the current change is ahead, in seconds. */
let ahead = 0;

/** Makes a change at a time that is some seconds ahead. The change must be synchronous. */
export function aheadBy<T>(seconds: number, change: () => T): T {
  const before = ahead;
  ahead = seconds;
  try {
    return change();
  } finally {
    ahead = before;
  }
}

/**
 * Stripe's clock: whole seconds since 1970. During a change, it is the time that the account's clock was advanced to.
 */
export const nowSeconds = (): number => Math.floor(Date.now() / 1000) + ahead;

export const daySeconds = 86_400;

/** A new event to deliver. It does not contain the request that caused it. */
export function newEvent(type: string, object: unknown): StripeEvent {
  return {
    ...newObject('event', 'evt'),
    api_version: apiVersion,
    data: { object },
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
