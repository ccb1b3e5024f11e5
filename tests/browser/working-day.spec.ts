/** A day at the firm: a new order appears by itself, is found by its number, and is delivered by one action. */
import { expect } from 'playwright/test';
import { linkTo } from '#contract/screens.ts';
import { expectAccessible, openAsAdministrator, systemUrl, test } from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';

/** How long one look may take before the next one drops its answer, in ms. */
const lookAfterMs = 10_000;

test.use({ baseURL: systemUrl });

test('A new order appears by itself, is found from any screen, and is delivered with a note', async ({
  browser,
}) => {
  const [customer, staff] = await Promise.all([registerCustomer(systemUrl), signInAdministrator(systemUrl)]);
  const page = await openAsAdministrator(browser, linkTo('orders'));
  await page.getByRole('button', { name: 'To deliver' }).click();
  await expect(page).toHaveURL(/paymentStatus=Paid&orderStatus=Pending/);
  await expect(page.getByRole('button', { name: 'To deliver' })).toHaveAttribute('aria-pressed', 'true');
  const { _id, number } = await placeOrder(customer, 'Basic', 'Maria Lopez');
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  const row = page.getByRole('row').filter({ hasText: `#${number}` });
  await expect(async () => {
    // As when somebody comes back to the tab, sooner than the next half a minute.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(row).toBeVisible({ timeout: lookAfterMs });
  }).toPass();
  await expect(row).toContainText(/just now|minutes? ago/);
  await expect(page.getByRole('link', { name: 'Orders', exact: true })).toHaveAccessibleDescription(
    /^\d+\+? to deliver$/,
  );

  await page.goto(linkTo('subscribers'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // As on a tablet, or at twice the size of the text: the navigation is folded away.
  await page.setViewportSize({ width: 720, height: 800 });
  await page.keyboard.press('Control+k');
  const finder = page.getByRole('dialog', { name: 'Find anything' });
  const field = finder.getByRole('combobox');
  await expect(field).toBeFocused();
  await field.fill('rel');
  await expect(finder.getByRole('option', { name: /Releases/ })).toBeVisible();
  await field.fill(`#${number}`);
  await expect(finder.getByRole('option', { name: new RegExp(`#${number} Maria Lopez`) })).toBeVisible();
  await expectAccessible(page);
  await field.press('Enter');

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order #${number}`);
  await expect(page.getByText('In progress', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Mark delivered and tell Maria' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mark delivered and tell Maria' });
  await dialog.getByLabel('Note to the customer').fill('Your pages are live.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Mark delivered' }).click();
  await expect(
    page.getByRole('heading', { level: 1 }).locator('..').getByText('Delivered', { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark delivered and tell Maria' })).toHaveCount(0);
  const { delivery } = (await customer.get(`/api/order/${_id}/messages`)).json as {
    readonly delivery: { readonly text: string };
  };
  expect(delivery.text).toBe('Your pages are live.');
});

test('Whoever is signed out meanwhile is told on the screen that is open, and goes on after logging in again', async ({
  browser,
}) => {
  const page = await openAsAdministrator(browser, linkTo('orders'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const notice = page.getByRole('alert').filter({ hasText: 'You have been signed out' });
  const cookies = await page.context().cookies();
  /** As when somebody comes back to the tab; an answer that is on its way already may tell of the time before. */
  const comeBackUntil = (seen: () => Promise<void>) =>
    expect(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await seen();
    }).toPass();
  await page.context().clearCookies();
  const logIn = notice.getByRole('link', { name: 'Log in (new tab)' });
  await comeBackUntil(() => expect(logIn).toBeVisible({ timeout: lookAfterMs }));
  await page.context().addCookies(cookies);
  await comeBackUntil(() => expect(notice).toBeHidden({ timeout: lookAfterMs }));
  await page.context().close();
});
