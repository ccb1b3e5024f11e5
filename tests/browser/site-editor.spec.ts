/** The whole page in the editor: an administrator points at what is wrong in it, types, and sees the page change. */
import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { contextOf, expectAccessible, openAsAdministrator, systemUrl, test } from '../support/browser.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';

interface Question {
  readonly _id: string;
  readonly accodingTitle: string;
  readonly accodingText: string;
}

const unique = (text: string) => `${text} ${randomUUID().slice(0, 8)}`;

/** A question of the test's own, which goes at its end. */
async function withQuestion(
  look: (question: Question, administrator: Visitor) => Promise<void>,
): Promise<void> {
  const administrator = await signInAdministrator(systemUrl);
  const body = { accodingTitle: unique('May I point at it?'), accodingText: unique('At anything.') };
  const question = (await administrator.post('/api/add-faq-item', body)).json as Question;
  await look(question, administrator);
  await administrator.delete(`/api/faq-item/${question._id}`);
}

const preview = (page: Page) => page.locator('iframe[title^="Preview"]').contentFrame();
const tree = (page: Page) => page.getByRole('navigation', { name: 'Pages and sections' });
const answerField = (page: Page) => page.getByLabel('Answer', { exact: true });

test('An administrator clicks on a text in the page, types, and saves it', async ({ browser }) =>
  withQuestion(async ({ accodingTitle, accodingText }, administrator) => {
    const page = await openAsAdministrator(browser, '/edit-testimonial/');
    await preview(page).getByText(accodingText).click();
    await expect(answerField(page)).toBeFocused();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit FAQ Item');
    const typed = unique('At a word');
    await answerField(page).fill(typed);
    await expect(preview(page).getByText(typed)).toBeVisible();

    // Another section opens beside what is not saved: the page goes on showing that, and the tree leads back to it.
    await preview(page).getByRole('button', { name: 'Edit Step' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Steps');
    await expect(preview(page).getByText(typed)).toBeVisible();
    await page.goBack();
    await expect(answerField(page)).toHaveValue(typed);
    await expect(tree(page).getByRole('link', { name: accodingTitle })).toContainText('has unsaved text');

    await page.keyboard.press('Control+s');
    await expect(page.getByRole('banner').getByRole('status')).toHaveText(/^Live, revision/);
    expect((await administrator.get('/api/faq-items')).text).toContain(typed);
    await expect(preview(page).getByText(typed)).toBeVisible();
    await expect(tree(page).getByRole('link', { name: accodingTitle })).not.toContainText('has unsaved text');
    await expectAccessible(page);
  }));

test('An administrator goes from tree to form to page by the keyboard alone', async ({ browser }) =>
  withQuestion(async ({ accodingTitle }) => {
    const page = await openAsAdministrator(browser, '/edit-faq');
    const entry = tree(page).getByRole('link', { name: accodingTitle });
    await entry.focus();
    await page.keyboard.press('Enter');
    const title = page.getByLabel('Question', { exact: true });
    await expect(title).toBeFocused();
    const typed = unique('May I');
    await page.keyboard.press('Control+a');
    await page.keyboard.type(typed);
    await expect(preview(page).getByText(typed)).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect(page.getByRole('banner').getByRole('status')).toHaveText(/^Live, revision/);
    await page.keyboard.press('Escape');
    await expect(tree(page).getByRole('link', { name: typed })).toBeFocused();

    const part = preview(page).getByRole('button', { name: 'Edit Testimonial' });
    await part.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Testimonial/);
    // The page itself is no trap: its links are left out, the parts follow each other.
    await part.focus();
    await page.keyboard.press('Tab');
    await expect(preview(page).getByRole('button', { name: 'Edit FAQ' })).toBeFocused();
  }));

test('On a phone the sections, the page and the form take turns, and the page is as it was chosen', async ({
  browser,
}) =>
  withQuestion(async ({ accodingTitle, accodingText }) => {
    const context = await contextOf(browser, undefined, { viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.goto('/edit-faq');
    await page.getByRole('button', { name: 'Sections' }).click();
    await tree(page).getByRole('link', { name: accodingTitle }).click();
    const typed = unique('On the way');
    await answerField(page).fill(typed);
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    await expect(preview(page).getByText(typed)).toBeVisible();
    await page.getByRole('button', { name: 'Dark' }).click();
    const paper = () =>
      preview(page)
        .locator('html')
        .evaluate((root) => getComputedStyle(root).backgroundColor);
    await expect.poll(paper).toBe('rgb(11, 20, 17)');

    await page.reload();
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    await expect(preview(page).getByText(accodingText)).toBeVisible();
    await expect.poll(paper).toBe('rgb(11, 20, 17)');
    await expectAccessible(page);
    await context.close();
  }));
