/** Accounts without JavaScript, an error of their forms, and the account screen. */
import { expect, type Page } from 'playwright/test';
import { expectAccessible, systemUrl, test, watchComplaints } from '../support/browser.ts';
import { mailedToken, registerAdministrator } from '../support/cast.ts';
import { newEmail, registerCustomer, signInAdministrator } from '../support/visitor.ts';
import { openAsCustomer } from './journey.ts';

const [password, newPassword] = ['violet-harbor-91', 'amber-window-37'];
const press = (page: Page, name: string) => page.getByRole('button', { name }).click();
const passwordField = (page: Page) => page.getByRole('textbox', { name: /^(New p|P)assword$/ });

async function fill(page: Page, values: { email?: string; password: string }) {
  if (values.email !== undefined) await page.getByLabel('Email').fill(values.email);
  await passwordField(page).fill(values.password);
}

test.describe('Without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a person signs up, verifies the email and replaces a forgotten password', async ({ page }) => {
    const email = newEmail();
    await page.goto('/register');
    await fill(page, { email, password });
    await press(page, 'Sign up');
    await expect(page).toHaveURL('/');
    await page.goto(`/verify-email?token=${await mailedToken(systemUrl, email, '/verify-email')}`);
    await press(page, 'Verify email');
    await expect(page).toHaveURL('/dashboard?verified');

    await page.context().clearCookies();
    await page.goto('/reset');
    await page.getByLabel('Email').fill(email);
    await press(page, 'Send link');
    await expect(page.getByRole('status')).toContainText('If there is an account with this email');
    await page.goto(`/reset-password?token=${await mailedToken(systemUrl, email, '/reset-password')}`);
    await fill(page, { password: newPassword });
    await press(page, 'Save password');
    await expect(page.getByRole('status')).toHaveText(
      'Your password has been changed. Please log in with the new one.',
    );
    await page.goto('/my-order');
    await expect(page).toHaveURL(/\/login\?next=/);
    await fill(page, { email, password: newPassword });
    await press(page, 'Log in');
    await expect(page).toHaveURL('/my-order');
  });
});

test('An error that only the site finds appears next to its field, and what was entered is kept', async ({
  page,
}) => {
  await page.goto('/register');
  await fill(page, { email: 'abc@example.com', password: 'password1' });
  await press(page, 'Sign up');
  await expect(page.getByText('This password is easy to guess. Please choose another.')).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('abc@example.com');
});

test('The navigation bar shows an administrator their links at first paint, without a call from the page', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
  });
  const link = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
  await page.goto('/');
  await expect(link('Log in')).toBeVisible();
  await expect(link('Admin')).toBeHidden();
  expect(calls).toEqual([]);
  await page.goto('/login');
  // A new administrator, because each login ends the oldest of many sessions, which another test may use.
  await fill(page, await registerAdministrator(systemUrl, await signInAdministrator(systemUrl)));
  await press(page, 'Log in');
  await expect(page).toHaveURL(/dashboard|admin/);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(link('Dashboard')).toBeVisible();
  await expect(link('Admin')).toBeVisible();
  await expect(link('Log in')).toBeHidden();
});

test('A customer changes the password, signs out everywhere, downloads their data and deletes the account', async ({
  page,
}) => {
  const complaints = watchComplaints(page);
  const customer = await registerCustomer(systemUrl);
  await page.goto('/login?next=/account');
  await fill(page, customer);
  await press(page, 'Log in');
  await expect(page.getByText('Not verified')).toBeVisible();
  await press(page, 'Send a new link');
  await expect(page.getByRole('alert')).toContainText('We sent you a new link.');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(3);
  await page.getByLabel('Current password').fill('wrong-one-5');
  await page.getByLabel('New password').fill(newPassword);
  await press(page, 'Change password');
  await expect(page.getByText('Incorrect password. Please try again.')).toBeVisible();
  await page.getByLabel('Current password').fill(customer.password);
  await press(page, 'Change password');
  await expect(
    page.getByText('Your password has been changed, and your other devices have been signed out.'),
  ).toBeVisible();
  // The other device leaves the table, which moves the button below it.
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(2);

  await press(page, 'Sign out everywhere');
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await press(page, 'Sign out everywhere');
  await question.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/account');
  await expect(page).toHaveURL(/\/login\?next=/);
  await fill(page, { email: customer.email, password: newPassword });
  await press(page, 'Log in');

  const download = page.waitForEvent('download');
  await press(page, 'Download my data');
  expect((await download).suggestedFilename()).toBe('my-data.json');
  // The page does not ask about unsaved text when the account is deleted.
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  await page.getByLabel('Company').fill('Lopez Lending');
  await press(page, 'Delete my account');
  await question.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('status').filter({ hasText: 'Your account has been deleted.' })).toBeVisible();
  expect(asked).toEqual([]);
  expect(complaints).toEqual([]);
});

test('The sign-in pages load little script before they appear', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ['/login', '/register', '/reset', '/recovery', '/reset-password?token=x']) {
    await page.goto(path);
    // The test of every screen opens the other pages.
    if (path.includes('?token=')) await expectAccessible(page);
    const scriptBytes = await page.evaluate(() => {
      const [visit] = performance.getEntriesByType('navigation');
      const loadedAt = visit instanceof PerformanceNavigationTiming ? visit.loadEventStart : 0;
      // The script of passkeys loads after the page.
      return performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => name.endsWith('.js') && startTime < loadedAt)
        .reduce(
          (sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.decodedBodySize : 0),
          0,
        );
    });
    expect(scriptBytes, path).toBeGreaterThan(0);
    // Of these, 200 bytes parse `next`, so that it cannot lead to another site, and 350 find the mistakes in an email
    // that the server would find. Code splitting by the bundler changes the sum by about 50 bytes.
    expect(scriptBytes, path).toBeLessThan(8_650);
  }
});

test('A profile that is edited in two tabs keeps what each of them changed', async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  await page.goto('/account');
  await page.getByLabel('Phone').fill('(312) 555-0199');
  await customer.put('/api/auth/profile', { company: 'Lopez Lending' });
  await press(page, 'Save profile');
  await expect(page.getByRole('alert')).toContainText('Your profile is saved.');
  await expect(page.getByLabel('Company')).toHaveValue('Lopez Lending');
  await expect(page.getByLabel('Phone')).toHaveValue('(312) 555-0199');
});
