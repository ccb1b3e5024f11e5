/** One administrator prepares a release while another saves live: nobody's text is lost. */
import { expect } from 'playwright/test';
import { linkToHome } from '#contract/all-screens.ts';
import { contextOf, expectAccessible, systemUrl, test } from '../support/browser.ts';
import { registerAdministrator, registerWithRole } from '../support/cast.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';
import { addQuestion, openAsAdministrator, toast, unique } from './journey.ts';

test('An administrator prepares a release while another saves, decides where they differ, and publishes it', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const question = await addQuestion(visitor);
  const { _id } = question;
  const [title, ours, theirs] = [unique('Spring'), unique('The release'), unique('The colleague')];
  const readPage = async () => (await new Visitor(systemUrl).get('/pricing/')).text;

  const page = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  const answer = page.getByLabel('Answer', { exact: true });
  await answer.fill(ours);
  await page.getByRole('button', { name: 'Add to a release' }).click();
  await page.getByLabel('New release').fill(title);
  // The shortcut does not save the form behind the dialog.
  await page.keyboard.press('Control+s');
  await page.getByRole('button', { name: 'Create and add' }).click();
  await expect(toast(page, `Added to the release “${title}”`)).toBeVisible();
  // The button that replaces the pressed button removes the question.
  await expect(page.getByRole('heading', { name: question.accodingTitle })).toBeFocused();
  await expect(answer).toHaveValue(question.accodingText);
  expect((await visitor.get(`/api/faq-item/${_id}`)).json).toMatchObject({ ...question });

  // An editor sees the release on the overview, and the newest saves.
  const editor = await registerWithRole(systemUrl, visitor, 'Editor');
  const overview = await (await contextOf(browser, editor)).newPage();
  await overview.goto('/admin');
  await expect(overview.getByRole('link', { name: title })).toHaveAttribute('href', /^\/release\//);
  const publications = overview.getByRole('table', { name: 'Newest publications' });
  await expect(publications.getByText('owner@agency.example').first()).toBeVisible();
  await overview.context().close();

  await page.goto(linkToHome('faqItem'));
  const mark = `The release “${title}” changes this too. It is not scheduled yet.`;
  await expect(page.locator(`[data-item="${_id}"]`)).toContainText(mark);
  await expect(page.getByText(mark)).toHaveCount(1);
  await expectAccessible(page);

  await page.goto(`/faq-edit/${_id}`);
  await answer.fill(ours);
  await page.getByRole('button', { name: 'Add to a release' }).click();
  // Enter adds the change to no release.
  await expect(page.getByText('A release is published as a whole')).toBeFocused();
  await page.getByRole('button', { name: title }).click();
  await expect(toast(page, `The release “${title}” already has this change.`)).toBeVisible();
  await expect(answer).toHaveValue(question.accodingText);

  // From the release, the form shows and changes the release's version. The live version stays as it is.
  const edited = `${ours}, edited`;
  const edit = page.getByRole('link', { name: /^Edit: FAQ item/ });
  await page.goto('/releases');
  await page.getByRole('link', { name: title }).click();
  await edit.click();
  await expect(answer).toHaveValue(ours);
  await answer.fill(edited);
  await page.getByRole('button', { name: 'Save in the release' }).click();
  await expect(toast(page, 'Changed in the release')).toBeVisible();
  await expect(answer).toHaveValue(edited);
  expect((await visitor.get(`/api/faq-item/${_id}`)).json).toMatchObject({ ...question });

  const colleague = await registerAdministrator(systemUrl, visitor);
  const other = await (await contextOf(browser, colleague)).newPage();
  await other.goto(`/faq-edit/${_id}`);
  await other.getByLabel('Answer', { exact: true }).fill(theirs);
  await other.keyboard.press('Control+s');
  await expect(other.getByText('Not saved yet')).toHaveCount(0);

  await page.goto('/releases');
  await page.getByRole('link', { name: title }).click();
  await edit.click();
  await expect(page.getByText('The live version has changed in the meantime')).toBeVisible();
  await page.getByRole('link', { name: 'Open the release' }).click();
  await expect(page.getByText('1 change to decide on')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Publish now' })).toBeDisabled();
  const texts = page.getByRole('group', { name: /^Answer/ });
  await expect(texts.getByLabel('Saved version')).not.toBeChecked();
  await expect(texts.getByText(theirs).first()).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use this version' }).click();
  await expect(page.getByText('1 change to decide on')).toHaveCount(0);

  await page.getByLabel('Or publish at').fill('2099-01-31T09:00');
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(page.getByText('Scheduled', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel the schedule' }).click();
  await expect(page.getByText('Open', { exact: true })).toBeVisible();
  await expect.poll(readPage).toContain(theirs);

  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(toast(page, 'The release is live')).toBeVisible();
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible();
  await expect.poll(readPage).toContain(edited);
  expect((await visitor.delete(`/api/faq-item/${_id}`)).status).toBe(200);
});
