/** Unsaved drafts on another device, and scheduled releases that need a decision. */
import { expect } from 'playwright/test';
import { linkToHome } from '#contract/all-screens.ts';
import type { Draft } from '#contract/drafts.calls.ts';
import { expectAccessible, systemUrl, test } from '../support/browser.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { addQuestion, openAsAdministrator, unique } from './journey.ts';

test('A draft is offered on another device without replacing what is saved', async ({ browser }) => {
  const visitor = await signInAdministrator(systemUrl);
  const { _id, accodingText } = await addQuestion(visitor);
  const typed = unique('Half typed');
  const page = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  const isKept = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await page.getByLabel('Answer').fill(typed);
  expect((await isKept).url()).toContain('/api/drafts');
  const tablet = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  await expect(tablet.getByLabel('Answer')).toHaveValue(accodingText);
  await tablet.getByRole('button', { name: 'Continue editing' }).click();
  await expect(tablet.getByLabel('Answer')).toHaveValue(typed);
  await expectAccessible(tablet);
  // Both devices continue, and neither replaces the other's text.
  await tablet.getByLabel('Answer').fill(`${typed} on the tablet`);
  const drafts = async () =>
    ((await visitor.get(`/api/drafts?section=faqItem&recordId=${_id}`)).json as readonly Draft[]).map(
      ({ values }) => values['accodingText'],
    );
  await expect.poll(drafts).toEqual([`${typed} on the tablet`]);
  await page.getByLabel('Answer').fill(`${typed} on the laptop`);
  await expect.poll(drafts).toEqual([`${typed} on the laptop`, `${typed} on the tablet`]);
  expect((await visitor.delete(`/api/faq-item/${_id}`)).status).toBe(200);
});

test('Saving or removing a record that a scheduled release changes shows that the release needs a decision', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const [edited, removed] = [await addQuestion(visitor), await addQuestion(visitor)];
  const title = unique('Overtaken');
  const { _id } = (await visitor.post('/api/releases', { title })).json as { readonly _id: string };
  for (const { _id: recordId } of [edited, removed])
    await visitor.post(`/api/release/${_id}/changes`, {
      section: 'faqItem',
      action: 'update',
      recordId,
      values: { accodingText: 'The release' },
    });
  await visitor.put(`/api/release/${_id}/schedule`, { at: '2099-01-31T09:00:00Z' });

  const page = await openAsAdministrator(browser, `/faq-edit/${edited._id}`);
  const notice = page
    .getByRole('status')
    .filter({ hasText: `The scheduled release “${title}” will not be published as it is` });
  await expect(page.getByText(`The release “${title}” changes this too`)).toBeVisible();
  await page.getByLabel('Answer', { exact: true }).fill('Live');
  await page.keyboard.press('Control+s');
  await expect(notice).toContainText('This FAQ item was saved in the meantime.');
  await page.goto(linkToHome('faqItem'));
  await expect(notice).toHaveCount(1);
  await page.getByRole('button', { name: `Remove ${removed.accodingTitle}` }).click();
  await expect(notice).toHaveText([
    /This FAQ item was saved in the meantime/,
    /This FAQ item was removed in the meantime/,
  ]);
  // The notices are above a long list, so the place of the removed item also shows it.
  const place = page.getByRole('listitem').filter({ hasText: `${removed.accodingTitle} was removed.` });
  await expect(place).toContainText('It will not be published as it is, although it is due on');
  const marks = page.getByRole('listitem').filter({ hasText: title });
  await expect(marks.filter({ hasText: 'It will be published on' })).toHaveCount(0);
  await expectAccessible(page);

  await page.goto('/needs-attention');
  const line = page.getByRole('listitem').filter({ hasText: `“${title}” will not be published on schedule` });
  await line.getByRole('link', { name: 'Open the release' }).click();
  const decide = page.getByRole('status').filter({ hasText: '2 changes to decide on' });
  await expect(decide).toContainText('Until then it will not be published, not even at the scheduled time');
  await expect(page.getByText('Needs a decision', { exact: true })).toBeVisible();
  await expect(page.getByText('It will be published automatically')).toHaveCount(0);
  await page.getByRole('button', { name: 'Use this version' }).click();
  await expect(page.getByText('1 change to decide on')).toBeVisible();
  await page
    .getByRole('button', { name: /^Remove from the release/ })
    .last()
    .click();
  await expect(page.getByText('It will be published automatically')).toBeVisible();
  await expect(page.getByText('Scheduled', { exact: true })).toBeVisible();
  expect((await visitor.delete(`/api/release/${_id}`)).status).toBe(204);
  expect((await visitor.delete(`/api/faq-item/${edited._id}`)).status).toBe(200);
});
