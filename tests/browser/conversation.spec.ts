/** What the two sides of an order say to each other, in two browsers. */
import { writeFile } from 'node:fs/promises';
import { expect, type Browser, type Page } from 'playwright/test';
import type { OrderEvent } from '#contract/orders.ts';
import type { OrderWork, PlanStep } from '#contract/work.ts';
import { linkTo } from '#contract/screens.ts';
import { expectAccessible, openAsAdministrator, systemUrl, test } from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { openAsCustomer } from './checkout.ts';

test.use({ baseURL: systemUrl });

const talk = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Messages and files' }) });
const message = (page: Page, text: string) => talk(page).getByRole('listitem').filter({ hasText: text });
const addFile = async (page: Page, label: string, name: string, content: string) => {
  const path = test.info().outputPath(name);
  await writeFile(path, content);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: label }).click();
  await (await chooser).setFiles(path);
};

/** A paid order on the screen of one of the staff, and a colleague who works on it elsewhere. */
async function openTogether(browser: Browser) {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.close();
  const colleague = await signInAdministrator(systemUrl);
  await colleague.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });
  const staff = await openAsAdministrator(browser, linkTo('order', order._id));
  const comeBack = () => staff.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const setStatus = (orderStatus: string) => colleague.put(`/api/order-status/${order._id}`, { orderStatus });
  const panel = (title: string) =>
    staff.locator('section', { has: staff.getByText(title, { exact: true }).and(staff.locator('h2')) });
  const forms = {
    plan: panel('Plan').getByRole('listitem').first(),
    panel: panel('Update order status'),
    dialog: staff.getByRole('dialog'),
  };
  return {
    order,
    customer,
    colleague,
    staff,
    comeBack,
    setStatus,
    panel,
    /** The forms that take a note, each with its button. */
    forms: [
      {
        form: forms.plan,
        press: forms.plan.getByRole('button', { name: 'Mark as done' }),
        open: () => forms.plan.getByText('Tick off').click(),
        heading: panel('Plan').locator('h2'),
        call: '**/api/order-step/*',
      },
      {
        form: forms.panel,
        press: forms.panel.getByRole('button', { name: 'Update' }),
        open: () => forms.panel.getByLabel('Order status').selectOption('Delivered'),
        heading: panel('Update order status').locator('h2'),
        call: '**/api/order-status/*',
      },
      {
        form: forms.dialog,
        press: forms.dialog.getByRole('button', { name: 'Mark delivered' }),
        open: async () => {
          // Delivered by the form before.
          await setStatus('Pending');
          await comeBack();
          await staff.getByRole('button', { name: /^Mark delivered and tell/ }).click();
        },
        heading: staff.getByRole('heading', { level: 1 }),
        call: '**/api/order-status/*',
      },
    ],
  };
}

test('What staff typed for a delivery or a step stays when a colleague was faster, and says why it was not sent', async ({
  browser,
}) => {
  const { order, colleague, staff, setStatus, panel, forms } = await openTogether(browser);
  const { steps } = (await colleague.get(`/api/order/${order._id}/work`)).json as OrderWork;
  const later = panel('Plan').getByRole('listitem').nth(1);
  await later.getByText('Tick off').click();
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
    await expectAccessible(staff);
    await form.getByRole('button', { name: 'Discard it' }).click();
    await expect(heading).toBeFocused();
    await expect(form.getByLabel('Note to the customer')).toHaveCount(0);
  }
  // The step that was begun before the delivery says so, too.
  await expect(later.getByText(/^Your note was not sent: .+/)).toBeVisible();
  await expect(later.getByLabel('Note to the customer')).toHaveValue('All pages are read.');
  await staff.close();
});

