/** The customer's own screens: lists and their pages, an order's way, ordering at a changed price, cancelling. */
import { expect, type Page } from 'playwright/test';
import type { Brief } from '#contract/work.ts';
import {
  expectAccessible,
  expectHeard,
  listen,
  openAsAdministrator,
  problem,
  signIn,
  systemUrl,
  test,
  untilFormIsAlive,
} from '../support/browser.ts';
import { signInAdministrator, registerCustomer } from '../support/visitor.ts';
import { findPackage, placeOrder } from '../support/orders.ts';
import { openAsCustomer, paymentStatusOf } from './checkout.ts';

test.use({ baseURL: systemUrl });

async function fillOrderForm(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Ada Broker');
  await page.getByLabel('Address').fill('12 Harbor Street, Portland');
  await page.getByLabel('Country').selectOption('United States');
}

const submitOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' });
const rows = (page: Page) => page.locator('tbody tr');

test('A new customer is told what will appear on each screen', async ({ browser }) => {
  const { page } = await openAsCustomer(browser);
  for (const path of ['/dashboard', '/my-order', '/pending-order']) {
    await page.goto(path);
    await expect(page.getByText('No orders yet'), path).toBeVisible();
    await expectAccessible(page);
  }
  await expect(page.getByRole('link', { name: 'See the packages' })).toHaveAttribute('href', '/pricing/');
});

test('The dashboard leads where the customer wants to go, and out', async ({ browser }) => {
  const { page } = await openAsCustomer(browser);
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  await expect(main.locator('section').getByRole('link', { name: 'My Orders' })).toHaveAttribute(
    'href',
    '/my-order',
  );
  await expect(main.getByRole('link', { name: 'Total Spent' })).toHaveAttribute('href', '/');
  await expect(main.getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/contact');
  await main.getByRole('button', { name: 'Signout' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login\?next=/);
});

test('The dashboard leads an administrator to the administration, and says how much waits there', async ({
  browser,
}) => {
  await placeOrder(await registerCustomer(systemUrl));
  const page = await openAsAdministrator(browser, '/dashboard');
  const administration = page.getByRole('region', { name: 'Administration' });
  await expect(administration.getByRole('link')).toHaveAttribute('href', '/admin');
  await expect(administration.getByText(/\d+ unpaid orders?\.$/)).toBeVisible();
  await expectAccessible(page);
  const { page: customers } = await openAsCustomer(browser);
  await customers.goto('/dashboard');
  await expect(customers.getByRole('heading', { name: 'What to do next' })).toBeVisible();
  await expect(customers.getByRole('region', { name: 'Administration' })).toHaveCount(0);
});

test('Orders come five a page, newest first, and only their own', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  await placeOrder(await registerCustomer(systemUrl));
  const newest: string[] = [];
  for (let count = 0; count < 7; count += 1) newest.unshift((await placeOrder(customer))._id);

  await page.goto('/my-order');
  await expect(page.getByRole('columnheader')).toHaveText([
    'Sl No.',
    'Order Date',
    'Your Name',
    'Order Status',
    'Payment Status',
  ]);
  await expect(rows(page)).toHaveCount(5);
  await expect(rows(page).first().getByRole('link', { name: 'Pay Now' })).toHaveAttribute(
    'href',
    `/pay-now/${newest[0] ?? ''}`,
  );
  await expect(rows(page).first()).toContainText(/\w+ package, \$[\d,.]+/);
  await expect(rows(page).first()).toContainText('Awaiting payment');
  await rows(page).first().getByText('Awaiting payment').click();
  await expect(page).toHaveURL(`/order/${newest[0] ?? ''}`);
  await page.goBack();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await expect(button('Previous')).toBeDisabled();
  await button('Next').press('Enter');
  await expect(button('Next')).toBeFocused();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first().getByRole('cell').first()).toHaveText('6');
  await expect(button('Next')).toBeDisabled();
  await page.reload();
  await expect(rows(page)).toHaveCount(2);
  await button('Previous').click();
  await expect(rows(page)).toHaveCount(5);
  await expectAccessible(page);

  await page.goto('/pending-order');
  await expect(page.getByRole('columnheader')).toHaveText([
    'Date',
    'Your Name',
    'Amount',
    'Order Status',
    'Payment Status',
  ]);
  await expect(rows(page)).toHaveCount(5);
});

