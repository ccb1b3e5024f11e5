/** A customer's own screens: dashboard, lists, an order and its cancellation. */
import { expect } from 'playwright/test';
import { expectHeard, systemUrl, test } from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { registerCustomer } from '../support/visitor.ts';
import { openAsCustomer, paymentStatusOf } from './journey.ts';

test("A customer finds their orders on the dashboard, cancels one and signs out; a stranger's order is not shown", async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const main = page.getByRole('main');
  const rows = page.locator('tbody tr');
  // An order that was placed for this email may wait for verification, whatever else the lists show.
  const verifyFirst = page.getByRole('note').filter({ hasText: `emailed to ${customer.email}` });
  await page.goto('/pending-order');
  await expect(page.getByText('No pending orders')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Pending Orders');
  await expect(verifyFirst).toContainText('Verify your email');
  await page.goto('/dashboard');
  await expect(verifyFirst.getByRole('button', { name: 'Send a new link' })).toBeVisible();
  await expect(page.getByText('No orders yet')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Total Spent' })).toHaveAttribute('href', '/');
  await expect(main.getByRole('link', { name: 'Support' })).toHaveAttribute('href', '/contact');

  const strangers = await placeOrder(await registerCustomer(systemUrl));
  const placed: string[] = [];
  for (let count = 0; count < 6; count += 1) placed.unshift((await placeOrder(customer))._id);
  const [newest = ''] = placed;
  await page.reload();
  await expect(main.getByRole('article').first().locator('ol li')).toHaveText([
    /^Ordered/,
    /^Payment/,
    /^Delivery/,
  ]);
  await main.locator('section').getByRole('link', { name: 'My Orders' }).click();
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['Sl No.', 'Order Date', 'Your Name', 'Order Status', 'Progress', 'Payment Status'],
  ]);
  await expect(rows).toHaveCount(5);
  await expect(verifyFirst).toBeVisible();
  await expect(rows.first().getByRole('link', { name: 'Pay Now' })).toHaveAttribute(
    'href',
    `/pay-now/${newest}`,
  );
  await expect(rows.first()).toContainText(/\w+ package, \$[\d,.]+/);
  await page.getByRole('button', { name: 'Next', exact: true }).press('Enter');
  await expect(rows).toHaveCount(1);
  await expect(rows.first().getByRole('cell').first()).toHaveText('6');
  await page.getByRole('button', { name: 'Previous', exact: true }).click();
  await expect(rows).toHaveCount(5);
  await rows.first().getByText('Awaiting payment').click();
  await expect(page).toHaveURL(`/order/${newest}`);
  await expect(main.locator('ol li')).toHaveText([/^Order placed/, /^Waiting for your payment/, /^Delivery/]);

  await page.goto('/pending-order');
  await expect(page.getByRole('columnheader')).toHaveText([
    ...['Date', 'Your Name', 'Amount', 'Order Status', 'Progress', 'Payment Status'],
  ]);
  await page.goto('/my-order');
  await page.route('**/api/order-cancelled/*', (route) => route.abort());
  const logged = page.waitForEvent('console', (entry) => entry.text() === 'Payment update failed.');
  await page
    .getByRole('link', { name: /^Cancel order #\d+$/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await logged;
  await expect(page.getByRole('alert')).toContainText('The order has not been cancelled.');
  await page.unroute('**/api/order-cancelled/*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectHeard(page, /You have cancelled the payment/);
  expect(await paymentStatusOf(customer, newest)).toBe('Cancelled');
  await expect(page).toHaveURL('/my-order');
  await expect(page.getByText('You Have Cancelled')).toBeVisible();
  await page.goto(`/order-cancelled/${newest}`);
  await expect(page.getByText('This order is already cancelled')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your order');

  await page.goto(`/order/${strangers._id}`);
  await expect(page.getByText('Verify your email first: open')).toBeVisible();
  await page.goto('/dashboard');
  await main.getByRole('button', { name: 'Signout' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login\?next=/);
});
