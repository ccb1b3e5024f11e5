/** Ordering and paying by the API, for tests that begin after it. */
import Stripe from 'stripe';
import { z } from 'zod';
import type { Order } from '../../worker/contract/orders.ts';
import type { Member } from './cast.ts';
import type { Visitor } from './visitor.ts';

const packages = z.array(z.object({ _id: z.string(), packageName: z.string(), packagePrice: z.string() }));
export type Package = z.output<typeof packages>[number];

/** The package of that name as it is sold now. */
export async function findPackage(visitor: Visitor, name: string): Promise<Package> {
  const found = packages
    .parse((await visitor.get('/api/pricings')).json)
    .find(({ packageName }) => packageName === name);
  if (!found) throw new Error(`There is no package ${name}.`);
  return found;
}

/** Places an order. */
export async function placeOrder(customer: Member, packageName = 'Basic'): Promise<Order> {
  const { packagePrice } = await findPackage(customer, packageName);
  const answer = await customer.post('/api/new-order', {
    packageName,
    packagePrice,
    customerEmail: customer.email,
    customerName: 'Ada Broker',
    customerAddress: '12 Harbour Street',
    customerCountry: 'United States',
  });
  if (answer.status !== 201) throw new Error(`Ordering answered ${String(answer.status)}: ${answer.text}`);
  return answer.json as Order;
}

/** Stripe's own client for a stand-in. */
export function connectStripe(url: string, secretKey: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(secretKey, { host: hostname, port, protocol: 'http', telemetry: false });
}

/** Pays an order at Stripe; who tells the site of it is another matter. @returns the PaymentIntent's id */
export async function payAtStripe(visitor: Visitor, order: Order, stripe: Stripe): Promise<string> {
  const answer = await visitor.post('/api/create-payment-intent', {
    amount: order.packagePrice,
    orderId: order._id,
  });
  const { clientSecret } = z.object({ clientSecret: z.string() }).parse(answer.json);
  const [id = ''] = clientSecret.split('_secret');
  await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' });
  return id;
}
