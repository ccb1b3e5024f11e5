/** Receipts and credit notes: on the screen, and as the PDF that an accountant gets. */
import { expect, type Browser, type Page } from 'playwright/test';
import { newId } from '#contract/ids.ts';
import { toPriceText } from '#contract/money.ts';
import type { Order } from '#contract/orders.calls.ts';
import { contextOf, expectAccessible, systemUrl, test } from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { database } from '../support/shared-database.ts';
import { registerCustomer } from '../support/visitor.ts';
import { openAsCustomer, payOrder, type Customer } from './journey.ts';

const company = `Lopez, Whitlock & Sons Lending of Northern Illinois ${'and Partners '.repeat(11)}LLC`;
const taxNumber = 'EIN 12-3456789 / IL 4402-1187-09';

/** A paid order of a customer with very long names. */
async function buy(customer: Customer): Promise<Order> {
  const order = await placeOrder(customer, 'Premium', `Maximiliana ${'von Hohenstein-'.repeat(11)}Lopez`);
  const body = { customerCompany: company, customerTaxNumber: taxNumber };
  expect((await customer.put(`/api/order/${order._id}/billing`, body)).status).toBe(200);
  await payOrder(customer, order);
  return order;
}

/**
 * Writes succeeded refunds into the database.
 * @returns their ids, oldest first
 */
async function refund(order: Order, cents: readonly number[]): Promise<string[]> {
  const at = Date.now();
  const ids = cents.map((_, index) => newId(at + index));
  await database.batch(
    cents.map((amount, index) => ({
      sql: `INSERT INTO refunds ("_id", "orderId", "paymentId", "refundId", "amountCents", status, "accountId", at, "changedAt")
        SELECT ?, "orderId", "_id", ?, ?, 'succeeded', '', ?, ? FROM payments WHERE "orderId" = ? AND outcome = 'settled'`,
      args: [ids[index] ?? '', `re_${newId()}`, amount, at, at, order._id],
    })),
    'write',
  );
  return ids;
}

/** The number of pages of the document as a PDF, and its printed text, printed by a person who uses the dark scheme. */
async function print(browser: Browser, customer: Customer, path: string, format: 'A4' | 'Letter') {
  const context = await contextOf(browser, customer, { colorScheme: 'dark' });
  const page = await context.newPage();
  await page.goto(path);
  await expect(page.getByRole('article')).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const pdf = (await page.pdf({ format })).toString('latin1');
  await page.emulateMedia({ media: 'print' });
  const ink = await page.getByRole('article').evaluate((article) => getComputedStyle(article).color);
  // What is not printed is not rendered, so `innerText` leaves it out.
  const text = await page.locator('body').innerText();
  return { pages: pdf.match(/\/Type \/Page\b(?!s)/g)?.length ?? 0, text: text.replaceAll(/\s+/g, ' '), ink };
}

/** Expects that the site around the document is not printed. */
const expectPaperAlone = (text: string) =>
  expect(text).not.toMatch(/Dashboard|My Orders|Print or save|Back to the order|Skip to the content/);

test('A receipt with long names and ten refunds is printed on A4, and a credit note on Letter', async ({
  browser,
}) => {
  const customer = await registerCustomer(systemUrl);
  const order = await buy(customer);
  const [first = ''] = await refund(
    order,
    Array.from({ length: 10 }, (_, index) => 1_000 + index),
  );

  const receipt = await print(browser, customer, `/order/${order._id}/receipt`, 'A4');
  expect(receipt.pages).toBeGreaterThan(0);
  expect(receipt.pages).toBeLessThanOrEqual(2);
  expectPaperAlone(receipt.text);
  expect(receipt.ink).toBe('rgb(16, 33, 27)');
  for (const expected of [
    `Receipt #${order.number}`,
    'Tallymark Search LLC',
    '218 Ledger Street',
    'EIN 00-0000000',
    company,
    order.customerName,
    order.customerCountry,
    taxNumber,
    order.orderDate,
    'Visa ending in 4242',
    'Premium package',
    '$1,499',
    ...Array.from({ length: 10 }, (_, index) => `#${order.number}-R${index + 1}`),
    `-$${toPriceText(1_009)}`,
    '-$100.45',
    '$1,398.55',
  ])
    expect(receipt.text).toContain(expected);

  const note = await print(browser, customer, `/credit-note/${first}`, 'Letter');
  expect(note.pages).toBe(1);
  expectPaperAlone(note.text);
  for (const expected of [`Credit note #${order.number}-R1`, '-$10', 'Refunded to', company, taxNumber])
    expect(note.text).toContain(expected);
  expect(receipt.text + note.text).not.toContain('.00');
});

test('A receipt with a refund is printed on one page', async ({ browser }) => {
  const customer = await registerCustomer(systemUrl);
  const order = await placeOrder(customer, 'Premium');
  await payOrder(customer, order);
  await refund(order, [10_000]);
  for (const format of ['A4', 'Letter'] as const) {
    const receipt = await print(browser, customer, `/order/${order._id}/receipt`, format);
    expect(receipt.pages, format).toBe(1);
    expect(receipt.text).toContain(`#${order.number}-R1`);
  }
});

const receiptLink = (page: Page) => page.getByRole('link', { name: 'See the receipt' });

test('A customer adds a company to an order, and finds it on the receipt once the order is paid', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/order/${order._id}/receipt`);
  await expect(page.getByText('No receipt yet')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the order' }).click();

  await expect(receiptLink(page)).toHaveCount(0);
  await page.getByText('Company, tax number or a copy of the receipt').click();
  await page.getByLabel('Company').fill('Lopez Lending LLC');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved. Your receipt will show it.')).toBeVisible();

  await payOrder(customer, order);
  await page.reload();
  await receiptLink(page).click();
  await expect(page.getByRole('heading', { level: 1, name: `Receipt #${order.number}` })).toBeVisible();
  await expect(page.getByText('Lopez Lending LLC')).toBeVisible();
  await expectAccessible(page);
});

test('An order is printed without the form for a message', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await placeOrder(customer);
  await page.goto(`/order/${_id}`);
  const send = page.getByRole('button', { name: 'Send message' });
  await expect(send).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(send).toBeHidden();
});
