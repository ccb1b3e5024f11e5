/** The first run: a new and empty site is set up in the browser alone, and then sells. */
import { expect } from 'playwright/test';
import { findFaults, settle, test } from '../support/browser.ts';
import { startTestSystem } from '../support/system.ts';

const email = 'owner@new-agency.example';
const password = 'a-long-owner-password';

test('A new site is set up in the browser: token, first administrator, payment key', async ({ browser }) => {
  const system = await startTestSystem({ seed: 'empty', setupToken: 'token-of-the-first-run' });
  try {
    const open = async () =>
      (await browser.newContext({ baseURL: system.url, viewport: { width: 360, height: 800 } })).newPage();
    const page = await open();
    const faults: string[] = [];
    await page.goto('/add-user');
    await expect(page.getByRole('heading', { name: 'Set up your site' })).toBeVisible();
    faults.push(...(await findFaults(page, 'the first step')));
    const latecomer = await open();
    await latecomer.goto('/add-paypal-Email');
    await expect(latecomer.getByRole('heading', { name: 'Set up your site' })).toBeVisible();

    const token = page.getByLabel('Set-up token');
    const create = page.getByRole('button', { name: 'Create administrator' });
    await token.fill('a-guess');
    await page.getByLabel('Email').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveAttribute('type', 'text');
    await create.click();
    await expect(token).toHaveAccessibleDescription(/^This is not the set-up token\./);
    await expect(token).toBeFocused();
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveValue(password);
    await token.fill('token-of-the-first-run');
    await create.click();

    await expect(page.getByRole('heading', { name: 'Add your payment key' })).toBeVisible();
    faults.push(...(await findFaults(page, 'the second step')));
    const key = page.getByLabel('Publishable key');
    await expect(key).toBeFocused();
    await key.fill('sk_live_secret');
    await key.press('Enter');
    await expect(key).toHaveAccessibleDescription(/^This is a secret key and must never be typed here\./);
    await key.fill('pk_test_of_the_new_agency');
    await key.press('Enter');
    await expect(page).toHaveURL('/admin');
    await expect(page.getByRole('heading', { name: 'Welcome to Admin Panel' })).toBeVisible();
    await settle(page);
    faults.push(...(await findFaults(page, 'the empty panel')));
    await page.goto('/add-user');
    await expect(page.getByRole('link', { name: email })).toBeVisible();
    expect(await (await page.request.get('/api/stripe-keys')).json()).toMatchObject([
      { stripeKey: 'pk_test_of_the_new_agency' },
    ]);

    await latecomer.getByLabel('Set-up token').fill('token-of-the-first-run');
    await latecomer.getByLabel('Email').fill('second@new-agency.example');
    await latecomer.getByRole('textbox', { name: 'Password' }).fill(password);
    await latecomer.getByRole('button', { name: 'Create administrator' }).click();
    await expect(latecomer.getByRole('alert')).toContainText('This site has been set up already.');
    await latecomer.getByRole('link', { name: 'Log in' }).click();
    await latecomer.getByLabel('Email').fill(email);
    await latecomer.getByRole('textbox', { name: 'Password' }).fill(password);
    await latecomer.getByRole('button', { name: 'Log in' }).click();
    await expect(latecomer).toHaveURL('/dashboard');
    expect(faults).toEqual([]);
    await page.context().close();
    await latecomer.context().close();
  } finally {
    await system.stop();
  }
});
