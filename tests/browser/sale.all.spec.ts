/** Every way in which a sale can go wrong, and what comes after it. */
import { expect } from 'playwright/test';
import { z } from 'zod';
import { expectAccessible, expectHeard, listen, systemUrl, test, unavailable } from '../support/browser.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer } from '../support/visitor.ts';
import {
  alerts,
  cards,
  expectCharged,
  fillOrderForm,
  leaveForDashboard,
  openAsAdministrator,
  openAsCustomer,
  payButton,
  payOrder,
  paymentStatusOf,
  payWith,
  readMailbox,
  typeCard,
  unfold,
} from './journey.ts';

test('A returning customer logs in from the order form, which keeps what they typed and knows the rest, and pays', async ({
  page,
}) => {
  const customer = await registerCustomer(systemUrl);
  const { customerAddress } = await placeOrder(customer, 'Basic');
  await listen(page);
  await page.goto('/');
  await page.getByRole('link', { name: 'Order Premium' }).click();
  await page.getByLabel('Name').fill('Ada Typed');
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Log in');
  await expect(page.getByText(/^You are ordering the Premium package/)).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign Up' })).toHaveAttribute(
    'href',
    /^\/register\?next=%2Forder-now%2F/,
  );
  await page.getByLabel('Email').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Order the Premium package' })).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(customer.email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await expect(page.getByLabel('Name')).toHaveValue('Ada Typed');
  await expect(page.getByLabel('Address')).toHaveValue(customerAddress);
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page).toHaveURL('/pending-order');
  await expect(page.getByText(/^#\d+, \w+ package/)).toHaveText([/Premium package/, /Basic package/]);
  await expect(payButton(page)).toBeEnabled();
  await payWith(page, cards.good);
  await leaveForDashboard(page);

  // The link of the verification mail may lead to the form again. The form then names the existing order.
  await page.goto('/pricing/');
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await expect(page.getByRole('link', { name: 'See that order' })).toHaveAttribute('href', /^\/order\//);
});

test('A stranger whose email has an account is told to log in, and neither a reload nor a refused order loses what they typed', async ({
  browser,
  page,
}) => {
  const code = `KEPT-${String(Date.now())}`;
  const administrator = await openAsAdministrator(browser, '/coupons');
  await administrator.getByLabel('Code', { exact: true }).fill(code);
  await administrator.getByLabel('Percent').fill('10');
  await administrator.getByRole('button', { name: 'Add coupon' }).click();
  await expect(administrator.getByRole('row').filter({ hasText: code })).toBeVisible();

  const { email: taken } = await registerCustomer(systemUrl);
  const email = newEmail('newcomer');
  const password = page.getByLabel('Password', { exact: true });
  const place = page.getByRole('button', { name: 'Place Order' });
  await page.goto('/pricing/');
  await page.getByRole('link', { name: 'Order Basic' }).first().click();
  await place.click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is Required');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.getByLabel('Email').fill(taken);
  await page.getByRole('button', { name: 'Show password' }).click();
  await password.fill('a visitor password');
  await fillOrderForm(page);
  await page.getByText('Coupon code').first().click();
  await page.getByRole('textbox', { name: 'Coupon code' }).fill(code);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('$449.10 in all')).toBeVisible();
  await place.click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/already an account with this email/);
  await expect(page.getByRole('alert').getByRole('link', { name: 'Log in' })).toHaveAttribute(
    'href',
    /^\/login\?next=%2Forder-now%2F/,
  );
  expect(JSON.stringify(await page.evaluate(() => sessionStorage))).not.toContain('visitor password');

  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await expect(page.getByLabel('Email')).toHaveValue(taken);
  await expect(page.getByLabel('Name')).toHaveValue('Ada Broker');
  await expect(page.getByText('$449.10 in all')).toBeVisible();

  // The account is made although the order is refused. The next press of the button needs no password.
  await page.route('**/api/new-order', (route) => route.fulfill(unavailable('Please wait.')));
  await page.getByLabel('Email').fill(email);
  await password.fill('a visitor password');
  await place.click();
  await expect(page.getByRole('alert')).toContainText('Please wait.');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await expect(page.getByLabel('Address')).toHaveValue('12 Harbor Street, Portland');
  await page.unroute('**/api/new-order');
  await place.click();
  await expect(page).toHaveURL('/pending-order');
  await expect(payButton(page)).toHaveText('Pay Now 449.10$');
});

