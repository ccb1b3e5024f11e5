/** What the browser tests of ordering and paying share: a signed-in customer's page, typing a card. */
import type { Browser, Page } from 'playwright/test';
import * as z from 'zod';
import { expectHeard, listen, signIn, systemUrl } from '../support/browser.ts';
import { registerCustomer, type Visitor } from '../support/visitor.ts';

const orderShape = z.object({ paymentStatus: z.string() });

export type Customer = Awaited<ReturnType<typeof registerCustomer>>;

export async function paymentStatusOf(visitor: Visitor, orderId: string): Promise<string> {
  return orderShape.parse((await visitor.get(`/api/order/${orderId}`)).json).paymentStatus;
}

/** A page of somebody who is signed in to a new account; what its live regions say is kept. */
export async function openAsCustomer(browser: Browser): Promise<{ customer: Customer; page: Page }> {
  const customer = await registerCustomer(systemUrl);
  const context = await browser.newContext({ baseURL: systemUrl });
  await signIn(context, customer);
  const page = await context.newPage();
  await listen(page);
  return { customer, page };
}

/** Types a card into Stripe's field; the same on Stripe's test mode and on the local stand-in. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const field = page.frameLocator('iframe[title="Secure card payment input frame"]');
  await field.getByPlaceholder('Card number').fill(number);
  await field.getByPlaceholder('MM / YY').fill('12 / 34');
  await field.getByPlaceholder('CVC').fill('123');
}

/** Gives a browser Stripe's test wallet, as a phone may have one. */
export const giveWallet = (page: Page) =>
  page.addInitScript(() => {
    window.hasTestWallet = true;
  });

export const walletButton = (page: Page) =>
  page
    .frameLocator('iframe[title="Secure express checkout frame"]')
    .getByRole('button', { name: 'Test wallet' });

/** The wallet's own sheet, over the page. */
export const walletSheet = (page: Page) => page.frameLocator('iframe[title="Test wallet"]');

/** Opens the wallet, chooses one of its cards and agrees to pay. */
export async function payByWallet(page: Page, card: string): Promise<void> {
  await walletButton(page).click();
  await walletSheet(page).getByLabel('Card').selectOption(card);
  await walletSheet(page).getByRole('button', { name: 'Pay' }).click();
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay Now/ });

/** The payer was told that the card was charged; the page that says so leads on by itself. */
export const expectCharged = (page: Page) => expectHeard(page, /Transaction id: pi_\w+/);

/** The bank's question, inside the card provider's frame. */
export const bankQuestion = (page: Page) =>
  page.frameLocator('body > div > iframe[name^="__privateStripeFrame"]').frameLocator('#challengeFrame');
