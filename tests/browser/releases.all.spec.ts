/** Releases: an order of items, drafts that wait, and changes that nobody has seen. */
import { expect } from 'playwright/test';
import { expectAccessible, systemUrl, test } from '../support/browser.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { addQuestion, openAsAdministrator, unique } from './journey.ts';

test('A draft is offered on another device, without taking the place of what is saved', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const { _id, accodingText } = await addQuestion(visitor);
  const typed = unique('Half typed');
  const page = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  const isKept = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await page.getByLabel('Answer').fill(typed);
  expect((await isKept).url()).toContain('/api/drafts');
  const tablet = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  await expect(tablet.getByLabel('Answer')).toHaveValue(accodingText);
  await tablet.getByRole('button', { name: 'Continue with it' }).click();
  await expect(tablet.getByLabel('Answer')).toHaveValue(typed);
  await expectAccessible(tablet);
  expect((await visitor.delete(`/api/faq-item/${_id}`)).status).toBe(200);
});
