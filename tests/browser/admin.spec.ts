/** Administrators at work: orders, messages, subscribers and publications, on every kind of window. */
import { randomUUID } from 'node:crypto';
import { expect, type Browser, type Page } from 'playwright/test';
import { contextOf, expectAccessible, openAsAdministrator, systemUrl, test } from '../support/browser.ts';
import { clientSecretFor, confirmCard, intentIdOf, placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer, signInAdministrator, Visitor } from '../support/visitor.ts';

const toast = (text: string) => ({ hasText: text });

interface Listed {
  readonly _id: string;
  readonly [field: string]: string;
}

async function sendMessage(name: string, number = '+1 312 555 0100'): Promise<string> {
  const answer = await new Visitor(systemUrl).post('/api/add-message', {
    name,
    email: newEmail(),
    number,
    subject: `Question of ${name}`,
    message: 'Which package suits two offices?',
    messageStatus: 'UnRead',
  });
  expect(answer.status, answer.text).toBe(201);
  return (answer.json as Listed)._id;
}

/** The administrators' messages in pages so long that messages of other tests push none from the first one. */
async function openMessages(browser: Browser): Promise<Page> {
  const page = await (await contextOf(browser)).newPage();
  await page.route('**/api/messages?*', (route) =>
    route.continue({ url: route.request().url().replace('pageSize=3', 'pageSize=100') }),
  );
  await page.goto('/all-messages/');
  return page;
}

const someName = () => `Ann ${randomUUID().slice(0, 8)}`;

test('An administrator finds an order and updates its payment and its work', async ({ browser }) => {
  const name = someName();
  const { number } = await placeOrder(await registerCustomer(systemUrl), 'Basic', name);
  const page = await openAsAdministrator(browser, '/total-orders');
  await page.getByLabel('Search').fill(name);
  await expect(page.getByText('1 order found')).toBeVisible();
  await expect(page.getByRole('row', { name })).not.toContainText('PayPal');
  await page.getByLabel('Search').fill(`#${number}`);
  await expect(page.getByText('1 order found')).toBeVisible();
  await expect(page.getByRole('row', { name })).toContainText(`#${number}`);
  await page.getByRole('link', { name: new RegExp(`^Update order .* of ${name}$`) }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order #${number}`);

  await page.getByLabel('Payment status').selectOption('Paid');
  await page.getByRole('button', { name: 'Update' }).first().click();
  await expect(page.getByRole('alert').filter(toast('PaymentStatus is Updated'))).toBeVisible();
  await expect(page.getByText('Marked as paid by hand')).toBeVisible();

  await page.getByLabel('Order status').selectOption('Delivered');
  await page.getByRole('button', { name: 'Update' }).last().click();
  await expect(page.getByRole('alert').filter(toast('OrderStatus is Updated'))).toBeVisible();

  await page.goto('/total-orders');
  await page.getByLabel('Search').fill(name);
  await expect(page.getByRole('row', { name })).toContainText('PayPal');
  await page.goto('/admin');
  const sales = page.getByRole('paragraph').filter({ hasText: /^\$[\d,]+\.\d\d$/ });
  await expect(sales).not.toHaveText('$0.00');
  await page.context().close();
});

test('Several orders are changed at once, each by its own rules; what was not changed is told with its reason', async ({
  browser,
}) => {
  const [customer, administrator] = [await registerCustomer(systemUrl), await signInAdministrator(systemUrl)];
  const name = someName();
  const place = () => placeOrder(customer, 'Basic', name);
  const [cancelled, ...paid] = [await place(), await place(), await place()];
  await customer.put(`/api/order-cancelled/${cancelled._id}`, {});
  for (const { _id } of paid) await administrator.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });

  const page = await openAsAdministrator(browser, `/total-orders?q=${encodeURIComponent(name)}`);
  await page.getByLabel('Select all on this page').check();
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.getByRole('button', { name: 'Mark delivered' }).click();
  await page
    .getByRole('dialog', { name: 'Mark 3 orders delivered?' })
    .getByRole('button', { name: 'Mark delivered' })
    .click();
  const part = page.getByRole('status').filter({ hasText: '2 orders marked delivered, 1 order not' });
  await expect(part).toContainText(
    `#${cancelled.number}: This order was cancelled, so there is nothing to deliver.`,
  );
  await expectAccessible(page);
  await expect(page.getByRole('row', { name }).filter({ hasText: 'Delivered' })).toHaveCount(2);
  await expect(page.getByLabel(`Select order #${cancelled.number}`)).toBeChecked();
  for (const { _id } of paid)
    expect((await customer.get(`/api/order/${_id}/messages`)).json).toMatchObject({ delivery: { text: '' } });

  // Only what an unpaid order may be is offered to all of them alike.
  await page.getByLabel('Select all on this page').check();
  await page.getByRole('button', { name: 'Cancel orders' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel orders' }).click();
  const refusal = page.getByRole('alert');
  await expect(refusal).toContainText('No order cancelled');
  await expect(refusal).toContainText('This order is paid. Refund it instead: that cancels it.');
  await page.context().close();
});

test('A press anywhere in a row opens its order; its texts can be selected, and its controls keep their presses', async ({
  browser,
}) => {
  const name = someName();
  const { _id, number } = await placeOrder(await registerCustomer(systemUrl), 'Basic', name);
  const address = `/admin/payment-status/${_id}`;
  const page = await openAsAdministrator(browser, `/total-orders?q=${encodeURIComponent(name)}`);
  const row = page.getByRole('row', { name });
  await expect(row.getByRole('link')).toHaveCount(1);
  // To point at it first waits until it stands still.
  await row.getByText(name).hover();
  const text = await row.getByText(name).boundingBox();
  if (!text) throw new Error('The name is not shown.');
  const middle = text.y + text.height / 4;
  await page.mouse.move(text.x + 1, middle);
  await page.mouse.down();
  await page.mouse.move(text.x + text.width - 2, middle, { steps: 4 });
  await page.mouse.up();
  expect(await page.evaluate(() => getSelection()?.toString())).toContain(name.slice(1, 6));
  await expect(page).toHaveURL(/total-orders/);
  await page.getByLabel(`Select order #${number}`).check();
  await expect(page).toHaveURL(/total-orders/);

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    row.getByText('Basic').click({ button: 'middle' }),
  ]);
  await expect(tab).toHaveURL(address);
  await tab.close();
  await row.getByText('Basic').click();
  await expect(page).toHaveURL(address);
  await page.context().close();
});

