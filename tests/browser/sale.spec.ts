/** The sale, from an anonymous visitor to an order that is Paid because Stripe said so, and every way it can go wrong. */
import { expect, type Locator, type Page } from 'playwright/test';
import * as z from 'zod';
import {
  expectAccessible,
  expectHeard,
  listen,
  openAsAdministrator,
  systemUrl,
  test,
  unavailable,
} from '../support/browser.ts';
import { newEmail, registerCustomer } from '../support/visitor.ts';
import { clientSecretFor, confirmCard, findPackage, placeOrder } from '../support/orders.ts';
import {
  bankQuestion,
  expectCharged,
  giveWallet,
  openAsCustomer,
  payButton,
  payByWallet,
  paymentStatusOf,
  typeCard,
  walletButton,
  walletSheet,
} from './checkout.ts';

test.use({ baseURL: systemUrl });

const cards = {
  good: '4242424242424242',
  declined: '4000000000000002',
  challenged: '4000002760003184',
  processing: '4000000000002701',
} as const;

const alert = (page: Page) => page.getByRole('alert');
const transactionId = (page: Page) => page.getByText(/^pi_\w+$/);
const totalSpent = (page: Page) =>
  page.locator('section').filter({ has: page.getByRole('link', { name: 'Total Spent' }) });

async function payWith(page: Page, card: string): Promise<void> {
  await typeCard(page, card);
  await payButton(page).click();
}

/** A small phone held in one hand. */
const phone = { width: 360, height: 640 };

/** The main button of a screen: seen without scrolling, and large enough for a thumb. */
async function expectInReach(button: Locator): Promise<void> {
  await expect(button).toBeInViewport({ ratio: 1 });
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
}

const chosen = (page: Page) => page.getByText(/^You are ordering the Premium package, \$[\d,.]+\.$/);

