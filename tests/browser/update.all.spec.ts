/**
 * A tab stays open while the site is updated. The files of the earlier build are gone (`serving.test.ts`), but what was
 * entered is kept.
 */
import { expect } from 'playwright/test';
import { contextOf, systemUrl, test } from '../support/browser.ts';
import { findPackage } from '../support/orders.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { addQuestion, fillOrderForm, openAsCustomer, toast, unique } from './journey.ts';

test('An administrator whose tab was open during an update loses nothing', async ({ browser }) => {
  const administrator = await signInAdministrator(systemUrl);
  const { _id } = await addQuestion(administrator);
  const context = await contextOf(browser);
  const page = await context.newPage();
  await page.goto(`/faq-edit/${_id}`);
  const answer = page.getByLabel('Answer', { exact: true });
  const typed = unique('Typed before the update');
  await answer.fill(typed);
  await page.route('**/_astro/**', (route) => route.fulfill({ status: 404 }));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'FAQ Item is Updated')).toBeVisible();
  await expect(answer).toHaveValue(typed);
  await administrator.delete(`/api/faq-item/${_id}`);

  // A screen that was still loading says so, and offers to reload.
  for (const [path, script] of [
    ['/admin', /_astro\/overview\.[\w-]+\.js/],
    ['/my-order', /_astro\/customer\.[\w-]+\.js/],
  ] as const) {
    const opened = await context.newPage();
    await opened.route(script, (route) => route.fulfill({ status: 404 }));
    await opened.goto(path);
    await expect(opened.getByText('This page could not be shown')).toBeVisible();
    await opened.unroute(script);
    await opened.getByRole('link', { name: 'Reload' }).click();
    await expect(opened.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(opened.getByText('This page could not be shown')).toBeHidden();
  }
});

test('The browser forgets what was entered in the order form once it is sent or the customer signs out', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  page.on('dialog', (dialog) => void dialog.accept());
  const { _id } = await findPackage(customer, 'Premium');
  const type = async () => {
    await page.goto(`/order-now/${_id}`);
    await fillOrderForm(page);
  };
  const kept = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('typed:')));
  await type();
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL('**/pending-order**');
  expect(await kept()).toEqual([]);

  await type();
  await page.goto('/dashboard');
  expect(await kept()).toHaveLength(1);
  await page.getByRole('button', { name: 'Signout' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  expect(await kept()).toEqual([]);
});