test('What a list is narrowed to stands in its address and on chips, and folds away on a phone', async ({
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
  await chips.getByRole('button', { name: 'Take off Payment status: UnPaid' }).click();
  await expect(page).toHaveURL(/\?from=2020-01-01$/);
  await page.reload();
  await expect(chips.getByRole('listitem')).toHaveText([/From: /, 'Clear all']);
  await chips.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\/total-orders$/);
  await page.context().close();
});

test('An administrator orders for a customer, who is mailed the link to pay', async ({ browser }) => {
  const [name, email] = [someName(), newEmail('by-telephone')];
  const page = await openAsAdministrator(browser, '/total-orders');
  await page.getByRole('link', { name: 'New order' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New order');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Place the order' }).click();
  await expect(page.getByText("Please enter the customer's name")).toBeVisible();
  await expect(page.getByLabel('Email')).toBeFocused();

  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Package').selectOption('Premium');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Address').fill('1 Main Street');
  await page.getByLabel('Country').selectOption('Canada');
  // The answer is lost, and the screen loaded anew: it is still the same order.
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
  await expect
    .poll(async () => (await new Visitor(systemUrl).get('/dev/mailbox')).text)
    .toContain(`/pay-now/${id}`);
  await page.context().close();
});

test('An order offers an administrator only what can be done, and says why the rest cannot', async ({
  browser,
}) => {
  const customer = await registerCustomer(systemUrl);
  const [cancelled, paid] = [await placeOrder(customer), await placeOrder(customer)];
  await customer.put(`/api/order-cancelled/${cancelled._id}`, {});
  const secret = await clientSecretFor(customer, paid);
  await confirmCard(customer, process.env['STRIPE_URL'] ?? '', secret);
  await customer.put(`/api/order/${paid._id}`, { paymentStatus: 'Paid' });

  const page = await openAsAdministrator(browser, `/admin/payment-status/${cancelled._id}`);
  await expect(page.getByText('This order was cancelled and stays cancelled.')).toBeVisible();
  await expect(page.getByText('This order was cancelled, so there is nothing to deliver.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Update' })).toHaveCount(0);

  await page.goto(`/admin/payment-status/${paid._id}`);
  await page.getByLabel('Payment status').selectOption('UnPaid');
  await page.getByRole('button', { name: 'Update' }).first().click();
  const refusal = page.getByRole('alert');
  await expect(refusal).toContainText('This order was paid by card through Stripe, so it stays Paid.');
  await expect(refusal).not.toContainText('Conflict');
  await expect(refusal.getByRole('link')).toHaveAttribute(
    'href',
    `https://dashboard.stripe.com/payments/${intentIdOf(secret)}`,
  );
  await page.context().close();
});

