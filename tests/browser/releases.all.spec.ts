/** Releases: an order of items, a new record, drafts that wait, and changes that nobody has seen. */
import { expect } from 'playwright/test';
import { contextOf, expectAccessible, systemUrl, test } from '../support/browser.ts';
import { registerAdministrator } from '../support/cast.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { addQuestion, openAsAdministrator, previewOf, toast, unique } from './journey.ts';

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

test('An administrator puts an order and a new record into a release, edits both there, and keeps a draft that is offered', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const editor = await registerAdministrator(systemUrl, visitor);
  const names = async () =>
    ((await visitor.get('/api/testimonials')).json as readonly { personName: string }[]).map(
      ({ personName }) => personName,
    );
  const before = await names();
  const [title, emptyTitle] = [unique('Voices'), unique('Empty')];
  const [half, other] = [unique('Half a sentence'), unique('Something else')];
  const [ada, bea] = [unique('Ada'), unique('Bea')];
  const { _id } = (await editor.post('/api/releases', { title })).json as { readonly _id: string };
  const page = await (await contextOf(browser, editor)).newPage();
  await page.goto('/edit-testimonial/');
  await page.getByRole('button', { name: 'Reorder in a release' }).click();
  await page.getByRole('button', { name: `Move ${before[0]}: place` }).press('End');
  await page.getByRole('button', { name: 'Add to a release' }).click();
  await page.getByRole('button', { name: title }).click();
  await expect(toast(page, `Added to the release “${title}”`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reorder in a release' })).toBeVisible();
  expect(await names()).toEqual(before);
  // A second order is compared with the first.
  await page.getByRole('button', { name: 'Reorder in a release' }).click();
  await page.getByRole('button', { name: `Move ${before[1]}: place` }).press('End');
  // The page asks before an order that is in no release is left.
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page
    .getByRole('navigation', { name: 'Pages and sections' })
    .getByRole('link', { name: 'Worked example' })
    .click();
  await expect(page).toHaveURL(/edit-testimonial/);
  expect(asked).toEqual([expect.stringContaining('The new order is not in a release yet.')]);
  await page.getByRole('button', { name: 'Add to a release' }).click();
  await page.getByRole('button', { name: title }).click();
  await expect(page.getByText('holds another order')).toBeVisible();
  await page.getByRole('button', { name: 'Keep what is there' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  // An incomplete form begins no release.
  await page.getByLabel('What they say').fill('Half a testimonial.');
  await page.getByRole('button', { name: 'Add to a release' }).click();
  await page.getByLabel('New release').fill(emptyTitle);
  await page.getByRole('button', { name: 'Begin and add' }).click();
  await expect(page.getByText('Some fields need another look')).toBeVisible();
  expect((await editor.get('/api/releases')).text).not.toContain(emptyTitle);
  await page.getByLabel('What they say').fill('');
  await expect(page.getByText('Not saved yet')).toHaveCount(0);

  const adds = { section: 'testimonial', action: 'add' };
  const values = {
    image: '/images/logo.svg',
    personName: ada,
    personTitle: 'Owner',
    desc: 'Good.',
  };
  await editor.post(`/api/release/${_id}/changes`, { ...adds, values });
  await page.goto(`/release/${_id}`);
  await page.getByRole('link', { name: 'Edit: Testimonial item added' }).click();
  const words = page.getByLabel('What they say');
  const preview = previewOf(page);
  await expect(words).toHaveValue('Good.');
  await expect(preview.getByText(ada)).toBeVisible();
  const isKept = () =>
    page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().includes('drafts'));
  let kept = isKept();
  await words.fill(half);
  await kept;
  await expect(preview.getByText(half)).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('You typed something here and did not save it')).toBeVisible();
  kept = isKept();
  await words.fill(other);
  await kept;
  // The form and the offer change places.
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(words).toHaveValue(half);
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(words).toHaveValue(other);
  await page.getByRole('button', { name: 'Discard it' }).click();
  await page.getByRole('button', { name: 'Save in the release' }).click();
  await expect(toast(page, 'Changed in the release')).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  await expect(preview.getByText(other)).toBeVisible();
  await expect.poll(async () => (await editor.get('/api/drafts')).json).toEqual([]);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByText(other)).toBeVisible();

  // The screen does not publish a colleague's change that it has not shown.
  const late = { section: 'testimonial', action: 'add', values: { ...values, personName: bea } };
  await visitor.post(`/api/release/${_id}/changes`, late);
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(toast(page, 'Somebody else changed this release meanwhile')).toBeVisible();
  await expect(page.getByText(bea).first()).toBeVisible();
  expect(await names()).toEqual(before);
  expect((await editor.delete(`/api/release/${_id}`)).status).toBe(204);
});

test('A draft of a record that a release has published meanwhile is compared with the published text', async ({
  browser,
}) => {
  const colleague = await signInAdministrator(systemUrl);
  const editor = await registerAdministrator(systemUrl, colleague);
  const title = unique('Questions');
  const { _id: release } = (await colleague.post('/api/releases', { title })).json as {
    readonly _id: string;
  };
  const values = { accodingTitle: unique('Who is live?'), accodingText: 'Nobody yet.' };
  const change = (body: object, headers = {}) =>
    colleague.post(`/api/release/${release}/changes`, { section: 'faqItem', ...body }, { headers });
  const { changes } = (await change({ action: 'add', values })).json as {
    readonly changes: readonly { readonly recordId: string }[];
  };
  const recordId = changes[0]?.recordId ?? '';

  const mine = unique('Mine');
  const page = await (await contextOf(browser, editor)).newPage();
  await page.goto(`/faq-edit/${recordId}?release=${release}`);
  const isKept = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await page.getByLabel('Answer').fill(mine);
  expect((await isKept).url()).toContain('/api/drafts');
  // The record begins at version 1 again, which is not the first version of the change.
  const accodingText = unique('The colleague');
  const update = { action: 'update', recordId, values: { accodingText } };
  expect((await change(update, { 'If-Match': '"1"' })).status).toBe(201);
  expect((await colleague.post(`/api/release/${release}/publish`, {})).status).toBe(200);
  expect((await colleague.get(`/api/faq-item/${recordId}`)).headers.get('ETag')).toBe('"1"');

  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto(`/faq-edit/${recordId}`);
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(page.getByLabel('Answer', { exact: true })).toHaveValue(mine);
  const choices = page.getByRole('group', { name: 'Answer' });
  await choices.getByRole('radio', { name: accodingText }).check();
  await expect(page.getByLabel('Answer', { exact: true })).toHaveValue(accodingText);
  expect((await colleague.delete(`/api/faq-item/${recordId}`)).status).toBe(200);
});
