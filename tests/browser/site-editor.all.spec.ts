/** The whole page in the editor: an administrator clicks on what is wrong, types, and sees the page change. */
import { expect, type Page } from 'playwright/test';
import { contextOf, expectAccessible, systemUrl, test } from '../support/browser.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';
import {
  addQuestion,
  comeBack,
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

/** @returns the focused element, if neither its middle nor its ends are visible */
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

    // Another section opens; the page goes on to show the draft, and the tree leads back to it.
    await previewOf(page).getByRole('button', { name: 'Edit Step' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Steps');
    await expect(previewOf(page).getByText(typed)).toBeVisible();
    // The menu leads there too, and marks the current section.
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
    await expect(previewOf(page).getByText(typed)).toBeVisible();
    await page.keyboard.press('Control+s');
    await expect(publicationStatus(page)).toHaveText(/^Live, revision/);
    await page.keyboard.press('Escape');
    await expect(tree(page).getByRole('link', { name: typed })).toBeFocused();

    const part = previewOf(page).getByRole('button', { name: 'Edit Testimonial' });
    await part.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit testimonial');
    const form = page.getByRole('region', { name: 'Form', exact: true });
    await expect(form.getByRole('textbox').first()).toBeFocused();
    // The links of the page are skipped, and the parts follow one another.
    await part.focus();
    await page.keyboard.press('Tab');
    await expect(previewOf(page).getByRole('button', { name: 'Edit FAQ' })).toBeFocused();
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
    // The bars cover nothing that has the focus (WCAG 2.2, 2.4.11).
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
    await expectAccessible(page);
  }));

test('An administrator looks at a release on the page, in its actual size, beside no sections, and opens what it adds', async ({
  browser,
}) =>
  withQuestion(async ({ _id, accodingText }, administrator) => {
    const title = unique('Summer');
    const release = (await administrator.post('/api/releases', { title })).json as { readonly _id: string };
    const later = unique('Said later.');
    const added = { accodingTitle: unique('Who is new?'), accodingText: unique('This one.') };
    const put = (change: object) => administrator.post(`/api/release/${release._id}/changes`, change);
    await put({ section: 'faqItem', recordId: _id, action: 'update', values: { accodingText: later } });
    await put({ section: 'faqItem', action: 'add', values: added });

    const page = await openAsAdministrator(browser, `/faq-edit/${_id}`);
    const typed = unique('May I still?');
    await page.getByLabel('Question', { exact: true }).fill(typed);
    await page.getByLabel('What the page shows').selectOption(`With release: ${title}`);
    // The release fills in what the form does not change.
    await expect(previewOf(page).getByText(later)).toBeVisible();
    await expect(previewOf(page).getByText(typed)).toBeVisible();
    await expect(previewOf(page).getByText(accodingText)).toHaveCount(0);
    await previewOf(page).getByText(added.accodingText).click();
    await expect(answerField(page)).toHaveValue(added.accodingText);
    await expect(answerField(page)).toBeFocused();
    await expect(tree(page).getByRole('link', { name: added.accodingTitle })).toHaveAttribute(
      'aria-current',
      'page',
    );

    for (const [device, width] of [
      ['Phone', 360],
      ['Desktop', 1280],
    ] as const) {
      await page.getByRole('button', { name: device }).click();
      await expect
        .poll(() =>
          previewOf(page)
            .locator('html')
            .evaluate(() => innerWidth),
        )
        .toBe(width);
    }
    const frame = page.locator('iframe[title^="Preview"]');
    const shownWidth = async () => Math.round((await frame.boundingBox())?.width ?? 0);
    expect(await shownWidth()).toBeLessThan(1280);
    await page.getByRole('button', { name: /^Actual size/ }).click();
    await expect.poll(shownWidth).toBe(1280);
    await page.getByRole('button', { name: 'Pages and sections' }).click();
    await expect(tree(page)).toBeHidden();
    await page.reload();
    await expect(answerField(page)).toHaveValue(added.accodingText);
    await expect(tree(page)).toBeHidden();
    await expect.poll(shownWidth).toBe(1280);
    // A colleague removes the release, and the page falls back to what is live.
    await administrator.delete(`/api/release/${release._id}`);
    await comeBack(page);
    await expect(page.getByText('That release was published or removed.')).toBeVisible();
    await expect(previewOf(page).getByText(later)).toHaveCount(0);
    await expect(previewOf(page).getByText(accodingText)).toBeVisible();
  }));
