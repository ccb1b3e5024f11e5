/** An account, from signing up to a new password. */
import { expect, type Page } from 'playwright/test';
import { systemUrl, test, watchComplaints } from '../support/browser.ts';
import { mailedToken } from '../support/cast.ts';
import { newEmail } from '../support/visitor.ts';

async function fill(page: Page, { email, password }: { email?: string; password?: string }) {
  if (email !== undefined) await page.getByLabel('Email').fill(email);
  if (password !== undefined) await page.getByRole('textbox', { name: /^(New p|P)assword$/ }).fill(password);
}

test('A person signs up, verifies the email, signs out, resets the password and logs in with it', async ({
  page,
}) => {
  const complaints = watchComplaints(page);
  const [email, password, newPassword] = [newEmail(), 'violet-harbor-91', 'amber-window-37'];
  const button = (name: string) => page.getByRole('button', { name });
  const navbarLink = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });

  await page.goto('/register');
  await button('Sign up').click();
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription('Email is Required');
  await expect(page.getByLabel('Email')).toBeFocused();
  await fill(page, { email, password });
  await button('Sign up').click();
  await expect(page).toHaveURL('/');
  await expect(navbarLink('Dashboard')).toBeVisible();
  await expect(navbarLink('Log in')).toBeHidden();

  // A signed-in person needs no password to verify.
  await page.goto(`/verify-email?token=${await mailedToken(systemUrl, email, '/verify-email')}`);
  await expect(page.getByRole('heading', { name: 'Verify your email' })).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await button('Verify email').click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByText('Your email is verified')).toBeVisible();
  await button('Signout').click();
  await expect(page).toHaveURL('/');
  await expect(navbarLink('Log in')).toBeVisible();

  await page.goto('/my-order');
  await expect(page).toHaveURL(/\/login\?next=/);
  await button('Log in').click();
  await expect(page.getByText('Email is Required')).toBeVisible();
  await expect(page.getByText('Password is Required')).toBeVisible();
  // An error stays until its field changes.
  await page.getByLabel('Email').fill('a');
  await expect(page.getByText('Email is Required')).toBeHidden();
  await expect(page.getByText('Password is Required')).toBeVisible();
  await fill(page, { email, password: 'wrong-one-5' });
  await button('Log in').click();
  await expect(page.getByRole('alert')).toHaveText('Incorrect email or password. Please try again.');
  await expect(page.getByRole('alert')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await page.getByRole('link', { name: 'Forgot password' }).click();
  await fill(page, { email });
  await button('Send link').click();
  await expect(page.getByRole('status')).toContainText('If there is an account with this email');
  await page.goto(`/reset-password?token=${await mailedToken(systemUrl, email, '/reset-password')}`);
  await fill(page, { password: newPassword });
  await button('Save password').click();
  await expect(page.getByRole('status')).toHaveText(
    'Your password has been changed. Please log in with the new one.',
  );
  await expect(page.getByRole('link', { name: 'Ask for a new link' })).toBeHidden();

  await page.goto('/login?next=/my-order');
  await fill(page, { email, password: newPassword });
  await button('Log in').click();
  await expect(page).toHaveURL('/my-order');
  expect(complaints).toEqual([]);
});
