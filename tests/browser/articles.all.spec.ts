/** An administrator writes an article, sees it live, moves it, and prepares another in a release. */
import { expect } from 'playwright/test';
import { linkToHome } from '#contract/all-screens.ts';
import { expectAccessible, systemUrl, test, watchComplaints } from '../support/browser.ts';
import { svg, uploadPicture } from '../support/pictures.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';
import { openAsAdministrator, previewOf, toast, unique } from './journey.ts';

test('An administrator writes an article, moves it, and prepares the next one in a release', async ({
  browser,
}) => {
  const visitor = new Visitor(systemUrl);
  const page = await openAsAdministrator(browser, linkToHome('article'));
  const complaints = watchComplaints(page);
  const title = unique('How borrowers search');
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

  const otherArticles = previewOf(page).getByText('Bell County Auto Loans');
  await expect(otherArticles.first()).toBeVisible();
  await page.getByRole('button', { name: 'Add article' }).click();
  await page.getByLabel('Title', { exact: true }).fill(title);
  await expect(page.getByText(`The address is /articles/${slug}.`)).toBeVisible();
  await page.getByLabel('Summary').fill('What people type before they apply.');
  await expect(page.getByText('35 characters. Search results show about 155.')).toBeVisible();
  const text = page.getByRole('textbox', { name: /^Text/ });
  await text.fill('strong');
  await text.press('Control+a');
  await text.press('Control+b');
  await expect(text).toHaveValue('**strong**');
  await text.press('Control+a');
  await text.evaluate((area) => {
    const data = new DataTransfer();
    data.setData('text/html', '<h2>First</h2><p>Some <b>bold</b> words</p>');
    data.setData('text/plain', 'First Some bold words');
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(text).toHaveValue('## First\n\nSome **bold** words');
  await expect(previewOf(page).getByRole('heading', { name: 'First' })).toBeVisible();
  await expect(otherArticles).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toast(page, 'Article is Added')).toBeVisible();
  expect((await visitor.get(`/articles/${slug}`)).text).toContain('<strong>bold</strong>');

  await page.getByRole('link', { name: title }).first().click();
  await page.getByLabel('Address').fill(`${slug}-moved`);
  await page.keyboard.press('Control+s');
  await expect(toast(page, 'Article is Updated')).toBeVisible();
  const old = await visitor.get(`/articles/${slug}`);
  expect([old.status, old.headers.get('Location')]).toEqual([301, `/articles/${slug}-moved`]);

  const picture = unique('Report');
  await uploadPicture(await signInAdministrator(systemUrl), svg(), `${picture}.svg`);
  await text.press('Control+End');
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  await page.getByRole('button', { name: `Use ${picture}` }).click();
  await expect(text).toHaveValue(/!\[\]\(\/media\/[^)]+\)\n$/);
  await page.getByRole('button', { name: 'Link to an article' }).click();
  await page.getByRole('searchbox').fill(title);
  // An article does not link to itself.
  await expect(page.getByText('No article has these words in its title.')).toBeVisible();
  await page.getByRole('searchbox').fill('bell county');
  await expect(page.getByRole('dialog').getByRole('button', { name: /Bell County/ })).toBeVisible();
  const saves: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/api/article/')) saves.push(request.url());
  });
  await page.getByRole('searchbox').press('Enter');
  await expect(text).toHaveValue(/\(\/articles\/[^)]*bell-county[^)]*\)$/);

  const release = unique('Fall');
  await page.getByLabel('Title', { exact: true }).fill(`${title} again`);
  await page.getByRole('button', { name: 'Add to a release' }).click();
  await page.getByLabel('New release').fill(release);
  await page.getByRole('button', { name: 'Create and add' }).click();
  await expect(toast(page, `Added to the release “${release}”`)).toBeVisible();
  // Enter in a dialog does not save the article behind it.
  expect(saves).toEqual([]);
  expect((await visitor.get(`/articles/${slug}-moved`)).text).not.toContain(`${title} again`);
  await page.goto('/releases');
  await page.getByRole('link', { name: release }).click();
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible();
  expect((await visitor.get(`/articles/${slug}-moved`)).text).toContain(`${title} again`);

  await page.goto(linkToHome('article'));
  await page.getByRole('button', { name: 'Add article' }).click();
  await page.getByLabel('Title', { exact: true }).fill(unique('Another'));
  await page.getByLabel('Summary').fill('One more.');
  await text.fill('Words.');
  await page.getByRole('button', { name: 'Add to a release' }).click();
  await page.getByLabel('New release').fill(unique('Winter'));
  await page.getByRole('button', { name: 'Create and add' }).click();
  // The form is empty again, and the next article begins at its top.
  const heading = page.getByRole('heading', { name: 'Add article' });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  expect(complaints).toEqual([]);
});
