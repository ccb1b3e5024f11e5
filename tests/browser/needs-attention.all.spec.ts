/** What no automatic step could finish: how it comes up, and how an administrator settles it. */
import { expect, type Locator, type Page } from 'playwright/test';
import type { Order } from '#contract/orders.ts';
import { expectAccessible, settle, systemUrl, test } from '../support/browser.ts';
import { clientSecretFor, confirmCard, intentIdOf, placeOrder } from '../support/orders.ts';
import { database } from '../support/shared-database.ts';
import { newEmail, registerCustomer, signUp } from '../support/visitor.ts';
import { chargeCard, openAsAdministrator, readMailbox, toast, type Customer } from './journey.ts';

/** Opens the list again and again, until as many of its items are there as wanted. */
const openUntil = (page: Page, items: Locator, count: number) =>
  expect
    .poll(async () => {
      await page.goto('/needs-attention');
      await settle(page);
      return items.count();
    })
    .toBe(count);

/** Makes Stripe take a payment for an order that is canceled. @returns the id of the order */
async function payCancelledOrder(customer: Customer): Promise<string> {
  const order = await placeOrder(customer);
  const { _id } = order;
  const clientSecret = await clientSecretFor(customer, order);
  const nameIntent = (id: string) =>
    database.execute({ sql: 'UPDATE orders SET "paymentIntentId" = ? WHERE "_id" = ?', args: [id, _id] });
  await nameIntent('');
  const cancelled = await customer.put(`/api/order-cancelled/${_id}`, { paymentStatus: 'Cancelled' });
  expect(cancelled.status).toBe(200);
  await nameIntent(intentIdOf(clientSecret));
  const { status } = await confirmCard(customer, process.env['STRIPE_URL'] ?? '', clientSecret);
  expect(status).toBe('succeeded');
  return _id;
}

test('An administrator settles a payment that came too late, and sends a mail again', async ({ browser }) => {
  const orderId = await payCancelledOrder(await registerCustomer(systemUrl));
  // This mail was tried for hours. By now its recipient takes mail again.
  const bouncing = `${newEmail('bouncing').split('@')[0] ?? ''}@bounce.invalid`;
  const recovered = newEmail('recovered');
  await signUp(systemUrl, bouncing);
  await expect
    .poll(async () => {
      const { rowsAffected } = await database.execute({
        sql: 'UPDATE mails SET recipient = ?, tries = 12, "dueAt" = NULL WHERE recipient = ? AND failure IS NOT NULL',
        args: [recovered, bouncing],
      });
      return rowsAffected;
    })
    .toBe(1);

  const page = await openAsAdministrator(browser, '/needs-attention');
  const items = page.getByRole('main').getByRole('listitem');
  const refund = items.filter({ has: page.locator(`a[href="/admin/payment-status/${orderId}"]`) });
  await openUntil(page, refund.filter({ hasText: 'It was returned in full' }), 1);
  await expect(refund).toContainText('arrived after the order was cancelled');
  await refund.getByRole('button', { name: 'Mark as done' }).click();
  await expect(toast(page, 'Marked as done')).toBeVisible();
  await expect(refund).toHaveCount(0);

  const mail = items.filter({ hasText: recovered });
  await expect(mail).toContainText('could not be sent after 12 tries');
  await mail.getByRole('button', { name: 'Send again' }).click();
  await expect(toast(page, 'The email is on its way again')).toBeVisible();
  await expect(mail).toHaveCount(0);
  await expect.poll(readMailbox).toContain(recovered);
  await openUntil(page, refund, 0);
  await expect(mail).toHaveCount(0);
});

test('An administrator puts away an email to an address that takes none', async ({ browser }) => {
  const gone = `${newEmail('gone').split('@')[0] ?? ''}@bounce.invalid`;
  await signUp(systemUrl, gone);
  const page = await openAsAdministrator(browser, '/needs-attention');
  const mail = page.getByRole('main').getByRole('listitem').filter({ hasText: gone });
  await openUntil(page, mail.filter({ hasText: 'could not be sent after 1 try' }), 1);
  await mail.getByRole('button', { name: 'Mark as done' }).click();
  await expect(toast(page, 'Marked as done')).toBeVisible();
  await openUntil(page, mail, 0);
});

test('A person who tries the product disputes and refunds payments as in the Stripe dashboard', async ({
  browser,
}) => {
  const customer = await registerCustomer(systemUrl);
  const [disputed, refunded] = [await placeOrder(customer), await placeOrder(customer)];
  for (const order of [disputed, refunded]) await chargeCard(customer, order);

  const page = await openAsAdministrator(browser, '/dev/stripe');
  await expectAccessible(page);
  const payment = (order: Order) =>
    page.getByRole('article').filter({ has: page.locator(`a[href="/admin/payment-status/${order._id}"]`) });
  await payment(refunded).getByLabel('Amount in dollars').fill('100.50');
  await payment(refunded).getByRole('button', { name: 'Refund' }).click();
  await expect(payment(refunded)).toContainText('Refund of $100.50: succeeded');
  await payment(disputed).getByLabel('Reason').selectOption('product not received');
  await payment(disputed).getByRole('button', { name: 'Open a dispute' }).click();
  await expect(payment(disputed)).toContainText('product not received, needs response');
  await payment(disputed).getByRole('button', { name: 'Refund' }).click();
  await expect(page.getByRole('alert')).toContainText('has been charged back; cannot issue a refund');

  const item = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({
      has: page.locator(`a[href="/admin/payment-status/${disputed._id}"]`),
    });
  await openUntil(page, item.filter({ hasText: 'did not get what they paid for' }), 1);
  await expect(item.getByRole('link', { name: 'Open in Stripe' })).toHaveAttribute(
    'href',
    /^https:\/\/dashboard\.stripe\.com\/test\/disputes\/dp_/,
  );
  await expect(item.getByRole('button', { name: 'Mark as done' })).toHaveCount(0);
  await page.goto('/admin');
  await expect(page.getByRole('link', { name: /in dispute/ })).toBeVisible();
  await page.goto(`/total-orders?q=${disputed._id}`);
  await expect(page.getByRole('row').nth(1)).toContainText('In dispute');
  await page.goto(`/admin/payment-status/${disputed._id}`);
  const notice = page.getByRole('note').filter({ hasText: 'Payment in dispute' });
  await expect(notice).toContainText('did not get what they paid for');
  await expect(notice.getByRole('link', { name: 'Open in Stripe' })).toBeVisible();

  await page.goto('/dev/stripe');
  await payment(disputed).getByRole('button', { name: 'Close as lost' }).click();
  await expect(payment(disputed)).toContainText('product not received, lost');
  await page
    .getByRole('button', { name: /^Send again: charge.dispute.closed/ })
    .first()
    .click();
  await openUntil(page, item, 0);
  await page.goto(`/admin/payment-status/${disputed._id}`);
  const history = page.getByRole('listitem');
  await expect(history.filter({ hasText: 'did not get what they paid for' })).toHaveCount(1);
  await expect(history.filter({ hasText: 'lost: the money stays with the customer' })).toHaveCount(1);
  await expect(notice).toHaveCount(0);
});
