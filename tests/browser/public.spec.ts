/** A visitor reads the pages on a phone, and writes to the firm. */
import { expect } from 'playwright/test';
import type { Message } from '#contract/inbox.calls.ts';
import { expectHeard, listen, systemUrl, test, untilFormIsAlive } from '../support/browser.ts';
import { newEmail, signInAdministrator } from '../support/visitor.ts';

const message = {
  Name: 'Ann Lee',
  Email: 'ann@lender.example',
  'Phone number': '+1 312 555 0100',
  Subject: 'Packages',
  Message: 'Which package suits two offices?',
};

test('A visitor sends a message and is thanked; the message records where the visit began, and nothing else', async ({
  page,
}) => {
  const questions: string[] = [];
  page.on('dialog', (asked) => {
    questions.push(asked.type());
    return asked.accept();
  });
  await listen(page);
  await page.goto('/pricing/?utm_source=spring&utm_campaign=may&token=secret', {
    referer: 'https://search.example/results?q=private',
  });
  await page.goto('/contact?utm_source=later');
  const email = newEmail();
  const form = page.locator('form[action="/api/add-message"]');
  for (const [label, value] of Object.entries({ ...message, Email: email }))
    await form.getByLabel(label).fill(value);
  await untilFormIsAlive(page);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await form.getByRole('button', { name: 'Send message' }).click();
  await expectHeard(page, /Message is Send/);
  await page.clock.runFor(1_499);
  await expect(page).toHaveURL(/\/contact/);
  await page.clock.runFor(1);
  await page.waitForURL('**/thanks');
  expect(questions).toEqual([]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You !');
  await page.getByRole('link', { name: 'Back Home' }).click();
  await page.waitForURL(`${systemUrl}/`);
  const staff = await signInAdministrator(systemUrl);
  const messages = (await staff.get('/api/messages')).json as readonly Message[];
  expect(messages.find((one) => one.email === email)?.source).toEqual({
    page: '/pricing/',
    referrer: 'search.example',
    utm_source: 'spring',
    utm_campaign: 'may',
  });
});
