/** The admin screens in one walk: orders, messages, subscribers, users and the payment key. */
import { expect } from 'playwright/test';
import { expectAccessible, systemUrl, test } from '../support/browser.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer, Visitor } from '../support/visitor.ts';
import { openAsAdministrator, toast, unfold, unique } from './journey.ts';

test('An administrator updates an order, cancels another, reads and deletes messages, and manages subscribers, users and the payment key', async ({
  browser,
}) => {
  const name = unique('Ann');
  const visitor = new Visitor(systemUrl);
  const customer = await registerCustomer(systemUrl);
  for (let count = 0; count < 2; count += 1) await placeOrder(customer);
  const unwanted = await placeOrder(customer);
  const { number } = await placeOrder(customer, 'Basic', name);
  const subemail = newEmail('subscriber');
  await visitor.post('/api/add-subscriber', { subemail });
  await sendMessage(visitor, { name, message: 'Which package suits two offices?' });

  const page = await openAsAdministrator(browser, '/admin');
  const main = page.getByRole('main');
  const dialog = page.getByRole('dialog');
  await expect(
    main.getByRole('link', { name: /^\$[\d,]+(?!\.00)(\.\d\d)? awaiting payment \(\d+ orders?\)$/ }),
  ).toHaveAttribute('href', '/total-orders?paymentStatus=UnPaid');
  await expect(main.getByRole('link', { name: 'Admin Email' })).toHaveAttribute('href', '/add-user');
  await expect(main.getByRole('link', { name: 'Payment', exact: true })).toHaveAttribute(
    'href',
    /^\/stripe-key\/[0-9a-f-]{36}$/,
  );
  await expect(main.getByRole('link', { name: /^Update Order #\d+$/ })).toHaveCount(3);
  for (const path of ['/setting', '/total-orders', '/all-messages', '/all-subscriber'])
    await expect(main.locator(`a[href="${path}"]`).first()).toBeVisible();

  await main.locator('a[href="/total-orders"]').first().click();
  // Until the search is answered, the list shows its previous count and is dimmed.
  const searched = page.waitForResponse((response) => new URL(response.url()).searchParams.get('q') === name);
  await page.getByLabel('Search').fill(name);
  await searched;
  await expect(page.getByText('1 order found')).toBeVisible();
  await page.getByRole('link', { name: new RegExp(`^Update order .* of ${name}$`) }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order #${number}`);
  await unfold(page, 'Status');
  await page.getByLabel('Payment status').selectOption('Paid');
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(toast(page, 'PaymentStatus is Updated')).toBeVisible();
  await unfold(page, 'What happened');
  await expect(page.getByText('Marked as paid by hand')).toBeVisible();
  await page.getByLabel('Order status').selectOption('Delivered');
  await page.getByRole('button', { name: 'Update' }).last().click();
  await expect(toast(page, 'OrderStatus is Updated')).toBeVisible();
  await page.goto(`/total-orders?q=${encodeURIComponent(`#${number}`)}`);
  await expect(page.getByRole('row', { name })).toContainText('PayPal');

  // Messages from other tests would push this one off the page.
  await page.goto(`/all-messages/?q=${encodeURIComponent(name)}`);
  const unread = page.getByRole('table', { name: 'Unread messages' });
  await expect(unread.getByRole('columnheader')).toHaveText([
    ...['Sl No.', 'Full Name', 'Phone Number', 'Email', 'Subject', 'Message Status', 'View'],
  ]);
  await unread.getByRole('row', { name }).getByRole('link', { name: 'View Message' }).click();
  await expect(page.getByRole('link', { name: 'Reply in your email program' })).toHaveAttribute(
    'href',
    /^mailto:.*subject=Re/,
  );
  await page.getByRole('button', { name: 'Mark Read' }).click();
  await expect(toast(page, 'Message is Read')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark Read' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Message deleted')).toBeVisible();

  await page.goto('/all-subscriber/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Total Subscribers');
  await page.getByRole('button', { name: `Delete ${subemail}` }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, 'Subscriber deleted')).toBeVisible();
  await expect(page.getByText(subemail)).toHaveCount(0);

  const email = newEmail('second');
  const user = page.getByRole('listitem').filter({ hasText: email });
  await page.goto('/add-user');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  // No role is preselected, so nobody becomes an administrator by default.
  const roles = page.getByRole('radiogroup', { name: 'Role' });
  await expect(roles).toContainText('Choose a role.');
  await expect(roles).toBeFocused();
  await page.getByRole('radio', { name: 'Admin' }).check();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toast(page, 'User Is Added')).toBeVisible();
  await expect(user).toContainText('Admin');
  await expectAccessible(page);
  await user.getByRole('button', { name: `Send again to ${email}` }).click();
  await expect(toast(page, 'The invitation is on its way')).toBeVisible();
  await expect(user).toContainText('Invited');
  await user.getByRole('link', { name: 'Update user' }).click();
  await page.getByRole('radio', { name: 'User' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'User is Updated')).toBeVisible();
  await page.getByRole('link', { name: 'Users', exact: true }).first().click();
  await expect(user).toContainText('User');
  await page.getByRole('button', { name: `Remove ${email}` }).click();
  await expect(user).toContainText('was removed');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(user.getByRole('link', { name: 'Update user' })).toBeVisible();

  await page.goto('/add-paypal-Email');
  await page.getByRole('link', { name: 'Edit payment key' }).click();
  const key = page.getByLabel('Publishable key');
  await expect(key).toHaveValue(/^pk_/);
  const current = await key.inputValue();
  await key.fill('sk_live_secret');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(key).toHaveAccessibleDescription(/This is a secret key and must never be typed here\./);
  await expectAccessible(page);
  await key.fill(current);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Stripe Key Updated')).toBeVisible();

  await page.goto(`/order-cancelled/${unwanted._id}`);
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.waitForURL('**/admin');
});
