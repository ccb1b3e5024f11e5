/** Lists and admin screens that the walk in admin.spec.ts does not cover. */
import { expect, type Page } from 'playwright/test';
import { linkTo } from '#contract/screens.ts';
import { contextOf, expectAccessible, settle, systemUrl, test } from '../support/browser.ts';
import { mailsTo } from '../support/mailbox.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer, signInAdministrator, Visitor } from '../support/visitor.ts';
import { addQuestion, comeBack, openAsAdministrator, openWithPaidOrder, toast, unique } from './journey.ts';

/** Returns to the tab repeatedly until a response shows what is expected. */
const comeBackUntil = (page: Page, seen: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      await comeBack(page);
      return seen();
    })
    .toBe(true);

test('Several orders are changed together, each by its own rules, and those that cannot change show why', async ({
  browser,
}) => {
  const [customer, administrator] = [await registerCustomer(systemUrl), await signInAdministrator(systemUrl)];
  const name = unique('Ann');
  const place = () => placeOrder(customer, 'Basic', name);
  const [cancelled, ...paid] = [await place(), await place(), await place()];
  await customer.put(`/api/order-cancelled/${cancelled._id}`, {});
  for (const { _id } of paid) await administrator.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });

  const page = await openAsAdministrator(browser, `/total-orders?q=${encodeURIComponent(name)}`);
  await page.getByLabel('Select all on this page').check();
  await expect(page.getByText('3 selected')).toBeVisible();
  // No action applies to rows that a filter hides.
  const mine = page.getByRole('button', { name: 'Mine', exact: true });
  await mine.click();
  await expect(page.getByText('No matching orders')).toBeVisible();
  await expect(page.getByText('3 selected')).toHaveCount(0);
  await mine.click();
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Mark delivered' }).click();
  await page
    .getByRole('dialog', { name: 'Mark 3 orders delivered?' })
    .getByRole('button', { name: 'Mark delivered' })
    .click();
  const part = page.getByRole('status').filter({ hasText: '2 orders marked delivered, 1 order not' });
  await expect(part).toContainText(
    `#${cancelled.number}: This order was cancelled, so there is nothing to deliver.`,
  );
  await expect(page.getByRole('row', { name }).filter({ hasText: 'Delivered' })).toHaveCount(2);
  await expect(page.getByLabel(`Select order #${cancelled.number}`)).toBeChecked();
  for (const { _id } of paid)
    expect((await customer.get(`/api/order/${_id}/messages`)).json).toMatchObject({ delivery: { text: '' } });
});

