/**
 * The shapes of Stripe's objects as far as the emulator fills them in, and how their ids are made. Field names,
 * units (cents, Unix seconds) and states are those of Stripe's API reference, version {@link apiVersion}.
 */
import { randomInt } from 'node:crypto';

/** The API version whose shapes these are: the one that the installed `stripe` package pins. */
export const apiVersion = '2026-10-28.endive';

/** The name Stripe gives that family of versions; the browser script is served under it (`/endive/stripe.js`). */
export const releaseTrain = apiVersion.split('.')[1] ?? '';

export type Metadata = Record<string, string>;

export interface BillingDetails {
  address: Record<'city' | 'country' | 'line1' | 'line2' | 'postal_code' | 'state', string | null>;
  email: string | null;
  name: string | null;
  phone: string | null;
  tax_id: string | null;
}

export interface CardDetails {
  brand: string;
  checks: {
    address_line1_check: string | null;
    address_postal_code_check: string | null;
    cvc_check: string | null;
  };
  country: string;
  display_brand: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: string;
  generated_from: null;
  last4: string;
  networks: { available: string[]; preferred: null };
  regulated_status: 'unregulated';
  three_d_secure_usage: { supported: true };
  wallet: null;
}

export interface PaymentMethod {
  id: string;
  object: 'payment_method';
  allow_redisplay: 'unspecified';
  billing_details: BillingDetails;
  card: CardDetails;
  created: number;
  customer: null;
  livemode: false;
  metadata: Metadata;
  type: 'card';
}

export interface Token {
  id: string;
  object: 'token';
  card: { id: string; object: 'card'; brand: string; exp_month: number; exp_year: number; last4: string };
  client_ip: null;
  created: number;
  livemode: false;
  type: 'card';
  used: boolean;
}

/** What `error` holds in a refused call, and `last_payment_error` in an intent. */
export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  charge?: string;
  code?: string;
  decline_code?: string;
  doc_url?: string;
  param?: string;
  payment_intent?: unknown;
  payment_method?: PaymentMethod;
  payment_method_type?: 'card';
}

export type IntentStatus =
  | 'canceled'
  | 'processing'
  | 'requires_action'
  | 'requires_confirmation'
  | 'requires_payment_method'
  | 'succeeded';

export interface NextAction {
  type: 'use_stripe_sdk';
  use_stripe_sdk: { type: 'stripe_3ds2_fingerprint'; three_d_secure_2_source: string };
}

export interface PaymentIntent {
  id: string;
  object: 'payment_intent';
  allowed_payment_method_types: string[] | null;
  amount: number;
  amount_capturable: number;
  amount_details: { tip: Record<string, never> };
  amount_received: number;
  application: null;
  application_fee_amount: null;
  automatic_payment_methods: { allow_redirects: string; enabled: boolean } | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: string;
  client_secret: string;
  confirmation_method: 'automatic';
  created: number;
  currency: string;
  customer: null;
  customer_account: null;
  description: string | null;
  excluded_payment_method_types: null;
  last_payment_error: ErrorBody | null;
  latest_charge: string | null;
  livemode: false;
  managed_payments: null;
  metadata: Metadata;
  next_action: NextAction | null;
  on_behalf_of: null;
  payment_method: string | null;
  payment_method_configuration_details: null;
  payment_method_options: Record<string, unknown>;
  payment_method_types: string[];
  payment_record: null;
  processing: { type: 'card'; card: Record<string, never> } | null;
  receipt_email: string | null;
  review: null;
  setup_future_usage: null;
  shipping: null;
  source: null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: IntentStatus;
  transfer_data: null;
  transfer_group: null;
}

export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application: null;
  application_fee: null;
  application_fee_amount: null;
  balance_transaction: string | null;
  billing_details: BillingDetails;
  captured: boolean;
  created: number;
  currency: string;
  customer: null;
  description: string | null;
  disputed: false;
  failure_balance_transaction: null;
  failure_code: string | null;
  failure_message: string | null;
  livemode: false;
  metadata: Metadata;
  outcome: { network_status: string; reason: string | null; seller_message: string; type: string };
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { card: CardDetails; type: 'card' };
  receipt_email: string | null;
  receipt_number: null;
  receipt_url: null;
  refunded: boolean;
  review: null;
  shipping: null;
  status: 'failed' | 'succeeded';
}

export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  balance_transaction: string;
  charge: string;
  created: number;
  currency: string;
  metadata: Metadata;
  customer: null;
  customer_account: null;
  payment_intent: string;
  payment_method: string;
  reason: string | null;
  receipt_number: null;
  source_transfer_reversal: null;
  status: 'succeeded';
  transfer_reversal: null;
}

export interface StripeEvent {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  data: { object: unknown };
  livemode: false;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `length` random letters and digits, from the system's cryptographic source. */
export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** A new id such as `pi_3QhY…`: Stripe's prefix and 24 characters nobody can guess. */
export function newId(prefix: string): string {
  return `${prefix}_${randomText(24)}`;
}

/** Stripe's clock: whole seconds since 1970. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
