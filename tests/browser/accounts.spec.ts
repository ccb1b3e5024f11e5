/** Accounts as people meet them: signing up, in and out, verifying and resetting, with and without JavaScript. */
import { expect, type Page } from 'playwright/test';
import * as z from 'zod';
import { expectAccessible, test } from '../support/browser.ts';
import { newEmail, registerCustomer, signInAdministrator, signUp, Visitor } from '../support/visitor.ts';
import { registerAdministrator } from '../support/cast.ts';

const systemUrl = () => process.env['SYSTEM_URL'] ?? '';
const password = 'violet-harbor-91';
const wrongText = 'Incorrect email or password. Please try again.';
const mailbox = z.array(z.object({ to: z.string(), text: z.string() }));

test.use({ baseURL: process.env['SYSTEM_URL'] ?? '' });

/** Fails the test on what the browser complains about, a policy's violation above all. */
function watchComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refused sign-in is an answer with a status of its own, which Chromium logs.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** The link of the newest mail to somebody that leads to a page. */
async function mailedLink(email: string, page: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(async () => {
      const mail = mailbox
        .parse((await new Visitor(systemUrl()).get('/dev/mailbox')).json)
        .find(({ to, text }) => to === email && text.includes(page));
      link = /https?:\/\/\S+token=[\w-]+/.exec(mail?.text ?? '')?.[0];
      return link;
    })
    .toBeDefined();
  return new URL(link ?? '').href.replace(new URL(link ?? '').origin, systemUrl());
}

async function fill(page: Page, values: { email?: string; password?: string }) {
  if (values.email !== undefined) await page.getByLabel('Email').fill(values.email);
  if (values.password !== undefined)
    await page.getByRole('textbox', { name: /^(New p|P)assword$/ }).fill(values.password);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'With JavaScript' : 'Without JavaScript', () => {
    test.use({ javaScriptEnabled });

    test('a visitor signs up and lands on the landing page', async ({ page, context }) => {
      const complaints = watchComplaints(page);
      await page.goto('/register');
      await fill(page, { email: newEmail(), password });
      await page.getByRole('button', { name: 'Sign up' }).click();
      await expect(page).toHaveURL(`${systemUrl()}/`);
      const cookies = await context.cookies();
      expect(cookies.find(({ name }) => name === '__Host-session')).toMatchObject({
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
        path: '/',
      });
      expect(complaints).toEqual([]);
    });

    test('a wrong password is told on the page and the email stays', async ({ page }) => {
      const { email } = await registerCustomer(systemUrl());
      await page.goto('/login');
      await fill(page, { email, password: 'wrong-one-5' });
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page.getByRole('alert')).toHaveText(wrongText);
      await expect(page.getByLabel('Email')).toHaveValue(email);
      await expect(page).toHaveURL(/\/login$/);
    });

    test('errors stand beside their fields, in the words of the forms, and the email stays', async ({
      page,
    }) => {
      const emailField = page.getByLabel('Email');
      const passwordField = page.getByRole('textbox', { name: /^(New p|P)assword$/ });
      await page.goto('/login');
      const logIn = page.getByRole('button', { name: 'Log in' });
      await logIn.click();
      await expect(emailField).toHaveAccessibleDescription('Email is Required');
      await expect(passwordField).toHaveAccessibleDescription('Password is Required');
      if (javaScriptEnabled) await expect(emailField).toBeFocused();
      await fill(page, { email: 'a1@b2.cd', password: '12345' });
      await logIn.click();
      await expect(emailField).toHaveAccessibleDescription('Provide a Valid Email');
      await expect(passwordField).toHaveAccessibleDescription('Minimum 6 Characters');
      await expect(page.getByText('Email is Required')).toBeHidden();
      await expect(emailField).toHaveValue('a1@b2.cd');
      await expect(passwordField).toHaveValue(javaScriptEnabled ? '12345' : '');

      await page.goto('/register');
      await fill(page, { email: 'abc@example.com', password: 'password1' });
      await page.getByRole('button', { name: 'Sign up' }).click();
      await expect(page.getByText('This password is easily guessed. Please choose another.')).toBeVisible();
      await expect(emailField).toHaveValue('abc@example.com');
      await page.goto('/reset');
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(emailField).toHaveAccessibleDescription('Email is Required');

      await page.goto('/reset-password?token=made-up');
      await fill(page, { password: '12345' });
      await page.getByRole('button', { name: 'Save password' }).click();
      await expect(page.getByText('Minimum 6 Characters')).toBeVisible();
      await fill(page, { password });
      await page.getByRole('button', { name: 'Save password' }).click();
      await expect(page.getByRole('alert')).toHaveText(
        'This link has been used or is too old. Ask for a new one.',
      );
    });

    test('anyone who was on the way to a page lands there after logging in', async ({ page }) => {
      const customer = await registerCustomer(systemUrl());
      await page.goto('/my-order');
      await expect(page).toHaveURL(/\/login\?next=/);
      await fill(page, customer);
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page).toHaveURL(`${systemUrl()}/my-order`);
    });

    test('a forgotten password is replaced by the mailed link', async ({ page }) => {
      const { email } = await registerCustomer(systemUrl());
      await page.goto('/login');
      await page.getByRole('link', { name: 'Forgot password' }).click();
      await expect(page).toHaveURL(/\/reset$/);
      await fill(page, { email });
      await page.getByRole('button', { name: 'Send link' }).click();
      await expect(page.getByRole('status')).toContainText('If there is an account with this email');
      await page.goto(await mailedLink(email, '/reset-password'));
      await fill(page, { password: 'amber-window-37' });
      await page.getByRole('button', { name: 'Save password' }).click();
      await expect(page.getByRole('status')).toHaveText('Your password is changed. Please log in with it.');
      await page.goto('/login');
      await fill(page, { email, password: 'amber-window-37' });
      await page.getByRole('button', { name: 'Log in' }).click();
      await expect(page).toHaveURL(`${systemUrl()}/dashboard`);
    });

    test('an email is verified by its link and the password', async ({ page }) => {
      const { email, password: chosen } = await signUp(systemUrl());
      await page.goto(await mailedLink(email, '/verify-email'));
      await page.getByRole('button', { name: 'Verify email' }).click();
      await expect(page.getByText('Password is Required')).toBeVisible();
      await fill(page, { password: 'wrong-one-5' });
      await page.getByRole('button', { name: 'Verify email' }).click();
      await expect(page.getByText('Incorrect password. Please try again.')).toBeVisible();
      await fill(page, { password: chosen });
      await page.getByRole('button', { name: 'Verify email' }).click();
      await expect(page).toHaveURL(`${systemUrl()}/dashboard`);
    });

    test('an email is verified by its link alone where its owner is signed in', async ({ page }) => {
      const email = newEmail();
      await page.goto('/register');
      await fill(page, { email, password });
      await page.getByRole('button', { name: 'Sign up' }).click();
      await expect(page).toHaveURL(`${systemUrl()}/`);
      await page.goto(await mailedLink(email, '/verify-email'));
      await page.getByRole('button', { name: 'Verify email' }).click();
      await expect(page).toHaveURL(`${systemUrl()}/dashboard`);
    });
  });
}

