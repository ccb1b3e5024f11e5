/** What customers meet beside the usual way: a changed price, an order twice, a cancelation that fails. */
import { expect, type Page } from 'playwright/test';
import type { Brief } from '#contract/work.ts';
import { expectHeard, problem, systemUrl, test, untilFormIsAlive } from '../support/browser.ts';
import { findPackage, placeOrder } from '../support/orders.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import {
  fillOrderForm,
  openAsAdministrator,
  openAsCustomer,
  openWithPaidOrder,
  paymentStatusOf,
} from './journey.ts';

const submitOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' });

test('The dashboard of an administrator leads to the administration and counts what waits; no customer sees that', async ({
  browser,
}) => {
  await placeOrder(await registerCustomer(systemUrl));
  const page = await openAsAdministrator(browser, '/dashboard');
  const administration = page.getByRole('region', { name: 'Administration' });
  await expect(administration.getByRole('link')).toHaveAttribute('href', '/admin');
  await expect(administration.getByText(/\d+ unpaid orders?\.$/)).toBeVisible();
  const { page: customers } = await openAsCustomer(browser);
  await customers.goto('/dashboard');
  await expect(customers.getByRole('heading', { name: 'What to do next' })).toBeVisible();
  await expect(customers.getByRole('region', { name: 'Administration' })).toHaveCount(0);
});

test("An administrator who is a customer too sees only their own orders among a customer's screens", async ({
  browser,
}) => {
  await placeOrder(await registerCustomer(systemUrl));
  const page = await openAsAdministrator(browser, '/my-order');
  await expect(page.getByText('No orders yet')).toBeVisible();
});

test('Dashboard and order link to questions that are opened again after the delivery', async ({
  browser,
}) => {
  const { customer, page, order, administrator } = await openWithPaidOrder(browser);
  const { _id } = order;
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
  // The dashboard would show the only order, whatever there is to do about it.
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
});

test('The order form names what is missing, keeps what was typed, and places one order however often it is pressed', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await findPackage(customer, 'Premium');
  await page.goto(`/order-now/${_id}`);
  await submitOrder(page).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByText('Please choose your country').first()).toBeVisible();
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
  await expect(page.locator('tbody tr')).toHaveCount(1);
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
  // The first order is placed elsewhere while the form is open.
  await placeOrder(customer);
  await submitOrder(page).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Nothing new has been ordered yet.');
  expect(await countOrders()).toBe(1);
  await page.goto(`/order-now/${_id}`);
  await expect(page.getByText('You have an open order for this package')).toBeVisible();
  await expect(page.getByLabel('Address')).toHaveValue('12 Harbor Street, Portland');
  await submitOrder(page).click();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await payForIt.first().click();
  await expect(page).toHaveURL(/\/pay-now\//);

  await page.goBack();
  await submitOrder(page).click();
  await question.getByRole('button', { name: 'Place a second order' }).click();
  await expect(page).toHaveURL('/pending-order');
  expect(await countOrders()).toBe(2);
});

test('A price that has changed is shown and asked about before ordering', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const administrator = await signInAdministrator(systemUrl);
  // No other test orders this package in a browser, because its price changes for a while.
  const { _id, packagePrice } = await findPackage(customer, 'Standard');
  const changePrice = (price: string) => administrator.put(`/api/pricing/${_id}`, { packagePrice: price });
  await page.goto(`/order-now/${_id}`);
  await fillOrderForm(page);
  try {
    await changePrice('905.50');
    await submitOrder(page).click();
    const question = page.getByRole('dialog', { name: 'The price has changed' });
    await expect(question).toContainText(`$905.50 now; it was $${packagePrice} when`);
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

test('A link from elsewhere to the cancel page asks first, and leads an administrator on to /admin', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/order-cancelled/${order._id}`);
  await expect(page.getByRole('link', { name: 'Keep the order' })).toBeVisible();
  expect(await paymentStatusOf(customer, order._id)).toBe('UnPaid');
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await expectHeard(page, /You have cancelled the payment/);
  expect(await paymentStatusOf(customer, order._id)).toBe('Cancelled');

  const another = await placeOrder(customer);
  const staff = await openAsAdministrator(browser, `/order-cancelled/${another._id}`);
  await staff.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(staff).toHaveURL('/admin');
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
  // The page leads back by itself, unless the focus is on one of its links.
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

for (const { state, told, status, change } of [
  {
    ...{ state: 'delivered', told: 'This order is delivered already', status: 'UnPaid' },
    change: { path: 'order-status', body: { orderStatus: 'Delivered' } },
  },
  {
    ...{ state: 'paid', told: 'This order is paid already', status: 'Paid' },
    change: { path: 'order', body: { paymentStatus: 'Paid' } },
  },
])
  test(`An order that is ${state} meanwhile is not canceled, and its customer is told why`, async ({
    browser,
  }) => {
    const { customer, page } = await openAsCustomer(browser);
    const { _id } = await placeOrder(customer);
    await page.goto('/my-order');
    const cancelLink = page.getByRole('link', { name: /^Cancel order #\d+$/ });
    await expect(cancelLink).toBeVisible();
    const administrator = await signInAdministrator(systemUrl);
    await administrator.put(`/api/${change.path}/${_id}`, change.body);
    await cancelLink.click();
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    await expect(page.getByText(told)).toBeVisible();
    expect(await paymentStatusOf(customer, _id)).toBe(status);
    await page.goto('/my-order');
    await expect(page.locator('tbody tr')).toHaveCount(1);
    await expect(cancelLink).toHaveCount(0);
  });