test('The order form and the questions are filled in with what the customer has told us before', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const profile = { name: 'Maria Lopez', company: 'Lopez Lending LLC', website: 'https://lopezlending.com' };
  expect((await customer.put('/api/auth/profile', profile)).status).toBe(200);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/pricing/');
  // The test of a changed price gives the Standard package another price for a while.
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await expect(page.getByLabel('Name')).toHaveValue(profile.name);
  await expect(page.getByLabel('Company', { exact: false })).toHaveValue(profile.company);
  await page.getByLabel('Address').fill('120 Main Street, Joliet, IL 60432');
  await page.getByLabel('Country').selectOption('United States');
  await page.getByRole('button', { name: 'Place Order' }).click();
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

  // A second tab shows what the first has saved in the meantime, and keeps what is typed in it.
  const second = await page.context().newPage();
  await second.goto(page.url());
  const [loans, towns] = [
    'Which loans should we bring you borrowers for?',
    'Which towns or counties do you serve?',
  ];
  await page.getByLabel(loans).fill('FHA purchase loans');
  await expect(page.getByText('Everything you typed is saved.')).toBeVisible();
  await second.getByLabel(towns).fill('Cook County');
  await expect(second.getByText('Everything you typed is saved.')).toBeVisible();
  await expect(second.getByLabel(loans)).toHaveValue('FHA purchase loans');
  await expect(second.getByLabel(towns)).toHaveValue('Cook County');

  // A further order offers these answers, and writes over none that is typed there already.
  const { _id } = await placeOrder(customer, 'Basic');
  await page.goto(`/order-brief/${_id}`);
  await page.getByLabel(towns).fill('Will County');
  await page.getByRole('button', { name: /^Use my answers from order #\d+$/ }).click();
  await expect(page.getByLabel(loans)).toHaveValue('FHA purchase loans');
  await expect(page.getByLabel(towns)).toHaveValue('Will County');
  await expect(page.getByText('Everything you typed is saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(loans)).toHaveValue('FHA purchase loans');
});

test('After five declined cards the pay page says how long to wait, and accepts no other card', async ({
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
  await expectHeard(page, /Transaction id: pi_\w+|This order is paid already/);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
});

test('Somebody who is sent the link reads what, for whom and from whom, pays, and gets a receipt by mail', async ({
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
  await expect(main).toContainText('You buy from Tallymark Search LLC');
  await expect(page.getByText('Broker')).toHaveCount(0);
  await expect(main.getByRole('link', { name: 'Sign Up' })).toHaveAttribute(
    'href',
    `/register?next=${encodeURIComponent(`/order/${order._id}`)}`,
  );
  await typeCard(page, cards.good);
  // The whole number shows on a phone.
  const number = page
    .frameLocator('iframe[title="Secure card payment input frame"]')
    .getByPlaceholder('Card number');
  expect(await number.evaluate((input) => input.scrollWidth - input.clientWidth)).toBe(0);
  await payButton(page).click();
  await expect(page.getByText('Please enter the name on the card')).toBeVisible();
  await page.getByLabel('Name').fill('Ben Payer');
  await page.getByLabel('Email').fill(payerEmail);
  await payButton(page).click();
  await expect(page.getByText(/^pi_\w+$/)).toBeVisible();
  await expect(main.getByRole('definition')).toHaveText(['Basic', `#${order.number}`, '$499', 'Ada']);
  await expect(main.getByRole('link', { name: 'Log in' })).toBeVisible();
  await expectAccessible(page);
  expect(await paymentStatusOf(customer, order._id)).toBe('Paid');
  await expect.poll(readMailbox).toContain(payerEmail);
  const other = await browser.newPage({ baseURL: systemUrl });
  await other.goto(`/pay-now/${order._id}`);
  await expect(other.getByText('This order is paid already')).toBeVisible();
});

test('Pressing twice, using a second tab, or going back pays only once', async ({ browser }) => {
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
  await expectHeard(secondTab, /This order was paid already.+Your card was not charged\./s);
  await expect(page).toHaveURL('/dashboard');
  await page.goBack();
  await expect(page).toHaveURL('/pending-order');
  await expect(page.getByText('You Have Paid')).toBeVisible();
  await page.goto(`/pay-now/${order._id}`);
  await expect(page.getByText('This order is paid already')).toBeVisible();
  await expect(payButton(page)).toHaveCount(0);
});

/** The requests of a payment in order, and the button that continues if one is cut off before or during it. */
const paymentSteps = [
  { step: 'opens', requests: '**/api/create-payment-intent', before: 'Try again', during: 'Try again' },
  { step: 'reads the card', requests: '**/v1/payment_methods', before: /^Pay Now/, during: /^Pay Now/ },
  { step: 'confirms', requests: '**/v1/payment_intents/*/confirm', before: /^Pay Now/, during: undefined },
  { step: 'is recorded', requests: '**/api/order/*', before: 'Try again', during: 'Try again' },
] as const;

// A cut after one request is a cut before the next.
for (const { step, requests, ...ways } of paymentSteps)
  test(`A payment whose connection is cut while it ${step} is made once, or can be made again`, async ({
    browser,
  }) => {
    const { customer, page } = await openAsCustomer(browser);
    for (const cut of ['before', 'during'] as const) {
      const order = await placeOrder(customer);
      let cuts = 0;
      await page.route(requests, async (route) => {
        if (cuts > 0 || route.request().method() === 'GET') return route.fallback();
        cuts += 1;
        if (cut === 'during') await route.fetch({ maxRetries: 3 });
        return route.abort();
      });
      await page.goto(`/pay-now/${order._id}`);
      // What the page said about the payment earlier does not count.
      await page.evaluate(() => sessionStorage.removeItem('heard'));
      const way = ways[cut];
      const isOpening = step === 'opens';
      if (way !== undefined && isOpening) await page.getByRole('button', { name: way }).click();
      await payWith(page, cards.good);
      if (way !== undefined && !isOpening) {
        await expect(
          page.getByText(step === 'is recorded' ? 'Your card has been charged' : 'Your card was not charged'),
        ).toBeVisible();
        await page.getByRole('button', { name: way }).click();
      }
      await expect.poll(() => paymentStatusOf(customer, order._id)).toBe('Paid');
      await expectHeard(page, /Thank you, your payment was successful/);
      expect(cuts).toBe(1);
      await page.unroute(requests);
    }
  });

test('An administrator cancels a paid order by refunding it, and its customer reads how much', async ({
  browser,
}) => {
  const { customer, page: theirs } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await payOrder(customer, order);

  const page = await openAsAdministrator(browser, `/admin/payment-status/${order._id}`);
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Refunds' }) });
  const question = page.getByRole('dialog', { name: /^Return/ });
  const refund = panel.getByRole('button', { name: 'Refund a part or all' });
  await refund.click();
  await panel.getByLabel('Amount in dollars').fill('600');
  await panel.getByRole('button', { name: 'Refund $600' }).click();
  await expect(panel).toContainText('At most $499 can be refunded.');
  await panel.getByLabel('Amount in dollars').fill('100');
  await panel.getByLabel('Reason').selectOption('The customer asked for it');
  await panel.getByLabel('Note to the customer').fill('As we said on the phone.');
  await panel.getByRole('button', { name: 'Refund $100' }).click();
  await expect(question).toContainText('The order stays Paid');
  await question.getByRole('button', { name: 'Refund $100' }).click();
  await expect(alerts(page).filter({ hasText: '$100 is returned' })).toBeVisible();
  await expect(panel).toContainText('As we said on the phone.');

  await refund.click();
  await panel.getByRole('button', { name: 'Refund $399' }).click();
  await expect(question).toContainText('No more work is due');
  await question.getByRole('button', { name: 'Refund $399' }).click();
  await unfold(page, 'Status');
  await expect(page.getByText('This order was refunded and stays refunded.')).toBeVisible();
  // The page is so long that sales of other tests push none of the rows off it.
  await page.route('**/api/ledger?*', (route) =>
    route.continue({ url: route.request().url().replace('pageSize=20', 'pageSize=100') }),
  );
  await page.goto('/ledger');
  await expect(page.getByRole('row', { name: `#${order.number}` })).toHaveCount(4);
  await expectAccessible(page);

  await theirs.goto('/my-order');
  await expect(theirs.getByText('Refunded $499')).toBeVisible();
  await theirs.goto(`/order/${order._id}`);
  await expect(theirs.getByText('As we said on the phone.')).toBeVisible();
  await theirs.goto(`/pay-now/${order._id}`);
  await expect(theirs.getByText('This order was refunded', { exact: true })).toBeVisible();
  await expect(payButton(theirs)).toHaveCount(0);
});
