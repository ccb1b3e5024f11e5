/** Administrators at work: orders, messages, subscribers and publications, on every kind of window. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'playwright/test';
import { contextOf, openAsAdministrator, systemUrl } from '../support/browser.ts';
import { clientSecretFor, confirmCard, intentIdOf, placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer, signInAdministrator, Visitor } from '../support/visitor.ts';

const toast = (text: string) => ({ hasText: text });

interface Listed {
  readonly _id: string;
  readonly [field: string]: string;
}

async function firstOf(visitor: Visitor, path: string): Promise<Listed> {
  const [first] = (await visitor.get(`/api${path}`)).json as readonly Listed[];
  if (!first) throw new Error(`${path} lists nothing.`);
  return first;
}

async function sendMessage(name: string): Promise<void> {
  const answer = await new Visitor(systemUrl).post('/api/add-message', {
    name,
    email: newEmail(),
    number: '+1 312 555 0100',
    subject: `Question of ${name}`,
    message: 'Which package suits two offices?',
    messageStatus: 'UnRead',
  });
  expect(answer.status, answer.text).toBe(201);
}

const someName = () => `Ann ${randomUUID().slice(0, 8)}`;

test('An administrator finds an order and updates its payment and its work', async ({ browser }) => {
  const name = someName();
  await placeOrder(await registerCustomer(systemUrl), 'Basic', name);
  const page = await openAsAdministrator(browser, '/total-orders');
  await page.getByLabel('Search').fill(name);
  await expect(page.getByText('1 order found')).toBeVisible();
  await expect(page.getByRole('row', { name })).not.toContainText('PayPal');
  await page.getByRole('link', { name: `Update the order of ${name}` }).click();

  await page.getByLabel('Payment status').selectOption('Paid');
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(page.getByRole('alert').filter(toast('PaymentStatus is Updated'))).toBeVisible();
  await expect(page.getByText('Set to Paid by hand')).toBeVisible();

  await page.getByLabel('Order status').selectOption('Delivered');
  await page.getByRole('button', { name: 'Update' }).last().click();
  await expect(page.getByRole('alert').filter(toast('OrderStatus is Updated'))).toBeVisible();

  await page.goto('/total-orders');
  await page.getByLabel('Search').fill(name);
  await expect(page.getByRole('row', { name })).toContainText('PayPal');
  await page.goto('/admin');
  await expect(page.getByText(/^\$\d+\.\d\d$/)).not.toHaveText('$0.00');
  await page.context().close();
});

test('An order offers an administrator only what can be done, and says why the rest cannot', async ({
  browser,
}) => {
  const customer = await registerCustomer(systemUrl);
  const [cancelled, paid] = [await placeOrder(customer), await placeOrder(customer)];
  await customer.put(`/api/order-cancelled/${cancelled._id}`, {});
  const secret = await clientSecretFor(customer, paid);
  await confirmCard(customer, process.env['STRIPE_URL'] ?? '', secret);
  await customer.put(`/api/order/${paid._id}`, { paymentStatus: 'Paid' });

  const page = await openAsAdministrator(browser, `/admin/payment-status/${cancelled._id}`);
  await expect(page.getByText('This order was cancelled and stays cancelled.')).toBeVisible();
  await expect(page.getByText('This order was cancelled, so there is nothing to deliver.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0);

  await page.goto(`/admin/payment-status/${paid._id}`);
  await page.getByLabel('Payment status').selectOption('UnPaid');
  await page.getByRole('button', { name: 'Update' }).first().click();
  const refusal = page.getByRole('alert');
  await expect(refusal).toContainText('This order was paid by card through Stripe, so it stays Paid.');
  await expect(refusal).not.toContainText('Conflict');
  await expect(refusal.getByRole('link')).toHaveAttribute(
    'href',
    `https://dashboard.stripe.com/payments/${intentIdOf(secret)}`,
  );
  await page.context().close();
});

test('The panel leads to everything the specification names', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/admin');
  const main = page.getByRole('main');
  for (const path of ['/setting', '/total-orders', '/all-messages', '/all-subscriber'])
    await expect(main.locator(`a[href="${path}"]`).first()).toBeVisible();
  await expect(main.getByRole('link', { name: 'Admin Email' })).toHaveAttribute('href', '/add-user');
  await expect(main.getByRole('link', { name: 'Payment', exact: true })).toHaveAttribute(
    'href',
    /^\/stripe-key\/[0-9a-f-]{36}$/,
  );
  await page.context().close();
});

test('An administrator reads a message and marks it read', async ({ browser }) => {
  const name = someName();
  await sendMessage(name);
  const page = await openAsAdministrator(browser, '/all-messages/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Admin Panel');
  const unread = page.getByRole('table', { name: 'Unread Messages' });
  await expect(unread.getByRole('columnheader')).toHaveText([
    'Sl No.',
    'Full Name',
    'Phone Number',
    'Email',
    'Subject',
    'Message Status',
    'View',
  ]);
  await unread.getByRole('row', { name }).getByRole('link', { name: 'View Message' }).click();
  await expect(page.getByRole('link', { name: 'Reply by mail' })).toHaveAttribute('href', /^mailto:/);
  await page.getByRole('button', { name: 'Mark Read' }).click();
  await expect(page.getByRole('alert').filter(toast('Message is Read'))).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark Read' })).toHaveCount(0);
  await page.context().close();
});

test('An administrator takes a subscriber off the list', async ({ browser }) => {
  const subemail = newEmail('subscriber');
  await new Visitor(systemUrl).post('/api/add-subscriber', { subemail });
  const page = await openAsAdministrator(browser, '/all-subscriber/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Total Subscribers');
  await page.getByRole('button', { name: `Delete ${subemail}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert').filter(toast('Subscriber is Removed'))).toBeVisible();
  await expect(page.getByText(subemail)).toHaveCount(0);
  await page.context().close();
});

test('An administrator sees what was published, and goes back to an earlier version', async ({ browser }) => {
  const visitor = await signInAdministrator(systemUrl);
  const record = await firstOf(visitor, '/actions');
  const [wanted, unwanted] = [`Wanted ${randomUUID()}`, `Unwanted ${randomUUID()}`];
  const path = `/api/update-actions/${record._id}`;
  const { headers } = await visitor.put(path, { heading: wanted });
  await visitor.put(path, { heading: unwanted });
  const revision = headers.get('X-Content-Revision') ?? '';

  const page = await openAsAdministrator(browser, '/publications');
  await page.getByText(`Call to action changed: ${unwanted}`).click();
  await expect(page.locator('ins', { hasText: unwanted.slice(-12) })).toBeVisible();
  await page
    .getByRole('button', { name: `Go back to this version: revision ${revision}`, exact: true })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
  await expect(
    page.getByRole('alert').filter(toast(`The content of revision ${revision} is back`)),
  ).toBeVisible();
  expect((await firstOf(visitor, '/actions'))['heading']).toBe(wanted);
  await page.context().close();
});

test('Whoever is no administrator sees only the way in', async ({ browser }) => {
  const anonymous = await browser.newPage({ baseURL: systemUrl });
  await anonymous.goto('/add-user');
  await expect(anonymous.getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    `/login?next=${encodeURIComponent('/add-user')}`,
  );
  await expect(anonymous.getByLabel('Email')).toHaveCount(0);
  await anonymous.goto('/setting');
  await expect(anonymous).toHaveURL(/\/login\?next=%2Fsetting$/);
  await anonymous.close();

  const context = await contextOf(browser, await registerCustomer(systemUrl));
  const customer = await context.newPage();
  const answer = await customer.goto('/setting');
  expect(answer?.status()).toBe(403);
  await expect(customer.getByText("You don't have any permission")).toBeVisible();
  await customer.goto('/add-paypal-Email');
  await expect(customer.getByText("You don't have any permission")).toBeVisible();
  await context.close();
});