test("An administrator who is a customer too sees only their own orders among a customer's screens", async ({
  browser,
}) => {
  await placeOrder(await registerCustomer(systemUrl));
  const context = await browser.newContext({ baseURL: systemUrl });
  await signIn(context, await signInAdministrator(systemUrl));
  const page = await context.newPage();
  await page.goto('/my-order');
  await expect(page.getByText('No orders yet')).toBeVisible();
});

test('An order shows its way from placing to delivery', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  const steps = page.getByRole('main').locator('ol li');
  await page.goto('/dashboard');
  await expect(steps).toHaveText([/^Ordered/, /^Payment/, /^Delivery/]);
  const tops = await steps.evaluateAll((items) => items.map((item) => item.getBoundingClientRect().top));
  expect(new Set(tops).size, 'beside one another').toBe(1);
  await page.goto(`/order/${order._id}`);
  await expect(steps).toHaveText([/^Order placed/, /^Waiting for your payment/, /^Delivery/]);
  const administrator = await signInAdministrator(systemUrl);
  await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  await administrator.put(`/api/order-status/${order._id}`, { orderStatus: 'Delivered' });
  await page.reload();
  await expect(steps).toHaveText([/^Order placed/, /^Payment received/, /^Order delivered/]);
});

test('Questions that are opened again after the delivery are led to from the dashboard and the order, and are open for us too', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const administrator = await signInAdministrator(systemUrl);
  const { _id } = await placeOrder(customer);
  await administrator.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  const { questions } = (await customer.get(`/api/order/${_id}/brief`)).json as Brief;
  const answers = Object.fromEntries(
    questions.map(({ _id: question, kind, choices: [choice = ''] }) => [
      question,
      kind === 'choice' ? choice : 'lopezlending.com',
    ]),
  );
  await customer.put(`/api/order/${_id}/brief`, { answers, status: 'sent' });
  await administrator.put(`/api/order-status/${_id}`, { orderStatus: 'Delivered' });
  await customer.put(`/api/order/${_id}/messages`, { readTo: 1 });
  // Without it the newest order would be shown, whatever there is to do about it.
  await placeOrder(customer);
  const toQuestions = page.getByRole('main').getByRole('link', { name: 'Answer our questions', exact: true });
  await page.goto('/dashboard');
  await expect(page.getByText('We start as soon as this order is paid.')).toBeVisible();
  await expect(toQuestions).toHaveCount(0);
  await administrator.put(`/api/order/${_id}/brief`, { status: 'open' });
  for (const path of ['/dashboard', `/order/${_id}`]) {
    await page.goto(path);
    await expect(toQuestions, path).toHaveAttribute('href', `/order-brief/${_id}`);
  }
  const staff = await openAsAdministrator(browser, `/admin/payment-status/${_id}`);
  await expect(staff.getByText('The questions are open again.')).toBeVisible();
  await staff.close();
});

test("Somebody else's order is not shown", async ({ browser }) => {
  const { page } = await openAsCustomer(browser);
  const order = await placeOrder(await registerCustomer(systemUrl));
  await page.goto(`/order/${order._id}`);
  await expect(page.getByText('There is no such order')).toBeVisible();
  await expect(page.getByText('Ada Broker')).toHaveCount(0);
});

test('The order form says what is missing, keeps what was typed, and makes one order of many presses', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await findPackage(customer, 'Premium');
  await page.goto(`/order-now/${_id}`);
  await submitOrder(page).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByText('Please choose your country').first()).toBeVisible();
  await expectAccessible(page);
  await fillOrderForm(page);

  await page.route('**/api/new-order', async (route) => {
    await route.fetch({ maxRetries: 3 });
    await route.abort();
  });
  await submitOrder(page).click();
  await expect(page.getByRole('alert')).toContainText('what you typed is still here');
  await page.unroute('**/api/new-order');
  await expect(page.getByLabel('Name')).toHaveValue('Ada Broker');
  await submitOrder(page).dblclick();
  await expect(page).toHaveURL('/pending-order');
  await expect(rows(page)).toHaveCount(1);
});

