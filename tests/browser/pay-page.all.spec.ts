/** The pay page: what it says when something fails, and that nobody pays twice. */
import { expect } from 'playwright/test';
import {
  expectAccessible,
  expectHeard,
  listen,
  systemUrl,
  test,
  unavailable,
  whenPainted,
} from '../support/browser.ts';
import { mailsTo } from '../support/mailbox.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer } from '../support/visitor.ts';
import {
  alerts,
  cards,
  expectCharged,
  hold,
  leaveForDashboard,
  openAsCustomer,
  payButton,
  paymentStatusOf,
  payWith,
  pressAll,
  typeCard,
} from './journey.ts';

test('The pay page shows one message per failure, says whether the card was charged, and records the payment in the end', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  const tryAgain = page.getByRole('button', { name: 'Try again' });
  const cancelLink = page.getByRole('link', { name: 'Cancel this order' });
  /** Fails the calls of one method about this order. */
  const failCalls = (method: string) =>
    page.route(`**/api/order/${order._id}`, (route) =>
      route.request().method() === method ? route.fulfill(unavailable('Please wait.')) : route.continue(),
    );

  await failCalls('GET');
  await page.route('**/stripe.js', (route) => route.abort());
  await page.goto(`/pay-now/${order._id}`);
  await expect(alerts(page)).toContainText('Failed to fetch order details');
  await expect(alerts(page)).toContainText('Nothing has been charged since you opened this page.');
  await expect(alerts(page)).toHaveCount(1);
  await page.unroute(`**/api/order/${order._id}`);
  await expect(async () => {
    await pressAll(tryAgain);
    expect(await alerts(page).allTextContents()).toEqual([
      expect.stringContaining('Failed to load Stripe.js'),
    ]);
  }).toPass();
  await page.unroute('**/stripe.js');
  await page.route('**/stripe.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.reload();
  await expect(alerts(page)).toContainText('Stripe.js not available');
  await expect(payButton(page)).toBeDisabled();
  await page.unroute('**/stripe.js');

  await page.route('**/api/create-payment-intent', (route) => route.abort());
  await page.reload();
  await expect(alerts(page)).toContainText('Failed to create payment intent');
  await expect(payButton(page)).toBeDisabled();
  const words = 'Our payment provider is not responding right now. Please try again in a moment.';
  await page.unroute('**/api/create-payment-intent');
  await page.route('**/api/create-payment-intent', (route) => route.fulfill(unavailable(words)));
  await tryAgain.click();
  await expect(alerts(page)).toContainText(words);
  await page.unroute('**/api/create-payment-intent');
  await tryAgain.click();
  await expect(payButton(page)).toBeEnabled();
  const showField = await hold(page, '**/frames/card.js');
  await page.clock.install();
  const isFound = page.waitForResponse('**/v1/payment_intents/*');
  await page.reload({ waitUntil: 'commit' });
  await isFound;
  await whenPainted(page);
  await expect(payButton(page)).toBeDisabled();
  const lateField = page.getByText('The card field has not loaded yet');
  await expect(lateField).toHaveCount(0);
  await page.clock.fastForward(15_000);
  await expect(lateField).toBeVisible();
  showField();
  await expect(payButton(page)).toBeEnabled();
  await expect(lateField).toHaveCount(0);
  await expect(cancelLink).toBeVisible();
  await payButton(page).click();
  await expect(alerts(page)).toHaveText('Your card number is incomplete.');

  await failCalls('GET');
  await payWith(page, cards.declined);
  await expect(page.getByText('Your card was not charged.')).toBeVisible();
  await expect(alerts(page)).toHaveText('Your card was declined.');
  await page.unrouteAll();
  await failCalls('PUT');
  await payWith(page, cards.good);
  await expect(alerts(page)).toContainText('Failed to update payment status');
  await expect(alerts(page)).toContainText(/pi_\w+/);
  await expect(alerts(page)).toContainText('Your card has been charged. Please do not pay again.');
  await expect(alerts(page)).toHaveCount(1);
  await expect(cancelLink).toHaveCount(0);
  await page.unrouteAll();
  // The page tries again automatically.
  await leaveForDashboard(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('After five declined cards, the pay page says how long to wait, and accepts no other card', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  const secret = await clientSecretFor(customer, order);
  for (let count = 0; count < 4; count += 1)
    await confirmCard(customer, process.env['STRIPE_URL'] ?? '', secret, 'pm_card_chargeDeclined');
  await payWith(page, cards.declined);
  await expect(alerts(page)).toContainText(
    /Too many cards were declined for this order\. Please wait 1[45] minutes, then load this page again/,
  );
  await expect(payButton(page)).toBeDisabled();
  await page.reload();
  await expect(alerts(page)).toContainText('Too many cards were declined for this order.');
  await expect(payButton(page)).toBeDisabled();
  await expectAccessible(page);
});

test('A payment that the bank is processing is waited for, and found again after a reload', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await page.goto(`/pay-now/${order._id}`);
  await typeCard(page, cards.processing);
  await expect(payButton(page)).toBeEnabled();
  // The page learns nothing new while its last request waits.
  const decided = Promise.withResolvers<undefined>();
  const questions = /\/v1\/payment_intents\/pi_\w+(\?|$)/;
  await page.route(questions, (route) => decided.promise.then(() => route.continue()));
  await payButton(page).click();
  const waiting = page.getByText('Your bank is processing the payment.');
  await expect(waiting).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Cancel this order' })).toHaveCount(0);
  decided.resolve(undefined);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.reload();
  await expectHeard(page, /Transaction ID: pi_\w+|This order is already paid/);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('A person who gets the link reads what they pay for, for whom and to whom, pays, and gets a receipt by email', async ({
  browser,
  page,
}) => {
  const customer = await registerCustomer(systemUrl);
  const order = await placeOrder(customer);
  const payerEmail = newEmail('payer');
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/pay-now/${order._id}`);
  const main = page.getByRole('main');
  await expect(main).toContainText(`Order #${order.number}: the Basic package for $499, ordered by Ada.`);
  await expect(main).toContainText('You are buying from Tallymark Search LLC');
  await expect(page.getByText('Broker')).toHaveCount(0);
  await expect(main.getByRole('link', { name: 'Sign Up' })).toHaveAttribute(
    'href',
    `/register?next=${encodeURIComponent(`/order/${order._id}`)}`,
  );
  await typeCard(page, cards.good);
  // The whole number is visible on a phone.
  const number = page
    .frameLocator('iframe[title="Secure card payment input frame"]')
    .getByPlaceholder('Card number');
  expect(await number.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
  await payButton(page).click();
  await expect(page.getByText('Please enter the name on the card')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/^Email is Required/);
  await page.getByLabel('Name').fill('Ben Payer');
  await expect(page.getByText('Please enter the name on the card')).toHaveCount(0);
  await page.getByLabel('Email').fill(payerEmail);
  await payButton(page).click();
  await expect(page.getByText(/^pi_\w+$/)).toBeVisible();
  await expect(main.getByRole('definition')).toHaveText(['Basic', `#${order.number}`, '$499', 'Ada']);
  await expect(main.getByRole('link', { name: 'Log in' })).toBeVisible();
  await expectAccessible(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
  await mailsTo(systemUrl, payerEmail);
  const { page: other } = await openAsCustomer(browser);
  await other.goto(`/pay-now/${order._id}`);
  await expect(other.getByText('This order is already paid')).toBeVisible();
  await expect(other.getByRole('main').getByRole('link')).toHaveText('Go to your dashboard');
});

test('Pressing twice or using a second tab pays only once', async ({ browser }) => {
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
  await expectHeard(secondTab, /This order was already paid.+Your card was not charged\./s);
});

/**
 * The requests of a payment in order, when the connection is cut, and the button that continues. The first test in this
 * file cuts the connection before the payment is opened and before it is recorded.
 */
const cuts = [
  { step: 'opens', requests: '**/api/create-payment-intent', cut: 'during', way: 'Try again' },
  { step: 'reads the card', requests: '**/v1/payment_methods', cut: 'during', way: /^Pay Now/ },
  { step: 'confirms', requests: '**/v1/payment_intents/*/confirm', cut: 'before', way: /^Pay Now/ },
  { step: 'confirms', requests: '**/v1/payment_intents/*/confirm', cut: 'during', way: undefined },
  { step: 'is recorded', requests: '**/api/order/*', cut: 'during', way: 'Try again' },
] as const;

test('A payment whose connection is cut at any step is made once, or can be made again', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  for (const { step, requests, cut, way } of cuts)
    await test.step(`${cut} the payment ${step}`, async () => {
      const order = await placeOrder(customer);
      let count = 0;
      await page.route(requests, async (route) => {
        if (count > 0 || route.request().method() === 'GET') return route.fallback();
        count += 1;
        if (cut === 'during') await route.fetch({ maxRetries: 3 });
        return route.abort();
      });
      await page.goto(`/pay-now/${order._id}`);
      // What the page said about the payment earlier does not count.
      await page.evaluate(() => sessionStorage.removeItem('heard'));
      if (step === 'opens') await page.getByRole('button', { name: way }).click();
      await payWith(page, cards.good);
      if (way !== undefined && step !== 'opens') {
        await expect(
          page.getByText(step === 'is recorded' ? 'Your card has been charged' : 'Your card was not charged'),
        ).toBeVisible();
        await page.getByRole('button', { name: way }).click();
      }
      await expect.poll(() => paymentStatusOf(customer, order._id)).toBe('Paid');
      await expectHeard(page, /Thank you, your payment was successful/);
      expect(count).toBe(1);
      await page.unroute(requests);
    });
});