test('A stranger with a phone chooses a package, signs up, orders, pays and reads what comes next', async ({
  page,
}) => {
  const email = newEmail('stranger');
  await page.setViewportSize(phone);
  await listen(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Order Premium' }).click();

  await expect(page).toHaveURL(/\/login\?next=/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign up or log in');
  await expect(chosen(page)).toBeVisible();
  await expectInReach(page.getByRole('link', { name: 'Sign Up' }));
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Sign Up' }).click();
  await expect(chosen(page)).toBeVisible();
  const signUp = page.getByRole('button', { name: 'Sign up' });
  await expectInReach(signUp);
  await expect(page.getByLabel('Email')).toHaveAttribute('inputmode', 'email');
  await page.getByLabel('Email').fill(email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('autocomplete', 'new-password');
  await page.getByLabel('Password', { exact: true }).fill('a visitor password');
  await expectAccessible(page);
  await signUp.click();

  await expect(page.getByRole('heading', { level: 1, name: 'Order the Premium package' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await page.getByLabel('Name').fill('Ada Broker');
  await page.getByLabel('Address').fill('12 Harbor Street, Portland');
  await page.getByLabel('Country').selectOption('United States');
  const place = page.getByRole('button', { name: 'Place Order' });
  await expectInReach(place);
  await expectAccessible(page);
  await place.click();

  await expect(page).toHaveURL('/pending-order');
  await expect(page.getByText(/^#\d+, Premium package/)).toBeVisible();
  await expectInReach(page.getByRole('link', { name: 'Pay Now' }));
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Pay Now' }).click();
  await expect(payButton(page)).toHaveText(/^Pay Now [\d.]+\$$/);
  await expect(payButton(page)).toBeEnabled();
  await expectInReach(payButton(page));
  await expectAccessible(page);
  await payWith(page, cards.good);
  await expectCharged(page);
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { name: 'Welcome to User Dashboard' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Answer our questions' })).toBeVisible();
  await expect(totalSpent(page)).not.toContainText(/\$0(?!\.)/);
  await expectAccessible(page);
  await page.goto('/my-order');
  await expect(page.getByText('You Have Paid')).toBeVisible();
});

test('A returning customer logs in on the way to the order form, which is filled in, and pays', async ({
  page,
}) => {
  const customer = await registerCustomer(systemUrl);
  const { customerName, customerAddress } = await placeOrder(customer, 'Basic');
  await page.setViewportSize(phone);
  await listen(page);
  const logIn = async () => {
    await page.getByLabel('Email').fill(customer.email);
    await page.getByLabel('Password', { exact: true }).fill(customer.password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  await page.goto('/login');
  await logIn();
  await page.getByRole('button', { name: 'Signout' }).click();
  await expect(page).toHaveURL('/');

  await page.getByRole('link', { name: 'Order Premium' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
  await expect(chosen(page)).toBeVisible();
  await expectInReach(page.getByRole('button', { name: 'Log in' }));
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign Up' })).toHaveAttribute(
    'href',
    /^\/register\?next=%2Forder-now%2F/,
  );
  await expectAccessible(page);
  await logIn();
  await expect(page.getByRole('heading', { level: 1, name: 'Order the Premium package' })).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue(customerName);
  await expect(page.getByLabel('Address')).toHaveValue(customerAddress);
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page).toHaveURL('/pending-order');
  await expect(page.getByText(/^#\d+, \w+ package/)).toHaveText([/Premium package/, /Basic package/]);
  await page.getByRole('link', { name: 'Pay Now' }).first().click();
  await expect(payButton(page)).toBeEnabled();
  await payWith(page, cards.good);
  await expectCharged(page);
  await expect(page).toHaveURL('/dashboard');

  // The link of the verification mail may lead to the form again: nobody buys twice unawares.
  await page.goto('/pricing/');
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await expect(page.getByRole('link', { name: 'See that order' })).toHaveAttribute('href', /^\/order\//);
});

test('Nobody types again what they have told us: profile, order form, second order and questions', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const profile = { name: 'Maria Lopez', company: 'Lopez Lending LLC', website: 'https://lopezlending.com' };
  expect((await customer.put('/api/auth/profile', profile)).status).toBe(200);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/pricing/');
  // Not Standard: the test of a changed price gives it another one for a while.
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await expect(page.getByLabel('Name')).toHaveValue(profile.name);
  await expect(page.getByLabel('Company', { exact: false })).toHaveValue(profile.company);
  const place = page.getByRole('button', { name: 'Place Order' });
  await expect(place).toBeInViewport({ ratio: 1 });
  expect((await place.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await page.getByLabel('Address').fill('120 Main Street, Joliet, IL 60432');
  await page.getByLabel('Country').selectOption('United States');
  await expectAccessible(page);
  await place.click();
  await expect(page).toHaveURL('/pending-order');
  await expect(page.getByText(/^#\d+, Premium package/)).toBeVisible();

  await page.goto('/pricing/');
  await page.getByRole('link', { name: 'Order Basic' }).first().click();
  await expect(page.getByLabel('Address')).toHaveValue('120 Main Street, Joliet, IL 60432');
  await expect(page.getByLabel('Country')).toHaveValue('United States');

  const [order] = z.array(z.object({ _id: z.string() })).parse((await customer.get('/api/orders')).json);
  await page.goto(`/order-brief/${order?._id ?? ''}`);
  await expect(page.getByLabel('What is the address of your website?')).toHaveValue(profile.website);
  await expect(page.getByText('Everything you typed is saved.')).toBeVisible();
  await page.context().close();
});

test("A declined card shows the provider's words in an alert and the order stays UnPaid", async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  for (const [card, words] of [
    ['4000000000000002', 'Your card was declined.'],
    ['4000000000009995', 'Your card has insufficient funds.'],
    ['4000000000000069', 'Your card has expired.'],
    ['4000000000000127', "Your card's security code is incorrect."],
  ] as const) {
    await payWith(page, card);
    await expect(alert(page)).toHaveText(words);
  }
  await expectAccessible(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('UnPaid');
  await payWith(page, cards.good);
  await expectCharged(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('After five declined cards the pay page says how long to wait, and takes no other card', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  const secret = await clientSecretFor(customer, order);
  for (let count = 0; count < 4; count += 1)
    await confirmCard(customer, process.env['STRIPE_URL'] ?? '', secret, 'pm_card_chargeDeclined');
  await payWith(page, cards.declined);
  await expect(alert(page)).toContainText(
    /Too many cards were declined for this order\. Please wait 1[45] minutes, then load this page again/,
  );
  await expect(payButton(page)).toBeDisabled();
  await page.reload();
  await expect(alert(page)).toContainText('Too many cards were declined for this order.');
  await expect(payButton(page)).toBeDisabled();
  await expectAccessible(page);
});

test("The bank's question is passed, or failed and asked again", async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await payWith(page, cards.challenged);
  await bankQuestion(page).getByRole('button', { name: 'Fail' }).click();
  await expect(alert(page)).toContainText('We are unable to authenticate your payment method.');
  expect(await paymentStatusOf(customer, order._id)).toBe('UnPaid');
  await payButton(page).click();
  await bankQuestion(page).getByRole('button', { name: 'Complete' }).click();
  await expectCharged(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('A payment that the bank is processing is waited for, and found again after a reload', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await typeCard(page, cards.processing);
  await expect(payButton(page)).toBeEnabled();
  // Until its last question is answered the page knows nothing new.
  const decided = Promise.withResolvers<undefined>();
  const questions = /\/v1\/payment_intents\/pi_\w+(\?|$)/;
  await page.route(questions, (route) => decided.promise.then(() => route.continue()));
  await payButton(page).click();
  const waiting = page.getByText('Your bank is processing the payment.');
  await expect(waiting).toBeVisible();
  await expect(payButton(page)).toBeDisabled();
  await expect(page.getByRole('link', { name: 'Cancel this order' })).toHaveCount(0);
  decided.resolve(undefined);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await expectHeard(page, /Transaction id: pi_\w+|This order is paid already/);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('A customer with a wallet pays with it, cancels its sheet and is declined as with a card', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  await giveWallet(page);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await expect(page.getByText('Or pay by card')).toBeVisible();
  await expectAccessible(page);

  await walletButton(page).click();
  await walletSheet(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(payButton(page)).toBeEnabled();
  await expect(alert(page)).toHaveCount(0);

  await payByWallet(page, 'Visa 0002, is declined');
  await expect(alert(page)).toHaveText('Your card was declined.');
  await expect(page.getByText('Your card was not charged.')).toBeVisible();
  expect(await paymentStatusOf(customer, order._id)).toBe('UnPaid');

  await payByWallet(page, 'Visa 3184, the bank asks');
  await expect(payButton(page)).toBeDisabled();
  await bankQuestion(page).getByRole('button', { name: 'Complete' }).click();
  await expectCharged(page);
  await expect(page).toHaveURL('/dashboard');
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('A wallet payment of somebody who has closed the tab while the bank works is found again', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  await giveWallet(page);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await payByWallet(page, 'Visa 2701, the bank takes its time');
  await expect(page.getByText('Your bank is processing the payment.')).toBeVisible();
  await page.close();
  const later = await page.context().newPage();
  await listen(later);
  await later.goto(`/pay-now/${order._id}`);
  await expectHeard(later, /Transaction id: pi_\w+|This order is paid already/);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('Somebody without a wallet sees the card alone, and no room is kept for anything else', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await expect(payButton(page)).toBeEnabled();
  await expect(page.getByText('Or pay by card')).toHaveCount(0);
  await expect(page.locator('iframe[title="Secure express checkout frame"]')).toHaveCount(0);
  // Both at one moment: what loads above them moves them together.
  await expect
    .poll(() =>
      page
        .getByText(/^Billed to/)
        .evaluate(
          (top) => top.getBoundingClientRect().y - (top.closest('form')?.getBoundingClientRect().y ?? 0),
        ),
    )
    .toBe(0);
});

test('Anyone who holds the link pays with their own name and is shown the way to sign in', async ({
  browser,
  page,
}) => {
  const customer = await registerCustomer(systemUrl);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await expect(page.getByText('Ada Broker')).toHaveCount(0);
  await typeCard(page, cards.good);
  await payButton(page).click();
  await expect(page.getByText('Please enter the name on the card')).toBeVisible();
  await page.getByLabel('Name').fill('Ben Payer');
  await page.getByLabel('Email').fill('ben@payers.example');
  await payButton(page).click();
  await expect(transactionId(page)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Log in' })).toBeVisible();
  await expectAccessible(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
  const other = await browser.newPage({ baseURL: systemUrl });
  await other.goto(`/pay-now/${order._id}`);
  await expect(other.getByText('This order is paid already')).toBeVisible();
  await other.close();
});

test('Pressing twice, a second tab and the back button pay once', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  const secondTab = await page.context().newPage();
  await listen(secondTab);
  await page.goto('/pending-order');
  await page.getByRole('link', { name: 'Pay Now' }).click();
  await secondTab.goto(`/pay-now/${order._id}`);
  await typeCard(secondTab, cards.good);
  let confirmations = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/confirm')) confirmations += 1;
  });
  await typeCard(page, cards.good);
  await payButton(page).dblclick();
  await expectCharged(page);
  expect(confirmations).toBe(1);
  await payButton(secondTab).click();
  await expectCharged(secondTab);
  await expect(page).toHaveURL('/dashboard');
  await page.goBack();
  await expect(page).toHaveURL('/pending-order');
  await expect(page.getByText('You Have Paid')).toBeVisible();
  await page.goto(`/pay-now/${order._id}`);
  await expect(page.getByText('This order is paid already')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
});

test('An order that was cancelled can no longer be paid, also in a tab that is open', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await typeCard(page, cards.good);
  await customer.put(`/api/order-cancelled/${order._id}`, { paymentStatus: 'Cancelled' });
  await payButton(page).click();
  await expect(page.getByText('This order was cancelled')).toBeVisible();
  await page.reload();
  await expect(page.getByText('This order was cancelled')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  expect(await paymentStatusOf(customer, order._id)).toBe('Cancelled');
});

test.describe('The pay page says what failed and what to do', () => {
  test('when the order cannot be read', async ({ page }) => {
    await page.goto('/pay-now/0192f0c1-0000-7000-8000-000000000001');
    await expect(alert(page)).toContainText('Failed to fetch order details');
  });

  test('when no payment can be opened', async ({ browser }) => {
    const { customer, page } = await openAsCustomer(browser);
    const order = await placeOrder(customer);
    await page.route('**/api/create-payment-intent', (route) => route.abort());
    await page.goto(`/pay-now/${order._id}`);
    await expect(alert(page)).toContainText('Failed to create payment intent');
    await expect(payButton(page)).toBeDisabled();
    const words = 'The card provider does not answer right now. Please try again in a moment.';
    await page.route('**/api/create-payment-intent', (route) => route.fulfill(unavailable(words)));
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(alert(page)).toContainText(words);
    await expect(payButton(page)).toBeDisabled();
    await page.unroute('**/api/create-payment-intent');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(payButton(page)).toBeEnabled();
  });

  test("when the provider's script does not load, or is not what it should be", async ({ browser }) => {
    const { customer, page } = await openAsCustomer(browser);
    const order = await placeOrder(customer);
    await page.route('**/stripe.js', (route) => route.abort());
    await page.goto(`/pay-now/${order._id}`);
    await expect(alert(page)).toContainText('Failed to load Stripe.js');
    await expect(payButton(page)).toBeDisabled();
    await page.unroute('**/stripe.js');
    await page.route('**/stripe.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    await page.reload();
    await expect(alert(page)).toContainText('Stripe.js not available');
    await page.unroute('**/stripe.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(payButton(page)).toBeEnabled();
  });

  test('when the payment has been made but cannot be recorded, which it then is', async ({ browser }) => {
    const { customer, page } = await openAsCustomer(browser);
    const order = await placeOrder(customer);
    await page.goto(`/pay-now/${order._id}`);
    await page.route(`**/api/order/${order._id}`, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await payWith(page, cards.good);
    await expect(alert(page)).toContainText('Failed to update payment status');
    await expect(alert(page)).toContainText(/pi_\w+/);
    await page.unroute(`**/api/order/${order._id}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page).toHaveURL('/dashboard');
    expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
  });

  test('when the answer of the provider is lost on the way, without a second charge', async ({ browser }) => {
    const { customer, page } = await openAsCustomer(browser);
    const order = await placeOrder(customer);
    await page.goto(`/pay-now/${order._id}`);
    await page.route('**/confirm', async (route) => {
      await route.fetch({ maxRetries: 3 });
      await route.abort();
    });
    await payWith(page, cards.good);
    await expectCharged(page);
    expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
  });
});

test('The pay page says one thing at a time, and whether the card was charged', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  const cancelLink = page.getByRole('link', { name: 'Cancel this order' });
  /** Lets the calls of one method about this order fail. */
  const failCalls = (method: string) =>
    page.route(`**/api/order/${order._id}`, (route) =>
      route.request().method() === method ? route.fulfill(unavailable('Please wait.')) : route.continue(),
    );

  await failCalls('GET');
  await page.route('**/stripe.js', (route) => route.abort());
  await page.goto(`/pay-now/${order._id}`);
  await expect(alert(page)).toContainText('Failed to fetch order details');
  await expect(alert(page)).toContainText('Nothing has been charged since you opened this page.');
  await expect(alert(page)).toHaveCount(1);
  await page.unrouteAll();
  // The provider's script may fail after the order did; then there is one more thing to try again.
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(async () => {
    if (await again.isVisible()) await again.click();
    await expect(payButton(page)).toBeEnabled({ timeout: 2_000 });
  }).toPass();
  await expect(cancelLink).toBeVisible();

  await failCalls('GET');
  await payWith(page, cards.declined);
  await expect(page.getByText('Your card was not charged.')).toBeVisible();
  await expect(alert(page)).toHaveText('Your card was declined.');
  await page.unrouteAll();

  await failCalls('PUT');
  await payWith(page, cards.good);
  await expect(alert(page)).toContainText('Failed to update payment status');
  await expect(alert(page)).toContainText('Your card has been charged: please do not pay again.');
  await expect(alert(page)).toHaveCount(1);
  await expect(cancelLink).toHaveCount(0);
});

test('An order is paid at the price at which it was placed', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const premium = await findPackage(customer, 'Premium');
  const order = await placeOrder(customer, 'Premium');
  await page.goto(`/pay-now/${order._id}`);
  await expect(page.getByRole('button', { name: `Pay Now ${premium.packagePrice}$` })).toBeEnabled();
});

test('An administrator cancels a paid order by returning it, and its customer reads what went back', async ({
  browser,
}) => {
  const { customer, page: theirs } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await confirmCard(customer, process.env['STRIPE_URL'] ?? '', await clientSecretFor(customer, order));
  await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' });

  const page = await openAsAdministrator(browser, `/admin/payment-status/${order._id}`);
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Refunds' }) });
  const question = page.getByRole('dialog');
  await panel.getByLabel('Amount in dollars').fill('600');
  await panel.getByRole('button', { name: 'Refund $600' }).click();
  await expect(panel).toContainText('At most $499 is left to return.');
  await panel.getByLabel('Amount in dollars').fill('100');
  await panel.getByLabel('Reason').selectOption('The customer asked for it');
  await panel.getByLabel('Note to the customer').fill('As we said on the phone.');
  await panel.getByRole('button', { name: 'Refund $100' }).click();
  await expect(question).toContainText('The order stays Paid');
  await question.getByRole('button', { name: 'Refund $100' }).click();
  await expect(alert(page).filter({ hasText: '$100 is returned' })).toBeVisible();
  await expect(panel).toContainText('As we said on the phone.');
  await expectAccessible(page);

  await panel.getByRole('button', { name: 'Refund $399' }).click();
  await expect(question).toContainText('no work is owed any more');
  await question.getByRole('button', { name: 'Refund $399' }).click();
  await expect(page.getByText('This order was refunded and stays refunded.')).toBeVisible();
  // So long a page that what other tests sell meanwhile pushes none of the rows from it.
  await page.route('**/api/ledger?*', (route) =>
    route.continue({ url: route.request().url().replace('pageSize=20', 'pageSize=100') }),
  );
  await page.goto('/ledger');
  await expect(page.getByRole('row', { name: `#${order.number}` })).toHaveCount(3);
  await expectAccessible(page);
  await page.context().close();

  await theirs.goto('/my-order');
  await expect(theirs.getByText('Refunded $499')).toBeVisible();
  await theirs.goto(`/order/${order._id}`);
  await expect(theirs.getByText('As we said on the phone.')).toBeVisible();
  await expectAccessible(theirs);
  await theirs.goto(`/pay-now/${order._id}`);
  await expect(theirs.getByText('This order was refunded', { exact: true })).toBeVisible();
  await expect(payButton(theirs)).toHaveCount(0);
  await theirs.context().close();
});