test('A customer who may place no further order just now reads what to do, and keeps what was typed', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await findPackage(customer, 'Premium');
  await page.goto(`/order-now/${_id}`);
  await fillOrderForm(page);
  const detail = 'You have 10 orders that wait for their payment. Pay for one of them.';
  await page.route('**/api/new-order', (route) => route.fulfill(problem(429, 'Too many tries', detail)));
  await submitOrder(page).click();
  await expect(page.getByRole('alert')).toContainText(detail);
  await expect(page.getByRole('link', { name: 'See your pending orders' })).toHaveAttribute(
    'href',
    '/pending-order',
  );
  await expect(page.getByLabel('Name')).toHaveValue('Ada Broker');
});

test('A customer with an open order for the package is offered that one, and may still place a second', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await findPackage(customer, 'Basic');
  const countOrders = async () => ((await customer.get('/api/orders')).json as unknown[]).length;
  const payForIt = page.getByRole('link', { name: 'Pay for that order' });
  await page.goto(`/order-now/${_id}`);
  await fillOrderForm(page);
  await submitOrder(page).click();
  await expect(page).toHaveURL('/pending-order');

  await page.goto(`/order-now/${_id}`);
  await expect(page.getByText('You have an open order for this package')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Ada Broker');
  await expect(page.getByLabel('Address')).toHaveValue('12 Harbor Street, Portland');
  await expect(page.getByLabel('Country')).toHaveValue('United States');
  await submitOrder(page).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Nothing new has been ordered yet.');
  expect(await countOrders()).toBe(1);
  await page.keyboard.press('Escape');
  await payForIt.first().click();
  await expect(page).toHaveURL(/\/pay-now\//);

  await page.goBack();
  await submitOrder(page).click();
  await question.getByRole('button', { name: 'Place a second order' }).click();
  await expect(page).toHaveURL('/pending-order');
  expect(await countOrders()).toBe(2);
});

test('A form that was open before the first order was placed offers that order too', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await findPackage(customer, 'Basic');
  await page.goto(`/order-now/${_id}`);
  await fillOrderForm(page);
  await placeOrder(customer);
  await submitOrder(page).click();
  await expect(page.getByRole('dialog')).toContainText('Nothing new has been ordered yet.');
  expect((await customer.get('/api/orders')).json).toHaveLength(1);
});

test('Anyone who logs in on the way to another page reads of no package', async ({ page }) => {
  await page.goto(`/login?next=${encodeURIComponent('/order-now/00000000-0000-7000-8000-000000000000')}`);
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText('You are ordering')).toHaveCount(0);
  await page.goto('/login?next=/my-order');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expect(page.getByText('You are ordering')).toHaveCount(0);
});

test('A price that has changed is shown and asked about before ordering', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const administrator = await signInAdministrator(systemUrl);
  // No other test orders this package by its pages: it has another price for a while.
  const { _id, packagePrice } = await findPackage(customer, 'Standard');
  const changePrice = (price: string) => administrator.put(`/api/pricing/${_id}`, { packagePrice: price });
  await page.goto(`/order-now/${_id}`);
  await fillOrderForm(page);
  try {
    await changePrice('905.50');
    await submitOrder(page).click();
    const question = page.getByRole('dialog', { name: 'The price has changed' });
    await expect(question).toContainText(`$905.50 now; it was $${packagePrice} when`);
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Do not order' }).click();
    await expect(page.getByText(`The price was $${packagePrice}.`)).toBeVisible();
    expect((await customer.get('/api/orders')).json).toEqual([]);
    await changePrice('906');
    await submitOrder(page).click();
    await question.getByRole('button', { name: 'Order for $906' }).click();
    await expect(page).toHaveURL('/pending-order');
    await expect(page.getByRole('cell', { name: '906 USD' })).toBeVisible();
  } finally {
    await changePrice(packagePrice);
  }
});

