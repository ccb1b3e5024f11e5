/**
 * Administrators edit the site. They see the page change as they type, save, and do not overwrite each other's work.
 */
import { expect } from 'playwright/test';
import { expectAccessible, systemUrl, test, watchComplaints } from '../support/browser.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';
import { openAsAdministrator, previewOf, publicationStatus, toast, unique } from './journey.ts';

test('An administrator edits the banner, and a visitor sees it immediately', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/edit-banner');
  const complaints = watchComplaints(page);
  const readPage = async () => (await new Visitor(systemUrl).get('/')).text;
  const typed = unique('As typed');
  const details = page.getByLabel('Details', { exact: true });
  // The only record of a section is edited on the section's own screen. The link opens the same form.
  await details.fill(typed);
  await expect(previewOf(page).getByText(typed)).toBeVisible();
  await page.getByRole('link', { name: 'Edit Banner Section', exact: true }).click();
  await expect(page).toHaveURL(/\/banner\//);
  await expect(details).toHaveValue(typed);
  expect(await readPage()).not.toContain(typed);
  await expectAccessible(page);

  await page.keyboard.press('Control+s');
  await expect(toast(page, 'Banner is Updated')).toBeVisible();
  await expect(publicationStatus(page)).toHaveText(/^Live, revision \d+ \(\d+\.\d s\)$/);
  expect(await readPage()).toContain(typed);
  await expect(page.getByText('Not saved yet')).toHaveCount(0);

  const [link, text] = [page.getByLabel('Button link'), page.getByLabel('Button text')];
  await link.fill('javascript:alert(1)');
  await text.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Some fields need another look')).toBeVisible();
  await expect(text).toBeFocused();
  await expect(text).toHaveAccessibleDescription(/is required/);
  await expect(link).toHaveAccessibleDescription(/Use a web address/);
  await expect(link).toHaveValue('javascript:alert(1)');
  const asked = page.waitForEvent('dialog');
  const left = page.getByRole('link', { name: 'Overview' }).click();
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await left;
  await expect(page.getByText('Not saved yet')).toBeVisible();
  expect(complaints).toEqual([]);
});

test('When two administrators edit one record, neither text is lost', async ({ browser }) => {
  const colleague = await signInAdministrator(systemUrl);
  const records = async () =>
    (await colleague.get('/api/footer-about')).json as readonly { readonly _id: string }[];
  const id = (await records())[0]?._id ?? '';
  const page = await openAsAdministrator(browser, `/edit-about-footer/${id}`);
  const input = page.getByRole('textbox', { name: 'Details' });
  const choices = page.getByRole('group', { name: 'Details' });
  const [mine, theirs, heading] = [unique('Mine'), unique('Theirs'), unique('Heading')];

  await input.fill(mine);
  const values = { aboutFooterText: heading, aboutFooterDetails: theirs };
  expect((await colleague.put(`/api/footer-about/${id}`, values)).status).toBe(200);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(choices.getByRole('radio', { name: mine })).toBeChecked();
  await expect(choices.getByRole('radio', { name: theirs })).not.toBeChecked();
  await expect(input).toHaveValue(mine);
  // A field that only the colleague has changed gets the colleague's text.
  await expect(page.getByLabel('Heading', { exact: true })).toHaveValue(heading);

  await choices.getByRole('radio', { name: theirs }).check();
  await expect(input).toHaveValue(theirs);
  await choices.getByRole('radio', { name: mine }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Footer About')).toBeVisible();
  await expect(choices).toHaveCount(0);
  expect((await records())[0]).toMatchObject({ aboutFooterText: heading, aboutFooterDetails: mine });
});