test('A password can be shown, and password managers know the fields', async ({ page }) => {
  await page.goto('/login');
  const field = page.locator('input[name="password"]');
  await expect(field).toHaveAttribute('autocomplete', 'current-password');
  await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'username webauthn');
  await field.fill(password);
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(field).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(field).toHaveAttribute('type', 'password');
  await page.goto('/register');
  await expect(field).toHaveAttribute('autocomplete', 'new-password');
});

test('Who is signed in shows at first paint, and a visitor makes no call for it', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url());
  });
  await page.goto('/');
  const link = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
  await expect(link('Log in')).toBeVisible();
  await expect(link('Dashboard')).toBeHidden();
  await expect(link('Admin')).toBeHidden();
  expect(calls).toEqual([]);
  await page.goto('/login');
  // Of their own: to log in ends the oldest of one's many sessions, which other tests use.
  await fill(page, await registerAdministrator(systemUrl(), await signInAdministrator(systemUrl())));
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/dashboard|admin/);
  await page.goto('/', { waitUntil: 'commit' });
  await expect(link('Dashboard')).toBeVisible();
  await expect(link('Admin')).toBeVisible();
  await expect(link('Log in')).toBeHidden();
  await page.goto('/login');
  await expect(page).toHaveURL(`${systemUrl()}/dashboard`);
});

test('One manages the own account: password, devices, data', async ({ page }) => {
  const complaints = watchComplaints(page);
  const { email, password: chosen } = await registerCustomer(systemUrl());
  await page.goto('/login?next=/account');
  await fill(page, { email, password: chosen });
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  await expect(page.getByText('Not verified')).toBeVisible();
  await page.getByRole('button', { name: 'Send a new link' }).click();
  await expect(page.getByRole('alert')).toContainText('We have sent you a new link.');
  await expect(page.getByRole('table').getByRole('row')).toHaveCount(3);

  await page.getByLabel('Current password').fill('wrong-one-5');
  await page.getByLabel('New password').fill('amber-window-37');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Incorrect password. Please try again.')).toBeVisible();
  await page.getByLabel('Current password').fill(chosen);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(
    page.getByText('Your password is changed, and your other devices are signed out.'),
  ).toBeVisible();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download my data' }).click();
  expect((await download).suggestedFilename()).toBe('my-data.json');

  // What was typed has nowhere to go then, so nothing asks about it.
  const questions: string[] = [];
  page.on('dialog', (asked) => {
    questions.push(asked.type());
    return asked.accept();
  });
  await page.getByLabel('Company').fill('Lopez Lending');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page).toHaveURL(`${systemUrl()}/`);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Log in' })).toBeVisible();
  expect(questions).toEqual([]);
  expect(complaints).toEqual([]);
});

test('Signing out everywhere asks first, and leads to the log-in page', async ({ page }) => {
  const { email, password: chosen } = await registerCustomer(systemUrl());
  await page.goto('/login?next=/account');
  await fill(page, { email, password: chosen });
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out everywhere?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await question.getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/account');
  await expect(page).toHaveURL(/\/login\?next=/);
});

test('The sign-in pages are small and hold for everyone', async ({ page }) => {
  for (const path of [
    '/login',
    '/register',
    '/reset',
    '/recovery',
    '/verify-email?token=x',
    '/reset-password?token=x',
  ]) {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(path);
    // The others stand as they are among all screens, which are looked at for barriers in a test of their own.
    if (path.includes('?token=')) await expectAccessible(page);
    const { width, scriptBytes } = await page.evaluate(() => {
      const [visit] = performance.getEntriesByType('navigation');
      const loadedAt = visit instanceof PerformanceNavigationTiming ? visit.loadEventStart : 0;
      return {
        width: document.documentElement.scrollWidth,
        // What offers passkeys comes once the page stands.
        scriptBytes: performance
          .getEntriesByType('resource')
          .filter(({ name, startTime }) => name.endsWith('.js') && startTime < loadedAt)
          .reduce(
            (sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.decodedBodySize : 0),
            0,
          ),
      };
    });
    expect(width).toBeLessThanOrEqual(360);
    expect(scriptBytes).toBeGreaterThan(0);
    expect(scriptBytes).toBeLessThan(8_000);
  }
});