test('What staff typed for a step stays when its customer asks for a change meanwhile, and goes once they have read that', async ({
  browser,
}) => {
  const { order, colleague, customer, staff, panel } = await openTogether(browser);
  const { steps } = (await colleague.get(`/api/order/${order._id}/work`)).json as OrderWork;
  const asked = steps.find(({ wantsApproval }) => wantsApproval);
  const step = panel('Plan')
    .getByRole('listitem')
    .filter({ hasText: asked?.title ?? '' });
  await step.getByText('Tick off').click();
  await step.getByLabel('Note to the customer').fill('Two drafts.');
  const path = `/api/order-step/${asked?._id ?? ''}`;
  const { doneAt } = (await colleague.put(path, { state: 'done' })).json as PlanStep;
  await customer.put(`${path}/answer`, { isApproved: false, request: 'Our rate is 6.1%.', doneAt });
  const press = step.getByRole('button', { name: 'Ask for approval' });
  await press.click();
  await expect(step.getByText(/asked for a change since you saw this step/)).toBeVisible();
  await expect(step.getByText('Our rate is 6.1%.')).toBeVisible();
  await expect(step.getByLabel('Note to the customer')).toHaveValue('Two drafts.');
  await press.click();
  await expect(step.getByText('Waits for approval')).toBeVisible();
  await expect(step.getByText('Two drafts.')).toBeVisible();
  await staff.close();
});

test('A note whose answer was lost is never called unsent: its form stays, and sending it again tells', async ({
  browser,
}) => {
  const { order, customer, staff, comeBack, panel, forms } = await openTogether(browser);
  let sent = 0;
  for (const { form, press, open, call } of forms) {
    await open();
    const text = `Note ${(sent += 1)}`;
    await form.getByLabel('Note to the customer').fill(text);
    const stays = async () => {
      await expect(
        panel(call.includes('step') ? 'What happened' : 'Delivered').getByText(text),
      ).toBeVisible();
      await expect(form.getByLabel('Note to the customer')).toHaveValue(text);
      await expect(form.getByText(/^Your note was not sent/)).toHaveCount(0);
    };
    await staff.route(call, async (route) => {
      await route.fetch();
      // Somebody who comes back while it is sent sees what it has done.
      await comeBack();
      await stays();
      await route.abort();
    });
    await press.click();
    await expect(form.getByText('We could not reach the site.')).toBeVisible();
    await comeBack();
    await stays();
    await staff.unroute(call);
    await press.click();
    await expect(form.getByLabel('Note to the customer')).toHaveCount(0);
  }
  const events = (await customer.get(`/api/order/${order._id}/timeline`)).json as OrderEvent[];
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => ['stepDone', 'delivered'].includes(kind))).toEqual([
    'stepDone',
    'delivered',
    'delivered',
  ]);
  await staff.close();
});

