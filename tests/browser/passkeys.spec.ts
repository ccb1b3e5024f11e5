/** Passkeys as people meet them, on a device that Chromium plays (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/). */
import { eq } from 'drizzle-orm';
import { expect, type CDPSession, type Page } from 'playwright/test';
import { accounts, sessions } from '#worker/accounts/schema.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { mailedToken, registerVerified, registerWithRole } from '../support/cast.ts';
import { contextOf, expectAccessible, signIn, systemUrl, test } from '../support/browser.ts';
import { newEmail, signInAdministrator, Visitor } from '../support/visitor.ts';

test.use({ baseURL: systemUrl });

const wayIn = 'Use your fingerprint, face or screen lock';

type Credential = Extract<Parameters<CDPSession['send']>[1], { readonly credential: unknown }>['credential'];

/** A device with a fingerprint reader, which the person touches at once, or when `touch` says so. */
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
    /** The one passkey that it has, with its private key. */
    async passkey() {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
      const [credential] = credentials;
      if (credentials.length !== 1 || !credential) throw new Error('The device has not one passkey.');
      return credential;
    },
    /** @param credential with how often it has signed */
    take: (credential: Credential) => cdp.send('WebAuthn.addCredential', { authenticatorId, credential }),
  };
}

/** Lets the time pass after which a session has to confirm who is there. */
async function forgetConfirmation(email: string): Promise<void> {
  const { db, close } = openSystemDatabase({
    url: process.env['DATABASE_URL'] ?? '',
    authToken: process.env['DATABASE_TOKEN'] ?? '',
  });
  const account = await db.select().from(accounts).where(eq(accounts.email, email)).get();
  await db
    .update(sessions)
    .set({ confirmedAt: 1 })
    .where(eq(sessions.accountId, account?.id ?? ''));
  close();
}

test('A customer sets up a device, logs in with it, confirms with it, loses it, and gets in by a recovery code', async ({
  page,
  context,
}) => {
  const customer = await registerVerified(systemUrl);
  const { email } = customer;
  await signIn(context, customer);
  const device = await addDevice(page);

  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up this device' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep these recovery codes' });
  const codes = dialog.getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const code = (await codes.first().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: /^Rename Chrome/ }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('My laptop');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Rename My laptop' })).toBeVisible();
  await expect(page.getByText('You have 10 recovery codes left')).toBeVisible();
  await expectAccessible(page);
  // The same device is not set up twice.
  await page.getByRole('button', { name: 'Add another device' }).click();
  await expect(page.getByText('This device opens your account already.')).toBeVisible();

  // By the button, while the browser's own offer waits in the field.
  await context.clearCookies();
  await device.touch(false);
  await page.goto('/login?next=/my-order');
  const button = page.getByRole('button', { name: wayIn });
  await button.click();
  await device.touch(true);
  await expect(page).toHaveURL(/\/my-order$/);

  // By the browser's offer in the email's field; the device is touched at once.
  await context.clearCookies();
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);

  await forgetConfirmation(email);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Make new recovery codes' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await expect(question.getByLabel('Password')).toBeVisible();
  // A device's answer that is lost on the way is asked for anew.
  await page.route('**/api/auth/confirm', async (route) => {
    if (route.request().method() === 'POST') await route.fetch();
    await (route.request().method() === 'POST' ? route.abort() : route.continue());
  });
  await forgetConfirmation(email);
  await question.getByRole('button', { name: wayIn }).click();
  await expect(question.getByText('We could not reach the site.')).toBeVisible();
  await page.unroute('**/api/auth/confirm');
  // Nor are codes whose answer is lost taken for the ones that hold.
  await page.route('**/api/auth/recovery-codes', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await question.getByRole('button', { name: wayIn }).click();
  await expect(page.getByText('Earlier codes may no longer work')).toBeVisible();
  await page.unroute('**/api/auth/recovery-codes');
  await page.getByRole('button', { name: 'Make new recovery codes' }).click();
  await expect(codes).toHaveCount(10);
  expect(await codes.allTextContents()).not.toContain(code);
  const fresh = (await codes.first().textContent()) ?? '';
  await dialog.getByRole('button', { name: 'I have kept them' }).click();

  await context.clearCookies();
  await device.remove();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Lost your device?' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Recovery code').fill(code);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('alert')).toContainText('do not belong together');
  await page.getByLabel('Recovery code').fill(fresh.toUpperCase());
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByText('You have 9 recovery codes left')).toBeVisible();
  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Set up this device' })).toBeVisible();
  await expect(page.getByText('recovery codes left')).toBeHidden();
});

