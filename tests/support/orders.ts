/** Places and pays orders through the API, for tests that start with an order. */
import * as z from 'zod';
import type { Order } from '#contract/orders.calls.ts';
import type { Member } from './cast.ts';
import type { Answer, Visitor } from './visitor.ts';

const packages = z.array(z.object({ _id: z.string(), packageName: z.string(), packagePrice: z.string() }));
export type Package = z.output<typeof packages>[number];

/** The current package with a name. */
export async function findPackage(visitor: Visitor, name: string): Promise<Package> {
  const found = packages
    .parse((await visitor.get('/api/pricings')).json)
    .find(({ packageName }) => packageName === name);
  if (!found) throw new Error(`There is no package ${name}.`);
  return found;
}

/** What a form sends to order a package at its current price. */
export async function orderBody(
  visitor: Visitor,
  customerEmail: string,
  changes: { readonly packageName?: string; readonly [field: string]: unknown } = {},
) {
  const { packageName, packagePrice } = await findPackage(visitor, changes.packageName ?? 'Basic');
  return {
    packageName,
    packagePrice,
    customerEmail,
    customerName: 'Ada Broker',
    customerAddress: '12 Harbor Street',
    customerCountry: 'United States',
    ...changes,
  };
}

/** Places an order as a customer. */
export async function placeOrder(
  customer: Member,
  packageName = 'Basic',
  customerName = 'Ada Broker',
): Promise<Order> {
  const body = await orderBody(customer, customer.email, { packageName, customerName });
  const answer = await customer.post('/api/new-order', body);
  if (answer.status !== 201) throw new Error(`Ordering answered ${String(answer.status)}: ${answer.text}`);
  return answer.json as Order;
}

/** The client secret of an order's PaymentIntent. */
export async function clientSecretFor(visitor: Visitor, order: Order): Promise<string> {
  const sale = { amount: order.packagePrice, orderId: order._id };
  const answer = await visitor.post('/api/create-payment-intent', sale);
  if (answer.status !== 200)
    throw new Error(`Asking to pay answered ${String(answer.status)}: ${answer.text}`);
  return z.object({ clientSecret: z.string() }).parse(answer.json).clientSecret;
}

export const intentIdOf = (clientSecret: string): string => clientSecret.split('_secret')[0] ?? '';

const confirmation = z.object({
  status: z.string().optional(),
  error: z.object({ code: z.string() }).optional(),
});

/**
 * Confirms a payment as Stripe.js does, with the publishable key and the client secret.
 * @returns the id and the status of the payment, and the code of a refusal
 */
export async function confirmCard(
  visitor: Visitor,
  stripeUrl: string,
  clientSecret: string,
  paymentMethod = 'pm_card_visa',
) {
  const [key] = z
    .array(z.object({ stripeKey: z.string() }))
    .parse((await visitor.get('/api/stripe-keys')).json);
  const id = intentIdOf(clientSecret);
  const answer = await fetch(new URL(`/v1/payment_intents/${id}/confirm`, stripeUrl), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key?.stripeKey ?? ''}` },
    body: new URLSearchParams({ client_secret: clientSecret, payment_method: paymentMethod }),
  });
  const { status, error } = confirmation.parse(await answer.json());
  return { id, status, code: error?.code };
}

export const sendFile = (
  visitor: Visitor,
  orderId: string,
  content: string | Uint8Array<ArrayBuffer>,
  { name = 'words.txt', headers = {} }: { name?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Answer> =>
  visitor.send('POST', `/api/order/${orderId}/files?name=${encodeURIComponent(name)}`, content, {
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  });
