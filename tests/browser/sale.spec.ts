/** A sale: from an anonymous visitor to an order that is Paid because Stripe said so. */
import { expect, type Locator } from 'playwright/test';
import { expectAccessible, listen, test, watchComplaints } from '../support/browser.ts';
import { makeOld } from '../support/old-browser.ts';
import { placeOrder } from '../support/orders.ts';
import { newEmail } from '../support/visitor.ts';
import {
  alerts,
  bankQuestion,
  cards,
  expectCharged,
  fillOrderForm,
  giveWallet,
  hold,
  leaveForDashboard,
  openAsCustomer,
  payButton,
  payByWallet,
  paymentStatusOf,
  payWith,
  walletButton,
  walletSheet,
} from './journey.ts';

/** Expects that the main button of a screen is visible without scrolling, and large enough for a thumb. */
async function expectInReach(button: Locator): Promise<void> {
  await expect(button).toBeInViewport({ ratio: 1 });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
}

test('A stranger with a phone and the oldest browser orders, signs up with the order, has a card declined and pays with another', async ({
  context,
  page,
}) => {
  await makeOld(context);
  const email = newEmail('stranger');
  const complaints = watchComplaints(page);
  await page.setViewportSize({ width: 360, height: 640 });
  await listen(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Order Premium' }).click();

  await expect(page).toHaveURL(/\/order-now\//);
  await expect(page.getByRole('heading', { level: 1, name: 'Order the Premium package' })).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a visitor password');
  await fillOrderForm(page);
  const place = page.getByRole('button', { name: 'Place Order' });
  await expectInReach(place);
  await place.click();

  // The new order can be paid on this page.
  await expect(page).toHaveURL('/pending-order');
  await expect(page.getByRole('heading', { name: 'Pay for your order' })).toBeInViewport();
  await expect(page.getByText(/^#\d+, Premium package/)).toBeVisible();
  await expect(payButton(page)).toHaveText(/^Pay Now [\d.]+\$$/);
  await expect(payButton(page)).toBeEnabled();
  await expect(page.getByText('You are buying from Tallymark Search LLC, 218 Ledger Street')).toBeVisible();
  await expect(page.getByRole('link', { name: 'refund policy' })).toHaveAttribute('href', '/refunds');
  await expectAccessible(page);
  // After a reload, the payment is still in place.
  await page.reload();
  await expect(payButton(page)).toBeEnabled();
  await payWith(page, cards.declined);
  await expect(alerts(page)).toHaveText('Your card was declined.');
  await payWith(page, cards.good);
  await expectCharged(page);
  const main = page.getByRole('main');
  await expect(main.getByRole('term').filter({ hasText: 'Order' })).toBeVisible();
  await expect(main.getByRole('definition').filter({ hasText: /^#\d+$/ })).toBeVisible();
  await expect(main.getByRole('link', { name: 'Answer our questions' })).toBeVisible();
  await expect(main.getByRole('link', { name: 'See your receipt' })).toBeVisible();
  await page.getByRole('button', { name: 'Stay on this page' }).click();
  await expectAccessible(page);
  await main.getByRole('link', { name: 'Go to your dashboard' }).click();

  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome to User Dashboard' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Answer our questions' })).toBeVisible();
  const totalSpent = page.locator('section').filter({ has: page.getByRole('link', { name: 'Total Spent' }) });
  await expect(totalSpent).not.toContainText(/\$0(?!\.)/);
  await page.goto('/my-order');
  await expect(page.getByText('You Have Paid')).toBeVisible();
  // Stripe's frame logs nothing itself. A declined card is a response with an error status.
  expect(complaints).toEqual([]);
});

test('A customer pays by wallet after a canceled sheet and a decline, and pays a second order after the bank has asked twice', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  await giveWallet(page);
  const order = await placeOrder(customer);
  const showWallet = await hold(page, '**/frames/wallet?*');
  await page.goto(`/pay-now/${order._id}`);
  await expect(payButton(page)).toBeEnabled();
  const cardField = page.getByRole('group', { name: 'Card' });
  const before = await cardField.boundingBox();
  showWallet();
  await expect(walletButton(page)).toBeVisible();
  await expect(page.getByText('Or pay by card')).toBeVisible();
  expect(await cardField.boundingBox()).toEqual(before);
  await walletButton(page).click();
  await walletSheet(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(payButton(page)).toBeEnabled();
  await expect(alerts(page)).toHaveCount(0);
  await payByWallet(page, 'Visa 0002, is declined');
  await expect(alerts(page)).toHaveText('Your card was declined.');
  await expect(page.getByText('Your card was not charged.')).toBeVisible();
  expect(await paymentStatusOf(customer, order._id)).toBe('UnPaid');
  await payByWallet(page, 'Visa 3184, the bank asks');
  await expect(payButton(page)).toBeDisabled();
  await bankQuestion(page).getByRole('button', { name: 'Complete' }).click();
  await leaveForDashboard(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');

  const second = await placeOrder(customer);
  await page.goto(`/pay-now/${second._id}`);
  await payWith(page, cards.challenged);
  await bankQuestion(page).getByRole('button', { name: 'Fail' }).click();
  await expect(alerts(page)).toContainText('We are unable to authenticate your payment method.');
  expect(await paymentStatusOf(customer, second._id)).toBe('UnPaid');
  await payButton(page).click();
  await bankQuestion(page).getByRole('button', { name: 'Complete' }).click();
  await expect.poll(() => paymentStatusOf(customer, second._id)).toBe('Paid');
});
