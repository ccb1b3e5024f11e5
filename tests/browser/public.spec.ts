/** What visitors meet: the right links at first paint, the contact form with and without script. */
import { expect } from 'playwright/test';
import { expectHeard, listen, test, untilFormIsAlive } from '../support/browser.ts';
import { registerAdministrator } from '../support/cast.ts';
import { newEmail, signInAdministrator } from '../support/visitor.ts';

const url = process.env['SYSTEM_URL'] ?? '';

test('The navbar shows each person their own links at first paint, without a call', async ({ browser }) => {
  const seen = async (call?: string, body?: object) => {
    const context = await browser.newContext({ baseURL: url });
    const page = await context.newPage();
    await page.goto('/thanks');
    if (call !== undefined)
      await page.evaluate(
        ([path, json]) =>
          fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: json }).then(
            (response) => response.status,
          ),
        [call, JSON.stringify(body)] as const,
      );
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/')) calls.push(request.url());
    });
    await page.goto('/');
    const header = page.getByRole('banner');
    const links = await Promise.all(
      ['Log in', 'Dashboard', 'Admin'].map((name) =>
        header.getByRole('link', { name, exact: true }).isVisible(),
      ),
    );
    await context.close();
    return { links, calls };
  };
  const customer = { email: newEmail(), password: 'a customer password' };
  expect(await seen()).toEqual({ links: [true, false, false], calls: [] });
  expect(await seen('/api/auth/register', customer)).toEqual({ links: [false, true, false], calls: [] });
  // Of their own: to log in ends the oldest of one's many sessions, which other tests use.
  const { email, password } = await registerAdministrator(url, await signInAdministrator(url));
  expect(await seen('/api/auth/login', { email, password })).toEqual({
    links: [false, true, true],
    calls: [],
  });
});

const message = {
  Name: 'Ann Lee',
  Email: 'ann@lender.example',
  'Phone number': '+1 312 555 0100',
  Subject: 'Packages',
  Message: 'Which package suits two offices?',
};

test('A visitor sends a message, sees that it is sent, and is thanked', async ({ page }) => {
  const questions: string[] = [];
  page.on('dialog', (asked) => {
    questions.push(asked.type());
    return asked.accept();
  });
  await listen(page);
  await page.goto(`${url}/#contact-sec`);
  const form = page.locator('#contact-sec form');
  for (const [label, value] of Object.entries(message)) await form.getByLabel(label).fill(value);
  await untilFormIsAlive(page);
  await form.getByRole('button').click();
  await expectHeard(page, /Message is Send/);
  // Who looks at another tab meanwhile comes back to the same.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.waitForURL('**/thanks');
  expect(questions).toEqual([]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You !');
  await expect(
    page.getByText('We have received your message and will get back to you as soon as possible.'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Back Home' }).click();
  await page.waitForURL(`${url}/`);
});

test('On a wide window the forms of the account pages stay as narrow as they read well', async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 900 });
  for (const path of [
    '/login',
    '/register',
    '/reset',
    '/verify-email?token=x',
    '/reset-password?token=x',
    '/invitation?token=x',
  ]) {
    await page.goto(url + path);
    const box = await page.locator('form[data-account-form]').boundingBox();
    expect(box?.width, path).toBeLessThan(32 * 16);
  }
});

test('A visitor without JavaScript sends a message all the same', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: url });
  const page = await context.newPage();
  await page.goto('/contact');
  for (const [label, value] of Object.entries(message)) await page.getByLabel(label).first().fill(value);
  await page.locator('form[action="/api/add-message"] button').click();
  await expect(page).toHaveURL(`${url}/thanks`);
  await context.close();
});

test('Before anybody touches the form the landing page loads no script file', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url());
  });
  await page.goto(url, { waitUntil: 'networkidle' });
  expect(scripts).toEqual([]);
  await page.getByLabel('Name').first().focus();
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
});

test('On a low window every link of the menu can be reached', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 340 });
  await page.goto(`${url}/`);
  await page.getByRole('button', { name: 'Menu' }).click();
  const last = page.getByRole('navigation', { name: 'Main' }).getByRole('link').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});
