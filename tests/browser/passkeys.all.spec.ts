/** Passkeys, on Chromium's virtual device (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/). */
import { expect, type CDPSession, type Page } from 'playwright/test';
import type { Passkey } from '#contract/passkeys.calls.ts';
import { registerVerified } from '../support/cast.ts';
import { expectAccessible, signIn, systemUrl, test, watchComplaints } from '../support/browser.ts';
import { database } from '../support/shared-database.ts';

const wayIn = 'Use your fingerprint, face or screen lock';

/** A device with a fingerprint reader that is touched immediately, unless `touch(false)` was called. */
async function addDevice(page: Page) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    remove: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
  };
}

/** Makes a session so old that the person must confirm their identity. */
async function forgetConfirmation(email: string): Promise<void> {
  await database.execute({
    sql: 'UPDATE sessions SET "confirmedAt" = 1 WHERE "accountId" = (SELECT id FROM accounts WHERE email = ?)',
    args: [email],
  });
}

test('A customer sets up a device, logs in with it, confirms with it, loses it, and signs in with a recovery code', async ({
  page,
  context,
}) => {
  const customer = await registerVerified(systemUrl);
  const { email } = customer;
  await signIn(context, customer);
  const device = await addDevice(page);

  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up this device' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save these recovery codes' });
  const codes = dialog.getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const code = (await codes.first().textContent()) ?? '';
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show the codes' }).click();
  await expect(codes.first()).toHaveText(code);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: /^Rename Chrome/ }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('My laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Rename My laptop' })).toBeVisible();
  await expect(page.getByText('You have 10 recovery codes left')).toBeVisible();
  await expectAccessible(page);
  // The same device cannot be set up twice.
  await page.getByRole('button', { name: 'Add another device' }).click();
  await expect(page.getByText('You can already log in with this device.')).toBeVisible();

  // The customer logs in with the button, while the browser's own offer waits in the field.
  await context.clearCookies();
  await device.touch(false);
  await page.goto('/login?next=/my-order');
  const button = page.getByRole('button', { name: wayIn });
  await button.click();
  await device.touch(true);
  await expect(page).toHaveURL(/\/my-order$/);

  // The customer logs in with the browser's offer in the field.
  await context.clearCookies();
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);

  await forgetConfirmation(email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Create new recovery codes' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(question.getByLabel('Password')).toBeVisible();
  // The response to the confirmation is lost.
  await page.route('**/api/auth/confirm', async (route) => {
    if (route.request().method() === 'POST') await route.fetch();
    await (route.request().method() === 'POST' ? route.abort() : route.continue());
  });
  await forgetConfirmation(email);
  await question.getByRole('button', { name: wayIn }).click();
  await expect(question.getByText('We could not reach the site.')).toBeVisible();
  await page.unroute('**/api/auth/confirm');
  // The response with the new codes is lost.
  await page.route('**/api/auth/recovery-codes', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await question.getByRole('button', { name: wayIn }).click();
  await expect(page.getByText('Your earlier codes may no longer work')).toBeVisible();
  await page.unroute('**/api/auth/recovery-codes');
  await page.getByRole('button', { name: 'Create new recovery codes' }).click();
  await expect(codes).toHaveCount(10);
  expect(await codes.allTextContents()).not.toContain(code);
  const fresh = (await codes.first().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have saved them' }).click();

  await context.clearCookies();
  await device.remove();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Lost your device?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toContainText('do not match');
  await page.getByLabel('Recovery code').fill(fresh.toUpperCase());
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('You have 9 recovery codes left')).toBeVisible();
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Set up this device' })).toBeVisible();
  await expect(page.getByText('recovery codes left')).toBeHidden();
});

test('Staff who must use their passkey first read that instead of a form for a first password', async ({
  page,
  context,
}) => {
  await signIn(context, await registerVerified(systemUrl));
  // The responses if administrators must have a passkey, as passkeys.test.ts proves them.
  await page.route('**/api/auth/session', async (route) => {
    const response = await route.fetch();
    const { account } = (await response.json()) as { readonly account: object };
    await route.fulfill({ response, json: { account: { ...account, lacks: 'passkeySignIn' } } });
  });
  await page.route('**/api/auth/confirm', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), password: false } });
  });
  await page.goto('/account');
  await expect(page.getByRole('button', { name: 'Use your passkey' })).toBeVisible();
  await expect(page.getByText('Use your passkey first, as the note above says.')).toBeVisible();
  await expect(page.getByText('Your account has no password.')).toBeHidden();
});

test('A device stops offering the passkey of an account that was deleted', async ({ page, context }) => {
  const customer = await registerVerified(systemUrl);
  await signIn(context, customer);
  await addDevice(page);
  const told: unknown[] = [];
  await page.exposeFunction('tellTest', (signal: unknown) => void told.push(signal));
  await page.addInitScript(() => {
    const { tellTest } = globalThis as unknown as { tellTest: (signal: unknown) => Promise<void> };
    Object.assign(PublicKeyCredential, { signalUnknownCredential: tellTest });
  });
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up this device' }).click();
  await page.getByRole('button', { name: 'I have saved them' }).click();
  const { json } = await customer.get('/api/auth/passkeys');
  const [passkey] = (json as { readonly passkeys: readonly Passkey[] }).passkeys;
  await page.getByRole('button', { name: 'Delete my account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete my account' }).click();
  await expect(page).toHaveURL('/login');
  expect(told).toEqual([{ rpId: new URL(systemUrl).hostname, credentialId: passkey?.credentialId }]);
});

test('A login page whose passkey script is gone since an update offers to reload, and keeps the email', async ({
  page,
}) => {
  const part = /_astro\/passkey\.[\w-]+\.js/;
  const complaints = watchComplaints(page);
  const email = page.getByLabel('Email');
  const reload = page.getByRole('button', { name: 'Reload' });
  await page.route(part, (route) => route.fulfill({ status: 404 }));
  await page.goto('/login');
  await email.fill('ada@customers.example');
  await page.getByLabel('Password', { exact: true }).fill('a secret');
  await page.getByRole('button', { name: wayIn }).click();
  await expect(page.getByRole('alert')).toContainText('A part of this page could not be loaded.');
  await expectAccessible(page);
  expect(complaints).toEqual([]);

  await page.unroute(part);
  await reload.click();
  await expect(email).toHaveValue('ada@customers.example');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await expect(reload).toBeHidden();
  expect(await page.evaluate(() => Object.keys(sessionStorage).includes('email'))).toBe(false);
});
