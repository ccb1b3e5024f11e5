/** Other paths through a sale: known customers, coupons, and a refund. */
import { expect } from 'playwright/test';
import { z } from 'zod';
import { expectAccessible, listen, systemUrl, test, unavailable } from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { newEmail, registerCustomer, signInAdministrator } from '../support/visitor.ts';
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
  payWith,
  unfold,
} from './journey.ts';

test('A returning customer logs in from the order form, which keeps what they typed and fills in the rest, and pays', async ({
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

  // The link in the verification email may lead to the form again. The form then shows the existing order.
  await page.goto('/pricing/');
  await page.getByRole('link', { name: 'Order Premium' }).first().click();
  await expect(page.getByRole('link', { name: 'See that order' })).toHaveAttribute('href', /^\/order\//);
});

test('A stranger whose email has an account is asked to log in, and neither a reload nor a refused order loses what they typed', async ({
  page,
}) => {
  const code = `KEPT-${String(Date.now())}`;
  const administrator = await signInAdministrator(systemUrl);
  expect((await administrator.post('/api/add-coupon', { code, percentOff: 10 })).status).toBe(201);
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
  await expect(page.getByText('Email is Required')).toHaveCount(0);
  await expect(password).toHaveAccessibleDescription(/Password is Required/);
  await page.getByRole('button', { name: 'Show password' }).click();
  await password.fill('a visitor password');
  await fillOrderForm(page);
  await page.getByText('Coupon code').first().click();
  await page.getByRole('textbox', { name: 'Coupon code' }).fill(code);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('$449.10 total')).toBeVisible();
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
  await expect(page.getByText('$449.10 total')).toBeVisible();

  // The account is created although the order is refused. The next press of the button needs no password.
  await page.route('**/api/new-order', (route) => route.fulfill(unavailable('Please wait.')));
  await page.getByLabel('Email').fill(email);
  await password.fill('a visitor password');
  await place.click();
  await expect(page.getByRole('alert')).toContainText('Please wait.');
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Email')).not.toBeEditable();
  await expect(page.getByRole('navigation', { name: 'Account' }).getByRole('link')).toHaveText('Dashboard');
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

  // A second tab shows what the first has saved in the meantime, and keeps the text that is typed in it.
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

  // Another order offers these answers, and does not overwrite text that is already typed there.
  const { _id } = await placeOrder(customer, 'Basic');
  await page.goto(`/order-brief/${_id}`);
  await page.getByLabel(towns).fill('Will County');
  await page.getByRole('button', { name: 'Send answers' }).click();
  await expect(page.getByLabel(loans)).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('button', { name: /^Use my answers from order #\d+$/ }).click();
  await expect(page.getByLabel(loans)).toHaveValue('FHA purchase loans');
  await expect(page.getByLabel(loans)).not.toHaveAttribute('aria-invalid');
  await expect(page.getByLabel(towns)).toHaveValue('Will County');
  await expect(page.getByText('Everything you typed is saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(loans)).toHaveValue('FHA purchase loans');

  // What they delete stays deleted. An answer that is not saved says so.
  const website = page.getByLabel('What is the address of your website?');
  await page.route('**/api/order/*/brief', (route) => route.abort());
  await website.fill('');
  await expect(website).toHaveAccessibleDescription(/^Not saved yet\. We could not reach the site\./);
  await page.unroute('**/api/order/*/brief');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Everything you typed is saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel(loans)).toHaveValue('FHA purchase loans');
  await expect(website).toHaveValue('');
});

test('An administrator creates a coupon, and a customer who follows a link with its code pays less', async ({
  browser,
}) => {
  const code = `LINK-${String(Date.now())}`;
  const administrator = await openAsAdministrator(browser, '/coupons');
  await administrator.getByLabel('Code', { exact: true }).fill(code.toLowerCase());
  await administrator.getByLabel('Percent').fill('10');
  await administrator.getByLabel('Basic').check();
  await administrator.getByRole('button', { name: 'Add coupon' }).click();
  const row = administrator.getByRole('row').filter({ hasText: code });
  await expect(row).toContainText('10% off');
  await administrator.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row.getByRole('button', { name: 'Copy link' }).click();
  await expect(administrator.getByText('Link copied')).toBeVisible();
  const link = await administrator.evaluate(() => navigator.clipboard.readText());

  const { customer, page } = await openAsCustomer(browser);
  // The link is not the first page of the visit.
  await page.goto('/');
  await page.goto(link);
  const packages = page.getByRole('region', { name: 'Packages', exact: true });
  await packages.getByRole('link', { name: 'Order Basic' }).click();
  await expect(page.getByText(`${code} takes $49.90 off the price.`)).toBeVisible();
  await expect(page.getByText('$449.10 total')).toBeVisible();
  await page.getByLabel('Coupon code', { exact: false }).fill('NO-SUCH-CODE');
  await expect(page.getByText('$499 total')).toBeVisible();
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('There is no coupon with this code.')).toBeVisible();
  await page.getByLabel('Coupon code', { exact: false }).fill(code);
  await page.getByLabel('Coupon code', { exact: false }).press('Enter');
  await expect(page.getByText('$449.10 total')).toBeVisible();
  await expectAccessible(page);
  await fillOrderForm(page);
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page).toHaveURL('/pending-order');
  await expect(payButton(page)).toHaveText('Pay Now 449.10$');
  await expect(page.getByText(`${code}, $49.90 off`)).toBeVisible();
  await payWith(page, cards.good);
  await expectCharged(page);
  const [order] = (await customer.get('/api/orders')).json as readonly { couponCode: string }[];
  expect(order).toMatchObject({ couponCode: code, paymentStatus: 'Paid', packagePrice: '449.10' });

  await administrator.reload();
  await expect(row).toContainText('1 order');
  const { page: late } = await openAsCustomer(browser);
  await late.goto(link);
  await late.getByRole('link', { name: 'Order Basic' }).first().click();
  await expect(late.getByText('$449.10 total')).toBeVisible();
  await fillOrderForm(late);
  await administrator.getByRole('button', { name: `End ${code}` }).click();
  await administrator.getByRole('button', { name: 'End coupon' }).click();
  await expect(row).toContainText('Ended');
  await late.getByRole('button', { name: 'Place Order' }).click();
  await expect(late.getByText(`The coupon ${code} has ended.`).first()).toBeVisible();
  await expect(late.getByText('$499 total')).toBeVisible();
  await expect(late.getByText('off the price')).toHaveCount(0);
});

test('An administrator cancels a paid order by refunding it, and its customer reads how much', async ({
  browser,
}) => {
  const { customer, page: theirs } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await payOrder(customer, order);

  const page = await openAsAdministrator(browser, `/admin/payment-status/${order._id}`);
  const panel = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Refunds' }) });
  const refund = panel.getByRole('button', { name: 'Refund part or all' });
  await refund.click();
  await panel.getByLabel('Amount in dollars').fill('600');
  await panel.getByRole('button', { name: 'Refund $600' }).click();
  await expect(panel).toContainText('At most $499 can be refunded.');
  await panel.getByLabel('Amount in dollars').fill('100');
  await panel.getByLabel('Reason').selectOption('The customer asked for it');
  await panel.getByLabel('Note to the customer').fill('As we said on the phone.');
  await expect(panel).toContainText('The order stays Paid');
  await panel.getByRole('button', { name: 'Refund $100' }).click();
  await expect(alerts(page).filter({ hasText: '$100 refunded' })).toBeVisible();
  await expect(panel).toContainText('As we said on the phone.');
  await theirs.goto('/dashboard');
  await expect(theirs.getByText('$399 after refunds.')).toBeVisible();

  await refund.click();
  await expect(panel).toContainText('No more work is due');
  await panel.getByRole('button', { name: 'Refund $399' }).click();
  await expect(alerts(page).filter({ hasText: '$399 refunded' })).toBeVisible();
  await unfold(page, 'Status');
  await expect(page.getByText('This order was refunded and stays refunded.')).toBeVisible();
  // The page is so long that sales in other tests push none of the rows off it.
  await page.route('**/api/ledger?*', (route) =>
    route.continue({ url: route.request().url().replace('pageSize=20', 'pageSize=100') }),
  );
  await page.goto('/ledger');
  const entries = page.getByRole('row', { name: `#${order.number}` });
  await expect(entries).toHaveCount(4);
  await expect(entries.filter({ hasText: '-$399' })).toHaveCount(1);
  await expect(page.getByText('.00', { exact: false })).toHaveCount(0);
  await expectAccessible(page);

  await theirs.goto('/my-order');
  await expect(theirs.getByText('Refunded $499')).toBeVisible();
  await theirs.goto(`/order/${order._id}`);
  await expect(theirs.getByText('As we said on the phone.')).toBeVisible();
  await theirs.goto(`/pay-now/${order._id}`);
  await expect(theirs.getByText('This order was refunded', { exact: true })).toBeVisible();
  await expect(payButton(theirs)).toHaveCount(0);
});
