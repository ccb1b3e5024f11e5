/** Where a visit began goes with the message that it ends in. */
import { expect } from 'playwright/test';
import type { Message } from '#contract/messages.ts';
import { systemUrl, test, untilFormIsAlive } from '../support/browser.ts';
import { newEmail, signInAdministrator } from '../support/visitor.ts';

test.use({ baseURL: systemUrl });

test('A message tells the first page, the site that led there and the words of the link, and nothing else', async ({
  page,
}) => {
  await page.goto('/pricing/?utm_source=spring&utm_campaign=may&token=secret', {
    referer: 'https://search.example/results?q=private',
  });
  await page.goto('/contact?utm_source=later');
  const email = newEmail();
  await page.getByLabel('Name').fill('Ada Broker');
  await untilFormIsAlive(page);
  await page.getByLabel('Email', { exact: true }).first().fill(email);
  await page.getByLabel('Phone number').fill('1');
  await page.getByLabel('Subject').fill('A question');
  await page.getByLabel('Message', { exact: true }).fill('Hello');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(page).toHaveURL(/\/thanks/);
  const staff = await signInAdministrator(systemUrl);
  const messages = (await staff.get('/api/messages')).json as readonly Message[];
  expect(messages.find((message) => message.email === email)?.source).toEqual({
    page: '/pricing/',
    referrer: 'search.example',
    utm_source: 'spring',
    utm_campaign: 'may',
  });
});
