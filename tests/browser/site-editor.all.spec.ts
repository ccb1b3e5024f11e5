/** The whole page in the editor: an administrator clicks on what is wrong, types, and sees the page change. */
import { expect, type Page } from 'playwright/test';
import { contextOf, expectAccessible, systemUrl, test } from '../support/browser.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';
import {
  addQuestion,
  openAsAdministrator,
  previewOf,
  publicationStatus,
  unique,
  type Question,
} from './journey.ts';

/** Adds a question for one test, and removes it at the end. */
async function withQuestion(
  look: (question: Question, administrator: Visitor) => Promise<void>,
): Promise<void> {
  const administrator = await signInAdministrator(systemUrl);
  const question = await addQuestion(administrator);
  await look(question, administrator);
  await administrator.delete(`/api/faq-item/${question._id}`);
}

const tree = (page: Page) => page.getByRole('navigation', { name: 'Pages and sections' });
const answerField = (page: Page) => page.getByLabel('Answer', { exact: true });

/** @returns the focused element, if neither its center nor its ends are visible */
function hiddenFocus(): string | undefined {
  const focused = document.activeElement;
  if (!focused || focused === document.body || focused.tagName === 'IFRAME') return undefined;
  const { left, top, width, height } = focused.getBoundingClientRect();
  const isSeen = [0.1, 0.5, 0.9].some((part) =>
    focused.contains(document.elementFromPoint(left + width / 2, top + height * part)),
  );
  return isSeen ? undefined : focused.outerHTML.slice(0, 120);
}

test('An administrator clicks on a text in the page, types, and saves it', async ({ browser }) =>
  withQuestion(async ({ accodingTitle, accodingText }, administrator) => {
    const page = await openAsAdministrator(browser, '/edit-testimonial/');
    await previewOf(page).getByText(accodingText).click();
    await expect(answerField(page)).toBeFocused();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit FAQ item');
    const typed = unique('At a word');
    const isKept = page.waitForResponse((answer) => answer.request().method() === 'PUT');
    await answerField(page).fill(typed);
    await expect(previewOf(page).getByText(typed)).toBeVisible();
    // Another device marks the page with the draft.
    await isKept;
    const tablet = await openAsAdministrator(browser, '/edit-banner');
    await expect(tree(tablet).getByRole('button', { name: 'Pricing page' })).toContainText('has a draft');

    // Each section has a thumbnail of the page.
    await expect(tree(page).getByRole('link', { name: 'FAQ', exact: true }).locator('canvas')).toBeVisible();

    // Another section opens. The page still shows the draft, and the tree leads back to it.
    await previewOf(page).getByRole('button', { name: 'Edit Step' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Steps');
    await expect(previewOf(page).getByText(typed)).toBeVisible();
    // The menu also leads there, and marks the current section.
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByText('All sections').click();
    const menu = page.getByRole('navigation', { name: 'Admin' });
    await expect(menu.locator('[aria-current="page"]')).toHaveText('Steps');
    await menu.getByRole('link', { name: 'FAQ', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('FAQ');
    await expect(menu.locator('[aria-current="page"]')).toHaveText('FAQ');
    await page.goBack();
    await page.goBack();
    await expect(answerField(page)).toHaveValue(typed);
    await expect(tree(page).getByRole('link', { name: accodingTitle })).toContainText('has a draft');

    await page.keyboard.press('Control+s');
    await expect(publicationStatus(page)).toHaveText(/^Live, revision/);
    expect((await administrator.get('/api/faq-items')).text).toContain(typed);
    await expect(previewOf(page).getByText(typed)).toBeVisible();
    await expect(tree(page).getByRole('link', { name: accodingTitle })).not.toContainText('has a draft');
    await expectAccessible(page);
  }));

test('On a phone, the sections, the page and the form take turns, and the preview keeps its color scheme', async ({
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
    // The bars do not cover the focused element (WCAG 2.2, 2.4.11).
    for (const key of ['Tab', 'Tab', 'Tab', ...Array.from({ length: 5 }, () => 'Shift+Tab')]) {
      await page.keyboard.press(key);
      // The page scrolls smoothly.
      await expect.poll(() => page.evaluate(hiddenFocus)).toBeUndefined();
    }
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await expect(page.getByRole('button', { name: 'Page', exact: true })).toBeInViewport({ ratio: 1 });
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    await expect(previewOf(page).getByText(typed)).toBeVisible();
    await page.getByRole('button', { name: 'Dark' }).click();
    const paper = () =>
      previewOf(page)
        .locator('html')
        .evaluate((root) => getComputedStyle(root).backgroundColor);
    await expect.poll(paper).toBe('rgb(11, 20, 17)');

    await page.reload();
    await page.getByRole('button', { name: 'Page', exact: true }).click();
    await expect(previewOf(page).getByText(accodingText)).toBeVisible();
    await expect.poll(paper).toBe('rgb(11, 20, 17)');
    await expectAccessible(page, true);
  }));