test('Who is invited comes in with their device; who puts the offer off is left alone; at another address the site says where it works', async ({
  page,
  browser,
}) => {
  const owner = await signInAdministrator(systemUrl);
  const email = newEmail('invited');
  await owner.post('/api/add-user', { userEmail: email, userRole: 'Editor' });
  const offer = 'Log in with your fingerprint, face or screen lock';
  await addDevice(page);
  await page.goto(`/invitation?token=${await mailedToken(systemUrl, email, '/invitation')}`);
  await expectAccessible(page);
  await page.getByRole('button', { name: `${wayIn} instead` }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(page.getByRole('button', { name: /recovery codes/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Choose a password' })).toHaveAttribute('href', '/reset');
  await expect(page.getByLabel('Current password')).toBeHidden();
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(offer)).toBeHidden();

  const agent = await (
    await contextOf(browser, await registerWithRole(systemUrl, owner, 'Support'))
  ).newPage();
  await agent.goto('/admin');
  await expect(agent.getByText(offer)).toBeVisible();
  await expectAccessible(agent);
  await agent.getByRole('button', { name: 'Not now' }).click();
  await expect(agent.getByText(offer)).toBeHidden();
  await agent.reload();
  await expect(agent.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(agent.getByText(offer)).toBeHidden();

  const elsewhere = new URL(systemUrl);
  elsewhere.hostname = elsewhere.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  await page.goto(new URL('/login', elsewhere).href);
  await page.getByRole('button', { name: wayIn }).click();
  await expect(page.getByRole('alert')).toHaveText(
    `Fingerprint, face and screen lock work at ${new URL(systemUrl).origin} only. Please open the site there.`,
  );
});

test('A second device opens the account as well; a copy of the first does not, nor does what a device shows to another origin', async ({
  page,
  context,
}) => {
  const customer = await registerVerified(systemUrl);
  await signIn(context, customer);
  const first = await addDevice(page);
  await page.goto('/account');
  await page.getByRole('button', { name: 'Set up this device' }).click();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  const passkey = await first.passkey();
  await first.remove();

  const second = await addDevice(page);
  await page.getByRole('button', { name: 'Add another device' }).click();
  await expect(page.getByRole('button', { name: /^Rename / })).toHaveCount(2);
  await context.clearCookies();
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);
  await second.remove();

  /** Opens the log-in page with the first passkey on a device, which has signed so often; the browser shows it at once. */
  const logInWith = async (signCount: number) => {
    const device = await addDevice(page);
    await device.take({ ...passkey, signCount });
    await context.clearCookies();
    await page.goto('/login');
    return device;
  };
  const itself = await logInWith(passkey.signCount + 5);
  await expect(page).toHaveURL(/\/dashboard$/);
  await itself.remove();
  const copy = await logInWith(passkey.signCount + 1);
  await expect(page.getByRole('alert')).toContainText('This passkey seems to be a copy');
  await copy.remove();

  // The browser lets every port of a host ask for the host's passkeys: that the origin is another one the server sees.
  const elsewhere = new URL(systemUrl);
  elsewhere.port = '18443';
  await page.route(`${elsewhere.origin}/**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' }),
  );
  await page.goto(elsewhere.href);
  const device = await addDevice(page);
  await device.take({ ...passkey, signCount: passkey.signCount + 20 });
  const visitor = new Visitor(systemUrl);
  const showAt = async (at: Page) => {
    const options = (await visitor.get('/api/auth/passkey/options'))
      .json as PublicKeyCredentialRequestOptionsJSON;
    const shown = await at.evaluate(async (asked) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
      const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
      const { id, response } = credential.toJSON() as AuthenticationResponseJSON;
      const { clientDataJSON, authenticatorData, signature, userHandle } = response;
      return { id, clientDataJSON, authenticatorData, signature, userHandle };
    }, options);
    return (await visitor.post('/api/auth/passkey', { assertion: shown })).status;
  };
  expect(await showAt(page)).toBe(401);
  await page.goto('/reset');
  expect(await showAt(page)).toBe(200);
});
