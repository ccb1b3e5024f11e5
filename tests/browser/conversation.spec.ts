/** Customer and staff talk about an order, in two browsers. */
import { expect, type Page } from 'playwright/test';
import { messagesFragment } from '#contract/conversations.ts';
import { linkTo } from '#contract/screens.ts';
import { expectAccessible, test } from '../support/browser.ts';
import { addFile, openAsAdministrator, openWithPaidOrder, panel, unfold } from './journey.ts';

const talk = (page: Page) => panel(page, 'Messages and files');
const message = (page: Page, text: string) => talk(page).getByRole('listitem').filter({ hasText: text });

test('Customer and staff write, send files, deliver and answer; failures are tried again and lose nothing', async ({
  browser,
}) => {
  const { page, order } = await openWithPaidOrder(browser);
  await page.goto(linkTo('myOrder', order._id));
  await page.getByLabel('Your message').fill('Here is our wording.');
  await page.route('**/api/order/*/files?*', (route) => route.abort());
  await addFile(page, 'Add files', 'wording.txt', 'Plain words');
  await expect(
    page.getByText('We could not reach the site. Check your connection and try again.'),
  ).toBeVisible();
  await page.unroute('**/api/order/*/files?*');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Some files were not uploaded')).toBeFocused();
  await page.getByRole('button', { name: 'Try again to upload wording.txt' }).click();
  await expect(page.getByText('Text, 11 B, ready')).toBeVisible();
  // The same file is not added twice.
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add files' }).click();
  await (await chooser).setFiles(test.info().outputPath('wording.txt'));
  await expect(page.getByText('wording.txt')).toHaveCount(1);
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(message(page, 'Here is our wording.')).toContainText('wording.txt');
  await expect(page.getByLabel('Your message')).toHaveValue('');

  const staff = await openAsAdministrator(browser, linkTo('order', order._id) + messagesFragment);
  await expect(message(staff, 'Here is our wording.')).toBeFocused();
  await expect(message(staff, 'Here is our wording.')).toBeInViewport();
  await expect(message(staff, 'Here is our wording.')).toContainText('New');
  const saved = staff.waitForEvent('download');
  await talk(staff).getByRole('link', { name: 'wording.txt' }).click();
  expect((await saved).suggestedFilename()).toBe('wording.txt');
  const status = panel(staff, 'Update order status');
  await unfold(staff, 'Status');
  await status.getByLabel('Order status').selectOption('Delivered');
  await status.getByLabel('Note to the customer').fill('Twelve pages, as agreed.');
  await addFile(status, 'Add files to the delivery', 'report.txt', 'Report');
  await expect(status.getByText('Text, 6 B, ready')).toBeVisible();
  await status.getByRole('button', { name: 'Update' }).click();
  await expect(staff.getByText('OrderStatus is Updated')).toBeVisible();
  await expectAccessible(staff);

  await page.reload();
  const delivery = panel(page, 'Delivered');
  await expect(delivery).toContainText('Twelve pages, as agreed.');
  await expect(delivery.getByRole('link', { name: 'report.txt' })).toBeVisible();
  await page.getByLabel('Your message').fill('Where is page four?');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(message(page, 'Where is page four?')).toBeVisible();
  await delivery.getByRole('button', { name: 'Something is missing' }).click();
  await expect(page.getByLabel('What is missing?')).toBeFocused();
  await page.getByLabel('What is missing?').fill('Page five.');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(message(page, 'Page five.')).toContainText('Something is missing');

  await staff.reload();
  await expect(staff.getByText('The customer says that something is missing: see below.')).toBeVisible();
  await staff.getByLabel('Your message').fill('Here it is.');
  await staff.getByRole('button', { name: 'Send message' }).click();
  await expect(message(staff, 'Here it is.')).toBeVisible();

  // The dashboard links to the new message until it is read.
  await page.goto(linkTo('dashboard'));
  const glance = page.getByRole('article').filter({ hasText: '1 new message' });
  await glance.getByRole('link', { name: 'Basic package' }).click();
  await expect(message(page, 'Here it is.')).toContainText('New');
  await page.goto(linkTo('dashboard'));
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByText('1 new message')).toHaveCount(0);
});
