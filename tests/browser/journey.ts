/** Steps that the browser tests share: opening a screen as a person, ordering, paying, attaching a file. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect, type Browser, type Locator, type Page } from 'playwright/test';
import * as z from 'zod';
import { contextOf, expectHeard, listen, systemUrl, test } from '../support/browser.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import { registerCustomer, signInAdministrator, type Visitor } from '../support/visitor.ts';

export type Customer = Awaited<ReturnType<typeof registerCustomer>>;

const stripeUrl = process.env['STRIPE_URL'] ?? '';
const orderShape = z.object({ paymentStatus: z.string() });

/** A text that no other test uses. */
export const unique = (text: string) => `${text} ${randomUUID().slice(0, 8)}`;

/** Opens a screen as the seeded administrator. */
export async function openAsAdministrator(browser: Browser, path: string): Promise<Page> {
  const page = await (await contextOf(browser)).newPage();
  await page.goto(path);
  return page;
}

/** A page of a new, signed-in customer. It records what its live regions say, for `expectHeard`. */
export async function openAsCustomer(browser: Browser): Promise<{ customer: Customer; page: Page }> {
  const customer = await registerCustomer(systemUrl);
  const page = await (await contextOf(browser, customer)).newPage();
  await listen(page);
  return { customer, page };
}

/** A new customer's order that an administrator has marked as paid. */
export async function openWithPaidOrder(browser: Browser) {
  const opened = await openAsCustomer(browser);
  const order = await placeOrder(opened.customer);
  const administrator = await signInAdministrator(systemUrl);
  await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  return { ...opened, order, administrator };
}

export interface Question {
  readonly _id: string;
  readonly accodingTitle: string;
  readonly accodingText: string;
}

/** Adds a question to the FAQ, for a test that removes it at the end. */
export async function addQuestion(administrator: Visitor): Promise<Question> {
  const body = { accodingTitle: unique('May I ask?'), accodingText: unique('Nobody knows yet.') };
  return (await administrator.post('/api/add-faq-item', body)).json as Question;
}

export async function paymentStatusOf(visitor: Visitor, orderId: string): Promise<string> {
  return orderShape.parse((await visitor.get(`/api/order/${orderId}`)).json).paymentStatus;
}

type Order = Awaited<ReturnType<typeof placeOrder>>;

/** Pays by card like Stripe.js does, without a browser, and records the payment immediately. */
export async function payOrder(customer: Customer, order: Order): Promise<void> {
  await confirmCard(customer, stripeUrl, await clientSecretFor(customer, order));
  await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
}

export const alerts = (page: Page) => page.getByRole('alert');
export const toast = (page: Page, text: string) => alerts(page).filter({ hasText: text });

/** A part of a screen, by its heading. */
export const panel = (page: Page, title: string): Locator =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/**
 * Expands or collapses the content below a summary line. Uses the keyboard, because a mouse misses a line that moves.
 */
export const unfold = (within: Page | Locator, line: string) =>
  within.locator('summary').filter({ hasText: line }).press('Enter');

export const previewOf = (page: Page) => page.locator('iframe[title^="Preview"]').first().contentFrame();

/** The status of the last publication in the admin header. */
export const publicationStatus = (page: Page) => page.getByRole('banner').getByRole('status');

/** Tells a page that its user has returned to its tab, so that it loads again. */
export const comeBack = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

/** Presses all buttons that exist now. Playwright's own click would wait for a button that is already gone. */
export const pressAll = (buttons: Locator) =>
  buttons.evaluateAll((found) => {
    for (const button of found) if (button instanceof HTMLElement) button.click();
  });

/** Chooses a file through a button. */
export async function addFile(within: Page | Locator, label: string, name: string, content = 'Words') {
  const page = 'page' in within ? within.page() : within;
  const path = test.info().outputPath(name);
  await writeFile(path, content);
  const chooser = page.waitForEvent('filechooser');
  await within.getByRole('button', { name: label }).click();
  await (await chooser).setFiles(path);
}

export const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenged: '4000002760003184',
  processing: '4000000000002701',
  /** Pays, and is disputed immediately. */
  disputed: '4000000000000259',
} as const;

/** Types a card into Stripe's field. The fields are the same in Stripe's test mode and in the local stand-in. */
export async function typeCard(page: Page, number: string): Promise<void> {
  const field = page.frameLocator('iframe[title="Secure card payment input frame"]');
  await field.getByPlaceholder('Card number').fill(number);
  await field.getByPlaceholder('MM / YY').fill('12 / 34');
  await field.getByPlaceholder('CVC').fill('123');
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay Now/ });

export async function payWith(page: Page, card: string): Promise<void> {
  await typeCard(page, card);
  await payButton(page).click();
}

/** Holds requests back. @returns a function that lets them continue */
export async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  await page.route(url, async (route) => {
    await promise;
    await route.continue();
  });
  return () => resolve(undefined);
}

/** Gives a browser Stripe's test wallet, as a phone might have one. */
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

/**
 * Expects that the payer learned that the card was charged. The page that says so moves on automatically after a while.
 */
export const expectCharged = (page: Page) => expectHeard(page, /Transaction ID: pi_\w+/);

/** Leaves the page that says that the card was charged. */
export async function leaveForDashboard(page: Page): Promise<void> {
  await expectCharged(page);
  await page.getByRole('link', { name: 'Go to your dashboard' }).click();
  await expect(page).toHaveURL('/dashboard');
}

/** The bank's question, inside the payment provider's frame. */
export const bankQuestion = (page: Page) =>
  page.frameLocator('body > div > iframe[name^="__privateStripeFrame"]').frameLocator('#challengeFrame');

export async function fillOrderForm(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ada Broker');
  await page.getByLabel('Address').fill('12 Harbor Street, Portland');
  await page.getByLabel('Country').selectOption('United States');
}
