/** What the browser tests of ordering and paying share: a signed-in customer's page, placing orders, typing a card. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Browser, type BrowserContext, type Page } from 'playwright/test';
import { z } from 'zod';
import { registerCustomer, type Visitor } from '../support/visitor.ts';

export const systemUrl = process.env['SYSTEM_URL'] ?? '';

const packages = z.array(z.object({ _id: z.string(), packageName: z.string(), packagePrice: z.string() }));
export type Package = z.output<typeof packages>[number];

const orderShape = z.object({ _id: z.string(), paymentStatus: z.string(), packagePrice: z.string() });
export type PlacedOrder = z.output<typeof orderShape>;

export type Customer = Awaited<ReturnType<typeof registerCustomer>>;

/** The package of that name as it is sold now. */
export async function findPackage(visitor: Visitor, name: string): Promise<Package> {
  const { json } = await visitor.get('/api/pricings');
  const found = packages.parse(json).find(({ packageName }) => packageName === name);
  if (!found) throw new Error(`There is no package ${name}.`);
  return found;
}

/** Places an order by the API, for tests that begin after it. */
export async function placeOrder(customer: Customer, packageName = 'Basic'): Promise<PlacedOrder> {
  const { packagePrice } = await findPackage(customer, packageName);
  const answer = await customer.post('/api/new-order', {
    packageName,
    packagePrice,
    customerEmail: customer.email,
    customerName: 'Ada Broker',
    customerAddress: '12 Harbour Street',
    customerCountry: 'United States',
  });
  return orderShape.parse(answer.json);
}

export async function paymentStatusOf(visitor: Visitor, orderId: string): Promise<string> {
  return orderShape.parse((await visitor.get(`/api/order/${orderId}`)).json).paymentStatus;
}

/** Hands a visitor's session to a browser. */
export async function signIn(context: BrowserContext, visitor: Visitor): Promise<void> {
  await context.addCookies(
    Array.from(visitor.cookies, ([name, value]) => ({
      name,
      value,
      domain: new URL(systemUrl).hostname,
      path: '/',
      secure: name.startsWith('__Host-'),
      httpOnly: name.startsWith('__Host-'),
      sameSite: 'Lax' as const,
    })),
  );
}

/** A page of somebody who is signed in to a new account. */
export async function openAsCustomer(browser: Browser): Promise<{ customer: Customer; page: Page }> {
  const customer = await registerCustomer(systemUrl);
  const context = await browser.newContext({ baseURL: systemUrl });
  await signIn(context, customer);
  return { customer, page: await context.newPage() };
}

/** Types a card into Stripe's field; the same on Stripe's test mode and on the local stand-in. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const field = page.frameLocator('iframe[title="Secure card payment input frame"]');
  await field.getByPlaceholder('Card number').fill(number);
  await field.getByPlaceholder('MM / YY').fill('12 / 34');
  await field.getByPlaceholder('CVC').fill('123');
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay Now/ });

/** The bank's question, inside the card provider's frame. */
export const bankQuestion = (page: Page) =>
  page.frameLocator('body > div > iframe[name^="__privateStripeFrame"]').frameLocator('#challengeFrame');

/** No violation of WCAG 2.2 AA on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