test('The panel tells of unpaid money, has its chart read by arrow keys, and leads to everything the specification names', async ({
  browser,
}) => {
  await placeOrder(await registerCustomer(systemUrl));
  const page = await openAsAdministrator(browser, '/admin');
  const main = page.getByRole('main');
  await expect(
    main.getByRole('link', { name: /^\$[\d,.]+ awaiting payment \(\d+ orders?\)$/ }),
  ).toHaveAttribute('href', '/total-orders?paymentStatus=UnPaid');
  const slider = main.getByRole('slider', { name: 'Read the sales' });
  await slider.focus();
  const last = await slider.getAttribute('aria-valuetext');
  expect(last).toMatch(/^\w+ \d+, \$[\d,.]+, \d+ paid orders?; before: \w+ \d+, \$[\d,.]+$/);
  await slider.press('ArrowLeft');
  await expect(slider).not.toHaveAttribute('aria-valuetext', last ?? '');
  for (const path of ['/setting', '/total-orders', '/all-messages', '/all-subscriber'])
    await expect(main.locator(`a[href="${path}"]`).first()).toBeVisible();
  await expect(main.getByRole('link', { name: 'Admin Email' })).toHaveAttribute('href', '/add-user');
  await expect(main.getByRole('link', { name: 'Payment', exact: true })).toHaveAttribute(
    'href',
    /^\/stripe-key\/[0-9a-f-]{36}$/,
  );
  await page.context().close();
});

test('An administrator reads a message and marks it read', async ({ browser }) => {
  const name = someName();
  await sendMessage(name);
  const page = await openMessages(browser);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome to Admin Panel');
  const unread = page.getByRole('table', { name: 'Unread messages' });
  await expect(unread.getByRole('columnheader')).toHaveText([
    'Sl No.',
    'Full Name',
    'Phone Number',
    'Email',
    'Subject',
    'Message Status',
    'View',
  ]);
  await unread.getByRole('row', { name }).getByRole('link', { name: 'View Message' }).click();
  await expect(page.getByRole('link', { name: 'Reply by email' })).toHaveAttribute(
    'href',
    /^mailto:.*subject=Re/,
  );
  await page.getByRole('button', { name: 'Mark Read' }).click();
  await expect(page.getByRole('alert').filter(toast('Message is Read'))).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark Read' })).toHaveCount(0);
  await page.context().close();
});

test('An administrator marks messages read and deletes them: the chosen ones together, and one from its own screen', async ({
  browser,
}) => {
  const names = [someName(), someName(), someName(), someName()];
  for (const name of names) await sendMessage(name);
  const [first = '', second = '', third = '', fourth = ''] = names;
  const page = await openMessages(browser);
  const unread = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Unread messages' }) });
  const boxOf = (name: string) => unread.getByRole('checkbox', { name: `Select the message of ${name}` });
  const remove = unread.getByRole('button', { name: 'Delete' });
  await expect(remove).toHaveCount(0);
  await boxOf(first).check();
  await boxOf(second).check();
  await expect(unread.getByText('2 selected')).toBeVisible();

  await remove.click();
  const question = page.getByRole('dialog', { name: 'Delete 2 messages?' });
  await question.getByRole('button', { name: 'Not now' }).click();
  await expect(boxOf(first)).toBeChecked();
  await remove.click();
  await question.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert').filter(toast('2 messages deleted'))).toBeVisible();
  await expect(boxOf(first)).toHaveCount(0);
  await expect(boxOf(second)).toHaveCount(0);
  await expect(remove).toHaveCount(0);

  await boxOf(fourth).check();
  await unread.getByRole('button', { name: 'Mark read' }).click();
  await expect(page.getByRole('alert').filter(toast('1 message marked read'))).toBeVisible();
  await expect(boxOf(fourth)).toHaveCount(0);
  await expect(
    page.getByRole('table', { name: 'Read messages' }).getByRole('row', { name: fourth }),
  ).toBeVisible();

  await unread.getByRole('row', { name: third }).getByRole('link', { name: 'View Message' }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert').filter(toast('1 message deleted'))).toBeVisible();
  await expect(page.getByText('This message is deleted')).toBeVisible();
  await page.reload();
  await expect(page.getByText('There is no such message')).toBeVisible();
  await page.context().close();
});

test('A phone number that is none is text, not an empty link', async ({ browser }) => {
  const id = await sendMessage(someName(), 'call me');
  const page = await openAsAdministrator(browser, `/view/${id}`);
  await expect(page.getByText('call me')).toBeVisible();
  await expect(page.locator('a[href^="tel:"]')).toHaveCount(0);
  await page.context().close();
});

test('A search is made once the typing rests, not at every keystroke', async ({ browser }) => {
  const page = await (await contextOf(browser)).newPage();
  await page.clock.install();
  await page.goto('/total-orders');
  const search = page.getByLabel('Search');
  await expect(page.getByRole('table', { name: 'All orders' })).toBeVisible();
  // A set: when other tests change what waits, the list reads itself again, by then with what is searched for.
  const searched = new Set<string>();
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const q = searchParams.get('q');
    if (pathname === '/api/orders' && q !== null) searched.add(q);
  });
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await search.pressSequentially('somebody');
  expect([...searched]).toEqual([]);
  await page.clock.runFor(1_000);
  await expect.poll(() => [...searched]).toEqual(['somebody']);
  await page.context().close();
});

