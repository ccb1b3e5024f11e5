/** Monthly packages, from the order to the end of the subscription. */
import { expect, type Browser } from 'playwright/test';
import { contextOf, expectAccessible, listen, test } from '../support/browser.ts';
import { findPackage, placeOrder } from '../support/orders.ts';
import { administrator, startTestSystem, type TestSystem } from '../support/system.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import {
  bankQuestion,
  cards,
  expectCharged,
  fillOrderForm,
  giveWallet,
  panel,
  payByWallet,
  payWith,
  toast,
} from './journey.ts';

let system: TestSystem;
// All tests run in one process, which starts one copy.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  system = await startTestSystem();
  const owner = await signInAdministrator(system.url);
  // The shared copy keeps its packages, which other tests buy once.
  const { _id } = await findPackage(owner, 'Premium');
  await owner.put(`/api/pricing/${_id}`, { billing: 'monthly', displayName: 'Monthly care' });
});
test.afterAll(() => system.stop());

async function openAs(browser: Browser, person?: { readonly email: string }) {
  const context = person
    ? await contextOf(browser, person, { baseURL: system.url })
    : await browser.newContext({ baseURL: system.url });
  const page = await context.newPage();
  await listen(page);
  return page;
}

test('A customer buys a monthly package, changes the card, pauses, resumes, cancels and undoes the cancellation', async ({
  browser,
}) => {
  const customer = await registerCustomer(system.url);
  const page = await openAs(browser, customer);
  await page.goto('/pricing/');
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await expect(page.getByText('$1,499 per month, until you cancel')).toBeVisible();
  await fillOrderForm(page);
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.getByRole('link', { name: 'Pay Now' }).click();
  const terms = page.getByText(
    /^You pay \$1,499 today\. The next payment of \$1,499 will be charged to the same/,
  );
  await expect(terms).toContainText(
    /card on \d\d\/\d\d\/\d{4}, and then every month\. You can cancel at any time/,
  );
  await payWith(page, cards.challenged);
  await bankQuestion(page).getByRole('button', { name: 'Complete' }).click();
  await expectCharged(page);

  await page.getByRole('link', { name: 'Monthly care package, every month' }).click();
  await expect(
    page.getByText(/^The next payment of \$1,499 is due on .* Visa ending in 3184\.$/),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: /^Receipt #/ })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Change the card' }).click();
  await page.getByLabel('Card').selectOption('Mastercard ending in 4444, which pays');
  await page.getByRole('button', { name: 'Change the card' }).click();
  await page.waitForURL(`${system.url}/subscription/**`);
  await expect(async () => {
    await page.reload();
    await expect(page.getByText('Mastercard ending in 4444', { exact: true })).toBeVisible();
  }).toPass();

  await page.getByLabel('Skip payments').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText(/^The subscription is paused\. Nothing is charged/)).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText(/^The next payment of \$1,499 is due on/)).toBeVisible();

  const cancel = page.getByRole('button', { name: 'Cancel the subscription' });
  await cancel.click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(/The subscription ends on \d\d\/\d\d\/\d{4}/);
  await question.getByRole('button', { name: 'Cancel the subscription' }).click();
  await expect(page.getByText(/^The subscription ends on .* Nothing more is charged\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep the subscription' }).click();
  await expect(cancel).toBeVisible();
  await expect(page.getByText(/^The next payment of \$1,499 is due on/)).toBeVisible();

  await page.goto('/account');
  await expect(page.getByRole('link', { name: '1 order', exact: true })).toHaveAttribute('href', '/my-order');
  await page.getByRole('link', { name: 'Monthly care package, every month' }).click();
  await page.waitForURL(`${system.url}/subscription/**`);
});

test('Somebody without an account pays for a monthly package with a wallet through a forwarded link, and its owner manages it', async ({
  browser,
}) => {
  const customer = await registerCustomer(system.url);
  const order = await placeOrder(customer, 'Premium');
  const payer = await openAs(browser);
  await giveWallet(payer);
  await payer.goto(`/pay-now/${order._id}`);
  await expect(payer.getByText(/You pay \$1,499 today\. The next payment of \$1,499/)).toBeVisible();
  await payByWallet(payer, 'Visa 4242, pays');
  await expectCharged(payer);

  const page = await openAs(browser, customer);
  await page.goto(`/subscription/${order.subscriptionId ?? ''}`);
  await expect(
    page.getByText(/^The next payment of \$1,499 is due on .* Visa ending in 4242\.$/),
  ).toBeVisible();
  await payer.goto(`/subscription/${order.subscriptionId ?? ''}`);
  await expect(payer).toHaveURL(/\/login\?next=/);
});

test('An administrator creates a coupon for three payments, a customer sees what each costs, and then the price changes for all', async ({
  browser,
}) => {
  const owner = await openAs(browser, administrator);
  await owner.goto('/coupons');
  await owner.getByLabel('Code', { exact: true }).fill('three');
  await owner.getByLabel('Percent').fill('10');
  const duration = owner.getByLabel('On a monthly package');
  await expect(duration).toBeVisible();
  await owner.getByLabel('Basic').check();
  await expect(duration).toHaveCount(0);
  await owner.getByLabel('Monthly care').check();
  await duration.selectOption('For a number of payments');
  await owner.getByLabel('How many payments').fill('3');
  await expectAccessible(owner);
  await owner.getByRole('button', { name: 'Add coupon' }).click();
  await expect(owner.getByRole('row').filter({ hasText: 'THREE' })).toContainText(
    '10% off each of the first 3 payments',
  );

  const customer = await registerCustomer(system.url);
  const page = await openAs(browser, customer);
  await page.goto('/pricing/?coupon=THREE');
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await expect(page.getByText('THREE takes $149.90 off each of the first 3 payments.')).toBeVisible();
  await expect(
    page.getByText('$1,349.10 for each of the first 3 payments, then $1,499 per month, until you cancel'),
  ).toBeVisible();
  await fillOrderForm(page);
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.getByRole('link', { name: 'Pay Now' }).click();
  await expect(
    page.getByText(
      /^You pay \$1,349\.10 today\. The next payment of \$1,349\.10 .* Starting .*, the price is \$1,499 per month\./,
    ),
  ).toBeVisible();
  await payWith(page, cards.good);
  await expectCharged(page);

  await owner.goto('/subscriptions');
  const form = panel(owner, 'Change the price of a package');
  await form.getByLabel('New price per month in US dollars').fill('1,599');
  await form.getByRole('button', { name: 'Change the price' }).click();
  const question = owner.getByRole('dialog');
  await expect(question).toContainText(/Change the price for \d+ subscriptions?\?/);
  await expect(question).toContainText(
    /Revenue from Monthly care changes from \$[\d.,]+ to \$[\d.,]+ per month/,
  );
  await expectAccessible(owner);
  await question.getByRole('button', { name: 'Change the price and email them' }).click();
  await expect(toast(owner, '$1,599 announced to')).toBeVisible();
  await owner.getByRole('row').filter({ hasText: 'Ada Broker' }).first().getByRole('link').click();
  await expect(panel(owner, 'Change the price')).toBeVisible();
  await expect(owner.getByRole('link', { name: 'Subscriptions', exact: true })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Monthly care package, every month' }).click();
  // The notice takes 30 days. In a month of 31 days, the next payment already has the new price.
  await expect(page.getByText(/(next payment of|the price is) \$1,449\.10/)).toBeVisible();

  await page.goto('/pricing/');
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page.getByText('You already pay for this package every month.')).toBeVisible();
});

test("An administrator reads on an order that the customer's bank has taken back the payment, and that nothing can be returned", async ({
  browser,
}) => {
  const customer = await registerCustomer(system.url);
  const order = await placeOrder(customer, 'Premium');
  const page = await openAs(browser, customer);
  await page.goto(`/pay-now/${order._id}`);
  await payWith(page, cards.disputed);
  await expectCharged(page);

  const owner = await openAs(browser, administrator);
  await owner.goto(`/admin/payment-status/${order._id}`);
  await expect(
    owner.getByText(/taken back a card payment of \$1,499 .* The last day for evidence is/),
  ).toBeVisible();
  await expect(panel(owner, 'Refunds')).toContainText('nothing can be returned until it is decided');
});
