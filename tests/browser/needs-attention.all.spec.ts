/** Problems that no automatic step could resolve: how they appear, and how an administrator handles them. */
import { expect, type Locator, type Page } from 'playwright/test';
import { settle, systemUrl, test } from '../support/browser.ts';
import { mailsTo } from '../support/mailbox.ts';
import { clientSecretFor, confirmCard, intentIdOf, placeOrder } from '../support/orders.ts';
import { database } from '../support/shared-database.ts';
import { newEmail, registerCustomer, signUp } from '../support/visitor.ts';
import { openAsAdministrator, toast, type Customer } from './journey.ts';

/** Opens the list repeatedly, until it has the expected number of these items. */
const openUntil = (page: Page, items: Locator, count: number) =>
  expect
    .poll(async () => {
      await page.goto('/needs-attention');
      await settle(page);
      return items.count();
    })
    .toBe(count);

/**
 * Makes Stripe accept a payment for a cancelled order.
 * @returns the id of the order
 */
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

test('An administrator handles a payment that came too late, and sends an email again', async ({
  browser,
}) => {
  const orderId = await payCancelledOrder(await registerCustomer(systemUrl));
  // This email was tried for hours. Its recipient accepts email again now.
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
  await openUntil(page, refund.filter({ hasText: 'We returned it in full' }), 1);
  await expect(refund).toContainText('arrived after the order was cancelled');
  await refund.getByRole('button', { name: 'Mark as done' }).click();
  await expect(toast(page, 'Marked as done')).toBeVisible();
  await expect(refund).toHaveCount(0);

  const mail = items.filter({ hasText: recovered });
  await expect(mail).toContainText('could not be sent after 12 attempts');
  await mail.getByRole('button', { name: 'Send again' }).click();
  await expect(toast(page, 'The email will be sent again')).toBeVisible();
  await expect(mail).toHaveCount(0);
  await mailsTo(systemUrl, recovered);
  await openUntil(page, refund, 0);
  await expect(mail).toHaveCount(0);
});