test('A toast stays while it is pointed at or has the focus, and covers nothing that has it', async ({
  browser,
}) => {
  const id = await sendMessage(someName());
  const page = await (await contextOf(browser)).newPage();
  await page.clock.install();
  await page.goto(`/view/${id}`);
  const markRead = page.getByRole('button', { name: 'Mark Read' });
  await expect(markRead).toBeVisible();
  // From here on the toast ages by `runFor` alone, however long this machine takes to point at it.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await markRead.click();
  const shown = page.getByRole('alert').filter(toast('Message is Read'));
  await shown.hover();
  await page.clock.runFor(60_000);
  await expect(shown).toBeVisible();
  // What has the focus is never covered.
  await page.setViewportSize({ width: 360, height: 400 });
  const remove = page.getByRole('button', { name: 'Delete' });
  await remove.evaluate((button) => {
    button.scrollIntoView({ block: 'end', behavior: 'instant' });
    button.focus({ preventScroll: true });
  });
  const [covered, covering] = [await remove.boundingBox(), await shown.boundingBox()];
  expect(covering?.y, 'stands at the top').toBeLessThan(100);
  expect(covered?.y, 'is not covered').toBeGreaterThan((covering?.y ?? 0) + (covering?.height ?? 0));
  await shown.hover();
  await page.getByRole('button', { name: 'Dismiss' }).focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(60_000);
  await expect(shown).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await page.clock.runFor(60_000);
  await expect(shown).toHaveCount(0);
  await page.context().close();
});

test('An administrator takes a subscriber off the list', async ({ browser }) => {
  const subemail = newEmail('subscriber');
  await new Visitor(systemUrl).post('/api/add-subscriber', { subemail });
  const page = await openAsAdministrator(browser, '/all-subscriber/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Total Subscribers');
  await page.getByRole('button', { name: `Delete ${subemail}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('alert').filter(toast('Subscriber deleted'))).toBeVisible();
  await expect(page.getByText(subemail)).toHaveCount(0);
  // The focus stays nearby: the button that had it is gone.
  await expect(page.locator('section h2:focus')).toBeVisible();
  await page.context().close();
});

test('Anyone who is no administrator sees only the way in', async ({ browser }) => {
  const anonymous = await browser.newPage({ baseURL: systemUrl });
  await anonymous.goto('/add-user');
  await expect(anonymous.getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    `/login?next=${encodeURIComponent('/add-user')}`,
  );
  await expect(anonymous.getByLabel('Email')).toHaveCount(0);
  await anonymous.goto('/setting');
  await expect(anonymous).toHaveURL(/\/login\?next=%2Fsetting$/);
  await anonymous.close();

  const context = await contextOf(browser, await registerCustomer(systemUrl));
  const customer = await context.newPage();
  const answer = await customer.goto('/setting');
  expect(answer?.status()).toBe(403);
  await expect(customer.getByText("You don't have any permission")).toBeVisible();
  await customer.goto('/add-paypal-Email');
  await expect(customer.getByText("You don't have any permission")).toBeVisible();
  await context.close();
});