test('Our own cancel link cancels at once and leads back to the orders', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto('/my-order');
  await page.getByRole('link', { name: /^Cancel order #\d+$/ }).click();
  await expectHeard(page, /You have cancelled the payment/);
  expect(await paymentStatusOf(customer, order._id)).toBe('Cancelled');
  await expect(page).toHaveURL('/my-order');
  await expect(page.getByText('You Have Cancelled')).toBeVisible();
});

test('A foreign link to the cancel page asks first', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/order-cancelled/${order._id}`);
  await expect(page.getByRole('link', { name: 'Keep the order' })).toBeVisible();
  expect(await paymentStatusOf(customer, order._id)).toBe('UnPaid');
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expectHeard(page, /You have cancelled the payment/);
  expect(await paymentStatusOf(customer, order._id)).toBe('Cancelled');
});

test('After cancelling an administrator goes to /admin', async ({ browser }) => {
  const order = await placeOrder(await registerCustomer(systemUrl));
  const context = await browser.newContext({ baseURL: systemUrl });
  await signIn(context, await signInAdministrator(systemUrl));
  const page = await context.newPage();
  await listen(page);
  await page.goto(`/order-cancelled/${order._id}`);
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expectHeard(page, /You have cancelled the payment/);
  await expect(page).toHaveURL('/admin');
});

test('A cancelling that fails is logged and told, and can be tried again', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/order-cancelled/${order._id}`);
  await page.route('**/api/order-cancelled/*', (route) => route.abort());
  const logged = page.waitForEvent('console', (message) => message.text() === 'Payment update failed.');
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await logged;
  await expect(page.getByRole('alert')).toContainText('The order has not been cancelled.');
  await page.unroute('**/api/order-cancelled/*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectHeard(page, /You have cancelled the payment/);
});

test('From a cancelled order the same package can be ordered again, with everything filled in', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.clock.install();
  await page.goto(`/order-cancelled/${order._id}`);
  const cancel = page.getByRole('button', { name: 'Cancel the order' });
  await expect(cancel).toBeVisible();
  await untilFormIsAlive(page);
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await cancel.click();
  const again = page.getByRole('link', { name: 'Order again' });
  // The page leads back by itself, but not from under somebody who is about to choose.
  await again.focus();
  await page.clock.runFor(60_000);
  await expect(again).toHaveAttribute('href', /^\/order-now\//);
  await page.clock.resume();
  await again.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order the ${order.packageName} package`);
  await expect(page.getByLabel('Name')).toHaveValue(order.customerName);
  await expect(page.getByLabel('Address')).toHaveValue(order.customerAddress);

  await page.goto(`/order-cancelled/${order._id}`);
  await expect(page.getByText('This order is cancelled already')).toBeVisible();
  await expect(again).toHaveAttribute('href', /^\/order-now\//);

  await page.goto(`/order/${order._id}`);
  await expect(again).toHaveAttribute('href', /^\/order-now\//);
});

test('A delivered order is not cancelled by its customer, who is told why', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto('/my-order');
  const cancelLink = page.getByRole('link', { name: /^Cancel order #\d+$/ });
  await expect(cancelLink).toBeVisible();
  const administrator = await signInAdministrator(systemUrl);
  await administrator.put(`/api/order-status/${order._id}`, { orderStatus: 'Delivered' });
  await cancelLink.click();
  await expect(page.getByText('This order is delivered already')).toBeVisible();
  expect(await paymentStatusOf(customer, order._id)).toBe('UnPaid');
  await page.goto('/my-order');
  await expect(page.getByRole('link', { name: 'Pay Now' })).toBeVisible();
  await expect(cancelLink).toHaveCount(0);
});

test('A paid order is not cancelled, and its customer is told', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto('/my-order');
  const cancelLink = page.getByRole('link', { name: /^Cancel order #\d+$/ });
  await expect(cancelLink).toBeVisible();
  const administrator = await signInAdministrator(systemUrl);
  await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  await cancelLink.click();
  await expect(page.getByText('This order is paid already')).toBeVisible();
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});