test('Customer and staff write, send files, deliver and answer; what fails is tried again and loses nothing', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/order/${order._id}`);
  await page.getByLabel('Your message').fill('Here is our wording.');

  // An upload that stands still can be stopped.
  await page.route('**/api/order/*/files?*', () => undefined);
  await addFile(page, 'Add files', 'stalled.txt', 'Never arrives');
  await page.getByRole('button', { name: 'Cancel the upload of stalled.txt' }).click();
  await expect(page.getByText('stalled.txt')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Add files' })).toBeFocused();
  await page.unroute('**/api/order/*/files?*');

  // The connection is away: the file and the words stay, and go on the next try.
  await page.route('**/api/order/*/files?*', (route) => route.abort());
  await addFile(page, 'Add files', 'wording.txt', 'Plain words');
  await expect(
    page.getByText('We could not reach the site. Check your connection and try again.'),
  ).toBeVisible();
  await page.unroute('**/api/order/*/files?*');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByText('Not every file was uploaded')).toBeVisible();
  await page.getByRole('button', { name: 'Try again to upload wording.txt' }).click();
  await expect(page.getByText('Text, 11 B, ready')).toBeVisible();
  await page.route('**/api/order/*/messages', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
  );
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(talk(page).getByRole('alert')).toContainText('Please try again');
  await expect(page.getByLabel('Your message')).toHaveValue('Here is our wording.');
  await page.unroute('**/api/order/*/messages');
  // What is typed while a message is sent stays for the next one.
  await page.route('**/api/order/*/messages', async (route) => {
    if (route.request().method() === 'POST') await page.getByLabel('Your message').fill('Half a thought');
    await route.continue();
  });
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(message(page, 'Here is our wording.')).toContainText('wording.txt');
  await expect(talk(page).getByRole('button', { name: 'Remove wording.txt' })).toHaveCount(0);
  await expect(page.getByLabel('Your message')).toHaveValue('Half a thought');
  await page.unroute('**/api/order/*/messages');
  await expectAccessible(page);

  const staff = await openAsAdministrator(browser, `/admin/payment-status/${order._id}`);
  await expect(message(staff, 'Here is our wording.')).toContainText('New');
  const saved = staff.waitForEvent('download');
  await talk(staff).getByRole('link', { name: 'wording.txt' }).click();
  expect((await saved).suggestedFilename()).toBe('wording.txt');
  await staff.getByLabel('Order status').selectOption('Delivered');
  await staff.getByLabel('Note to the customer').fill('Twelve pages, as agreed.');
  await addFile(staff, 'Add files to the delivery', 'report.txt', 'Report');
  await expect(staff.getByText('Text, 6 B, ready')).toBeVisible();
  await staff.locator('form', { hasText: 'Order status' }).getByRole('button', { name: 'Update' }).click();
  await expect(staff.getByText('OrderStatus is Updated')).toBeVisible();
  await expectAccessible(staff);

  // What was begun before the delivery stays, also over a reload, and says why it cannot be sent.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(talk(page).getByText('Your message was not sent')).toBeVisible();
  await expect(page.getByLabel('Your message')).toHaveValue('Half a thought');
  await expect(page.getByRole('button', { name: 'Send message' })).toBeHidden();
  await expectAccessible(page);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByLabel('Your message')).toHaveValue('Half a thought');
  const delivery = page.locator('section', { has: page.getByRole('heading', { name: 'Delivered' }) });
  await expect(delivery).toContainText('Twelve pages, as agreed.');
  await expect(delivery.getByRole('link', { name: 'report.txt' })).toBeVisible();
  await delivery.getByRole('button', { name: 'Something is missing' }).click();
  await expect(page.getByLabel('What is missing?')).toHaveValue('Half a thought');
  await expect(page.getByLabel('What is missing?')).toBeFocused();
  await page.getByLabel('What is missing?').fill('Page five.');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect(page.getByRole('heading', { name: 'Messages and files' })).toBeFocused();
  await delivery.getByRole('button', { name: 'Something is missing' }).click();

  // Set back to work meanwhile, the order takes the same words as a message.
  const setStatus = async (status: string) => {
    // The field has the value as soon as it is chosen; what counts is that the order has it.
    const isSet = staff.waitForResponse(
      (answer) => answer.request().method() === 'PUT' && answer.url().includes('/api/order-status/'),
    );
    await staff.getByLabel('Order status').selectOption(status);
    await staff.locator('form', { hasText: 'Order status' }).getByRole('button', { name: 'Update' }).click();
    expect((await isSet).status()).toBe(200);
    await expect(staff.locator('form', { hasText: 'Order status' }).getByRole('combobox')).toHaveValue(
      status,
    );
  };
  await setStatus('Pending');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByLabel('Your message')).toHaveValue('Page five.');
  await expect(delivery).toHaveCount(0);
  await setStatus('Delivered');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await delivery.getByRole('button', { name: 'Something is missing' }).click();
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(message(page, 'Page five.')).toContainText('Something is missing');
  await expect(page.getByLabel('Your message')).toBeVisible();
  await expectAccessible(page);

  await staff.reload();
  await expect(staff.getByText('The customer says that something is missing: see below.')).toBeVisible();
  await staff.getByLabel('Your message').fill('Here it is.');
  await staff.getByRole('button', { name: 'Send message' }).click();
  await expect(message(staff, 'Here it is.')).toBeVisible();

  // The dashboard leads to what is new, until it was read.
  await page.goto(linkTo('dashboard'));
  const glance = page.getByRole('article').filter({ hasText: '1 new message' });
  await glance.getByRole('link', { name: 'Basic package' }).click();
  await expect(message(page, 'Here it is.')).toContainText('New');
  await page.goto(linkTo('dashboard'));
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByText('1 new message')).toHaveCount(0);
});
