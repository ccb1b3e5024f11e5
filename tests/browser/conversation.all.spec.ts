/** Two people work on one order at the same time. A note that comes too late is kept, and says why it was not sent. */
import { expect, type Browser } from 'playwright/test';
import { linkTo } from '#contract/screens.ts';
import type { OrderWork } from '#contract/plans.calls.ts';
import { expectAccessible, test } from '../support/browser.ts';
import { addFile, comeBack, openAsAdministrator, openWithPaidOrder, panel, unfold } from './journey.ts';

/** A paid order on the screen of one administrator. A colleague works on it through the API. */
async function openTogether(browser: Browser) {
  const { customer, order, administrator: colleague } = await openWithPaidOrder(browser);
  const staff = await openAsAdministrator(browser, linkTo('order', order._id));
  const setStatus = (orderStatus: string) => colleague.put(`/api/order-status/${order._id}`, { orderStatus });
  const plan = panel(staff, 'Plan').getByRole('listitem').first();
  const status = panel(staff, 'Update order status');
  return {
    order,
    customer,
    colleague,
    staff,
    setStatus,
    /** The forms that take a note, each with its button. */
    forms: [
      {
        form: plan,
        press: plan.getByRole('button', { name: 'Mark as done' }),
        open: () => unfold(plan, 'Mark as done'),
        heading: panel(staff, 'Plan').locator('h2'),
        call: '**/api/order-step/*',
      },
      {
        form: status,
        press: status.getByRole('button', { name: 'Update' }),
        open: async () => {
          await unfold(staff, 'Status');
          await status.getByLabel('Order status').selectOption('Delivered');
        },
        heading: status.locator('h2'),
        call: '**/api/order-status/*',
      },
    ],
  };
}

test('A note for a delivery or a step is kept if a colleague acts first, and says why it was not sent', async ({
  browser,
}) => {
  const { order, colleague, staff, setStatus, forms } = await openTogether(browser);
  const { steps } = (await colleague.get(`/api/order/${order._id}/work`)).json as OrderWork;
  const later = panel(staff, 'Plan').getByRole('listitem').nth(1);
  await unfold(later, 'Open');
  await unfold(later, 'Mark as done');
  await later.getByLabel('Note to the customer').fill('All pages are read.');
  for (const { form, press, open, heading, call } of forms) {
    await open();
    await form.getByLabel('Note to the customer').fill('Twelve pages.');
    if (call.includes('step'))
      await colleague.put(`/api/order-step/${steps[0]?._id ?? ''}`, { state: 'done', note: 'By me.' });
    else await setStatus('Delivered');
    await press.click();
    await expect(form.getByText(/^Your note was not sent/)).toBeVisible();
    await expect(form.getByLabel('Note to the customer')).toHaveValue('Twelve pages.');
    await form.getByRole('button', { name: 'Discard text' }).click();
    await expect(heading).toBeFocused();
    await expect(form.getByLabel('Note to the customer')).toHaveCount(0);
  }
  // The step that was opened before the delivery also says so.
  await expect(later.getByText(/^Your note was not sent: .+/)).toBeVisible();
  await expect(later.getByLabel('Note to the customer')).toHaveValue('All pages are read.');
});

test('Text that a customer has begun survives a failed call, a delivery and a reload', async ({
  browser,
}) => {
  const { page, order, administrator } = await openWithPaidOrder(browser);
  const text = page.getByLabel('Your message');
  const talk = panel(page, 'Messages and files');
  const delivery = panel(page, 'Delivered');
  const setStatus = async (orderStatus: string) => {
    await administrator.put(`/api/order-status/${order._id}`, { orderStatus });
    await comeBack(page);
  };
  await page.goto(linkTo('myOrder', order._id));
  await text.fill('Here is our wording.');

  // An upload without progress can be stopped.
  await page.route('**/api/order/*/files?*', () => undefined);
  await addFile(page, 'Add files', 'stalled.txt');
  await page.getByRole('button', { name: 'Cancel the upload of stalled.txt' }).click();
  await expect(page.getByText('stalled.txt')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add files' })).toBeFocused();
  await page.unroute('**/api/order/*/files?*');

  const messages = '**/api/order/*/messages';
  await page.route(messages, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(talk.getByRole('alert')).toContainText('Please try again');
  await expect(text).toHaveValue('Here is our wording.');
  await page.unroute(messages);
  // Text that is typed while a message is being sent is kept for the next message.
  await page.route(messages, async (route) => {
    if (route.request().method() === 'POST') await text.fill('Half a thought');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(talk.getByRole('listitem').filter({ hasText: 'Here is our wording.' })).toBeVisible();
  await expect(text).toHaveValue('Half a thought');
  await page.unroute(messages);

  await setStatus('Delivered');
  await expect(delivery).toBeVisible();
  await expect(text).toHaveValue('Half a thought');
  await expectAccessible(page);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(text).toHaveValue('Half a thought');
  await delivery.getByRole('button', { name: 'Something is missing' }).click();
  const missing = page.getByLabel('What is missing?');
  await expect(missing).toHaveValue('Half a thought');
  await missing.fill('Page five.');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Messages and files' })).toBeFocused();
  await delivery.getByRole('button', { name: 'Something is missing' }).click();

  // The order is reopened and accepts the same text as a message. The page learns this from the response to its report,
  // not from its own read shortly before.
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.route('**/api/order/*', (route) => sent.then(() => route.continue()));
  await administrator.put(`/api/order-status/${order._id}`, { orderStatus: 'Pending' });
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(delivery).toHaveCount(0);
  await expect(text).toHaveValue('Page five.');
  await page.unroute('**/api/order/*');
  await setStatus('Delivered');
  await delivery.getByRole('button', { name: 'Something is missing' }).click();
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(talk.getByRole('listitem').filter({ hasText: 'Page five.' })).toContainText(
    'Something is missing',
  );
});
