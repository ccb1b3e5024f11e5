/** First run: a new and empty site is set up entirely in the browser. */
import { expect, type Page } from 'playwright/test';
import { expectAccessible, settle, test } from '../support/browser.ts';
import { startTestSystem } from '../support/system.ts';

const email = 'owner@new-agency.example';
const password = 'a-long-owner-password';

async function createAdministrator(page: Page, token: string, as = email): Promise<void> {
  await page.getByLabel('Setup token').fill(token);
  await page.getByLabel('Email').fill(as);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Create administrator' }).click();
}

test('A new site is set up in the browser: token, first administrator, payment key, seller, texts of the business pages', async ({
  browser,
}) => {
  const system = await startTestSystem({ seed: 'empty', setupToken: 'token-of-the-first-run' });
  try {
    const open = async () => (await browser.newContext({ baseURL: system.url })).newPage();
    const [page, latecomer] = [await open(), await open()];
    for (const [window, path] of [
      [page, '/add-user'],
      [latecomer, '/add-paypal-Email'],
    ] as const) {
      await window.goto(path);
      await expect(window.getByRole('heading', { name: 'Set up your site' })).toBeVisible();
    }

    const token = page.getByLabel('Setup token');
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await expect(token).toHaveAccessibleDescription(/^Please enter the setup token\./);
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is Required');
    await createAdministrator(page, 'a-guess');
    await expect(token).toHaveAccessibleDescription(/^This setup token is not correct\./);
    await expect(token).toBeFocused();
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue(password);
    await token.fill('token-of-the-first-run');
    await page.getByRole('button', { name: 'Create administrator' }).click();

    await expect(page.getByRole('heading', { name: 'Add your payment key' })).toBeVisible();
    await page.reload();
    await expect(page.getByText('Step 2 of 4')).toBeVisible();
    const key = page.getByLabel('Publishable key');
    await expect(key).toBeFocused();
    await key.fill('sk_live_secret');
    await key.press('Enter');
    await expect(key).toHaveAccessibleDescription(/^This is a secret key and must never be typed here\./);
    await key.fill(`${system.publishableKey}x`);
    await key.press('Enter');
    await expect(key).toHaveAccessibleDescription(/^Stripe does not recognize this key\./);
    await key.fill(system.publishableKey);
    await key.press('Enter');

    await expect(page.getByRole('heading', { name: 'Add your business details' })).toBeVisible();
    await expect(page.getByText('Step 3 of 4')).toBeVisible();
    const name = page.getByLabel('Legal name');
    await expect(name).toBeFocused();
    await settle(page);
    await expectAccessible(page);
    await name.fill('New Agency LLC');
    await page.getByLabel('Address').fill('1 Main Street\nSpringfield, IL 62701');
    await page.getByRole('button', { name: 'Save business details' }).click();

    await expect(page.getByRole('heading', { name: 'Write your business pages' })).toBeVisible();
    await settle(page);
    await expectAccessible(page);
    await page.getByLabel('Privacy').fill('We keep what you send us.');
    await page.getByRole('button', { name: 'Publish these pages' }).click();
    await expect(page).toHaveURL('/admin');
    await expect(page.getByRole('heading', { name: 'Welcome to Admin Panel' })).toBeVisible();
    const remaining = page.getByRole('note').filter({ hasText: 'Finish setting up your site' });
    await expect(remaining.getByRole('link')).toHaveText(['Name your business', 'Replace the example texts']);
    expect(await (await page.request.get('/api/stripe-keys')).json()).toMatchObject([
      { stripeKey: system.publishableKey },
    ]);
    expect(await (await page.request.get('/api/business-details')).json()).toMatchObject([
      { legalName: 'New Agency LLC', taxNumber: '' },
    ]);
    expect(await (await page.request.get('/api/legal-pages')).json()).toMatchObject([
      { path: '/privacy', text: 'We keep what you send us.' },
      { path: '/terms', text: expect.stringContaining('This is an example.') as unknown },
      { path: '/refunds' },
    ]);

    await createAdministrator(latecomer, 'token-of-the-first-run', 'second@new-agency.example');
    await expect(latecomer.getByRole('alert')).toContainText('This site is already set up.');
    await latecomer.getByRole('link', { name: 'Log in' }).click();
    await latecomer.getByLabel('Email').fill(email);
    await latecomer.getByRole('textbox', { name: 'Password' }).fill(password);
    await latecomer.getByRole('button', { name: 'Log in' }).click();
    await expect(latecomer).toHaveURL('/admin');
  } finally {
    await system.stop();
  }
});
