/** What customers meet outside the usual path: a changed price, a second order, a cancellation that fails. */
import { expect, type Page } from 'playwright/test';
import { systemUrl, test } from '../support/browser.ts';
import { findPackage, placeOrder } from '../support/orders.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { cards, fillOrderForm, openAsCustomer, payButton, paymentStatusOf, typeCard } from './journey.ts';

const submitOrder = (page: Page) => page.getByRole('button', { name: 'Place Order' });

test('The order form names what is missing, keeps what was entered, and places one order however often the button is pressed', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await findPackage(customer, 'Premium');
  await page.goto(`/order-now/${_id}`);
  await submitOrder(page).click();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByText('Please enter your address').first()).toBeVisible();
  // The site's setting says where most customers are.
  await expect(page.getByLabel('Country')).toHaveValue('United States');
  await fillOrderForm(page);

  await page.route('**/api/new-order', async (route) => {
    await route.fetch({ maxRetries: 3 });
    await route.abort();
  });
  // On a phone, the button is far below the top of the page. The message appears at the button.
  await page.setViewportSize({ width: 360, height: 640 });
  await submitOrder(page).click();
  await expect(page.getByRole('alert')).toContainText('what you typed is still here');
  await expect(page.getByRole('alert')).toBeInViewport();
  await page.unroute('**/api/new-order');
  await expect(page.getByLabel('Name')).toHaveValue('Ada Broker');
  await submitOrder(page).dblclick();
  await expect(page).toHaveURL('/pending-order');
  await expect(page.locator('tbody tr')).toHaveCount(1);
});

test('A customer with an open order for the package is offered that order, and may still place a second one', async ({
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

test('A changed price is shown, and the customer must agree before ordering', async ({ browser }) => {
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
    await administrator.post('/api/add-coupon', { code: 'TENTH', percentOff: 10 });
    await page.getByText('Coupon code').first().click();
    await page.getByLabel('Coupon code').fill('TENTH');
    await submitOrder(page).click();
    await question.getByRole('button', { name: 'Order for $815.40' }).click();
    await expect(page).toHaveURL('/pending-order');
    await expect(page.getByRole('cell', { name: '815.40 USD' })).toBeVisible();
  } finally {
    await changePrice(packagePrice);
  }
});

test('An order that was cancelled elsewhere leaves the list of pending orders below its payment', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await findPackage(customer, 'Premium');
  await page.goto(`/order-now/${_id}`);
  await fillOrderForm(page);
  await submitOrder(page).click();
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await typeCard(page, cards.good);
  const [order] = (await customer.get('/api/orders')).json as readonly { _id: string }[];
  const administrator = await signInAdministrator(systemUrl);
  await administrator.put(`/api/order-cancelled/${order?._id}`, {});
  await payButton(page).click();
  await expect(page.getByText('This order was cancelled')).toBeVisible();
  await expect(page.locator('tbody tr')).toHaveCount(0);
});

test('An order that was paid in the meantime is not cancelled, and its customer reads why', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await placeOrder(customer);
  await page.goto(`/pay-now/${_id}`);
  const cancelLink = page.getByRole('link', { name: 'Cancel this order' });
  await expect(cancelLink).toBeVisible();
  const administrator = await signInAdministrator(systemUrl);
  await administrator.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  await cancelLink.click();
  await expect(page.getByText('This order is already paid')).toBeVisible();
  expect(await paymentStatusOf(customer, _id)).toBe('Paid');
  await page.goto('/my-order');
  await expect(page.locator('tbody tr')).toHaveCount(1);
  await expect(page.getByRole('link', { name: /^Cancel order #\d+$/ })).toHaveCount(0);
});