test('The filters of a list are in its address and on chips, and collapse on a phone', async ({
  browser,
}) => {
  await placeOrder(await registerCustomer(systemUrl));
  const page = await openAsAdministrator(browser, '/total-orders?paymentStatus=UnPaid');
  const chips = page.getByRole('list', { name: 'Filters in use' });
  await expect(page.getByRole('button', { name: 'Awaiting payment' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByLabel('From')).toBeHidden();
  const fold = page.getByRole('button', { name: 'Filters (1)' });
  await fold.click();
  await expect(fold).toHaveAttribute('aria-expanded', 'true');
  await Promise.all([
    page.waitForResponse(/\/api\/orders\?.*from=2020/),
    page.getByLabel('From').fill('2020-01-01'),
  ]);
  await expect(page.getByRole('table', { name: 'All orders' })).not.toHaveAttribute('aria-busy');
  await expect(page).toHaveURL(/\?paymentStatus=UnPaid&from=2020-01-01$/);
  await expectAccessible(page);
  await chips.getByRole('button', { name: 'Remove Payment status: UnPaid' }).click();
  await expect(page).toHaveURL(/\?from=2020-01-01$/);
  await page.reload();
  await expect(chips.getByRole('listitem')).toHaveText([/From: /, 'Clear all']);
  await chips.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\/total-orders$/);
});

test('In a browser without month fields, an unreadable month does not count as a filter', async ({
  browser,
}) => {
  const page = await openAsAdministrator(browser, '/ledger');
  const month = page.getByLabel('Month', { exact: true });
  await month.evaluate((field) => {
    field.setAttribute('type', 'text');
    Object.defineProperty(field, 'type', {
      get: () => 'text',
      set() {
        // Ignores React, which sets the type each time it renders the field.
      },
    });
  });
  const chips = page.getByRole('list', { name: 'Filters in use' });
  await month.fill('11/2026');
  await expect(page.getByText('Type the year and the month, such as 2027-01.')).toBeVisible();
  await expect(chips).toHaveCount(0);
  await month.fill('2026-11');
  await expect(chips).toContainText('Month: 2026-11');
});

test('An administrator orders for a customer, who gets an email with the link to pay, and orders for them again', async ({
  browser,
}) => {
  const [name, email] = [unique('Ann'), newEmail('by-telephone')];
  const page = await openAsAdministrator(browser, '/total-orders');
  await page.getByRole('link', { name: 'New order' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New order');
  await page.getByRole('button', { name: 'Place the order' }).click();
  await expect(page.getByText("Please enter the customer's name")).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();

  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Package').selectOption('Premium');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Address').fill('1 Main Street');
  await page.getByLabel('Country').selectOption('Canada');
  await page.getByLabel('Phone').fill('(312) 555-0199');
  await page.getByLabel('Discount in dollars').fill('100');
  await page.getByLabel('Note').fill('Asked for an offer by phone.');
  // The response is lost and the screen is reloaded. It is still the same order.
  await page.route('**/api/add-order', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Place the order' }).click();
  await expect(page.getByText('We could not reach the site.')).toBeVisible();
  await page.unroute('**/api/add-order');
  await page.reload();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await page.getByRole('button', { name: 'Place the order' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Order #\d+$/);
  await expect(page.getByText(email)).toBeVisible();
  const administrator = await signInAdministrator(systemUrl);
  expect((await administrator.get(`/api/orders?q=${email}`)).json).toHaveLength(1);
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await mailsTo(systemUrl, email, ({ text }) => text.includes(`/pay-now/${id}`));
  await expect(page.getByText(/^\$100 off the price of \$/)).toBeVisible();
  await expect(page.getByText('Asked for an offer by phone.', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await expect(toast(page, 'Payment link sent to the customer')).toBeVisible();

  // The next form begins with the values of the first one.
  await page.getByRole('main').getByRole('link', { name }).first().click();
  await page.getByRole('link', { name: 'New order for this customer' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Name')).toHaveValue(name);
  await expect(page.getByLabel('Country')).toHaveValue('Canada');
  await expect(page.getByLabel('Phone')).toHaveValue('(312) 555-0199');
  await expectAccessible(page);
});

test('A toast stays while it is hovered or focused', async ({ browser }) => {
  const { _id } = await sendMessage(new Visitor(systemUrl));
  const page = await (await contextOf(browser)).newPage();
  await page.clock.install();
  await page.goto(`/view/${_id}`);
  const markRead = page.getByRole('button', { name: 'Mark Read' });
  await expect(markRead).toBeVisible();
  // From here on, only `runFor` moves the toast's clock, however slow the machine is.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await markRead.click();
  const shown = toast(page, 'Message is Read');
  await shown.hover();
  await page.clock.runFor(60_000);
  await expect(shown).toBeVisible();
  await shown.hover();
  await page.getByRole('button', { name: 'Dismiss' }).focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(60_000);
  await expect(shown).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await page.clock.runFor(60_000);
  await expect(shown).toHaveCount(0);
});

test('A new order appears without a reload, and is found from any screen', async ({ browser }) => {
  const [customer, staff] = await Promise.all([registerCustomer(systemUrl), signInAdministrator(systemUrl)]);
  const page = await openAsAdministrator(browser, linkTo('orders'));
  await page.getByRole('button', { name: 'To deliver' }).click();
  await expect(page).toHaveURL(/paymentStatus=Paid&orderStatus=Pending/);
  await expect(page.getByRole('button', { name: 'To deliver' })).toHaveAttribute('aria-pressed', 'true');
  const { _id, number } = await placeOrder(customer, 'Basic', 'Maria Lopez');
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  const row = page.getByRole('row').filter({ hasText: `#${number}` });
  await comeBackUntil(page, () => row.isVisible());
  await expect(row).toContainText(/just now|minutes? ago/);
  await expect(page.getByRole('link', { name: 'Orders', exact: true })).toHaveAccessibleDescription(
    /^\d+\+? to deliver$/,
  );

  await page.goto(linkTo('subscribers'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // The navigation collapses on a tablet, or with text twice the size.
  await page.setViewportSize({ width: 720, height: 800 });
  await page.keyboard.press('Control+k');
  const finder = page.getByRole('dialog', { name: 'Find anything' });
  const field = finder.getByRole('combobox');
  await expect(field).toBeFocused();
  await field.fill('rel');
  await expect(finder.getByRole('option', { name: /Releases/ })).toBeVisible();
  await field.fill(`#${number}`);
  await expect(finder.getByRole('option', { name: new RegExp(`#${number} Maria Lopez`) })).toBeVisible();
  await field.press('Enter');

  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order #${number}`);
});

test('The search over everything finds texts and other words for a section, and opens the form that delivers an order', async ({
  browser,
}) => {
  const { order, administrator: staff } = await openWithPaidOrder(browser);
  const question = await addQuestion(staff);
  const page = await openAsAdministrator(browser, linkTo('admin'));
  await settle(page);
  const finder = page.getByRole('dialog', { name: 'Find anything' });
  const field = finder.getByRole('combobox');
  const option = (name: string | RegExp) => finder.getByRole('option', { name });
  const find = async (typed: string) => {
    await page.keyboard.press('Control+k');
    await field.fill(typed);
  };

  await find('hero');
  await expect(option(/^Banner/)).toBeVisible();
  await field.fill('tax');
  await expect(option(/^Business details/)).toBeVisible();
  await field.fill(question.accodingText);
  await expect(option(question.accodingTitle)).toBeVisible();
  await expectAccessible(page);
  await field.press('Enter');
  await expect(page.getByLabel('Answer', { exact: true })).toHaveValue(question.accodingText);
  await find('add faq');
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Add FAQ item' })).toBeVisible();

  const number = `#${String(order.number)}`;
  await find(`mark ${number} delivered`);
  await expect(option(`Mark ${number} delivered`)).toBeVisible();
  await field.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Mark delivered and tell/ })).toBeVisible();
  expect((await staff.get(`/api/order/${order._id}`)).json).toMatchObject({ orderStatus: 'Pending' });
  await page.keyboard.press('Escape');
  // The search also works on the order's own page.
  await find(`mark ${number} delivered`);
  await expect(option(`Mark ${number} delivered`)).toBeVisible();
  await field.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Mark delivered and tell/ })).toBeVisible();
  await staff.delete(`/api/faq-item/${question._id}`);
});

test('An administrator who is signed out learns so on the open screen and at a failed save, and continues after logging in again', async ({
  browser,
}) => {
  const page = await openAsAdministrator(browser, linkTo('orders'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const notice = page.getByRole('alert').filter({ hasText: 'You have been signed out' }).first();
  const logIn = notice.getByRole('link', { name: 'Log in (new tab)' });
  const signOut = async () => {
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    return () => page.context().addCookies(cookies);
  };
  let logInAgain = await signOut();
  await comeBackUntil(page, () => logIn.isVisible());
  await logInAgain();
  await comeBackUntil(page, () => notice.isHidden());

  await page.goto(linkTo('releases'));
  const title = page.getByLabel('Title');
  await title.fill('Spring offer');
  logInAgain = await signOut();
  await title.press('Enter');
  await expect(logIn).toBeVisible();
  await logInAgain();
  await comeBackUntil(page, () => notice.isHidden());
  await expect(title).toHaveValue('Spring offer');
});

test('A member who loses the role learns so on the open screen, and keeps what was typed', async ({
  browser,
}) => {
  const page = await openAsAdministrator(browser, linkTo('releases'));
  const title = page.getByLabel('Title');
  await title.fill('Spring offer');
  const withoutRole = await contextOf(browser, await registerCustomer(systemUrl));
  await page.context().addCookies(await withoutRole.cookies());
  const notice = page.getByRole('alert').filter({ hasText: "You don't have any permission" }).first();
  await comeBackUntil(page, () => notice.isVisible());
  await expect(title).toHaveValue('Spring offer');
});
