/** Two administrators: one prepares a release, the other saves live; nobody's text is lost, and visitors see it when it is published. */
import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { contextOf, expectAccessible, openAsAdministrator, systemUrl, test } from '../support/browser.ts';
import { registerAdministrator } from '../support/cast.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

test('An administrator prepares a release while another saves, decides where they differ, and publishes it', async ({
  browser,
}) => {
  const unique = randomUUID().slice(0, 8);
  const visitor = await signInAdministrator(systemUrl);
  const question = { accodingTitle: `Who was first ${unique}?`, accodingText: 'Nobody yet.' };
  const { _id } = (await visitor.post('/api/add-faq-item', question)).json as { readonly _id: string };
  const title = `Spring ${unique}`;

  const mine = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  const isKept = mine.waitForResponse((answer) => answer.request().method() === 'PUT');
  await mine.getByLabel('Answer').fill(`The release ${unique}.`);
  expect((await isKept).url()).toContain('/api/drafts');
  // On another device it is there, and does not stand in anybody's way.
  const tablet = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  await expect(tablet.getByLabel('Answer')).toHaveValue('Nobody yet.');
  await tablet.getByRole('button', { name: 'Continue with it' }).click();
  await expect(tablet.getByLabel('Answer')).toHaveValue(`The release ${unique}.`);
  await expectAccessible(tablet);
  await tablet.context().close();
  await mine.getByRole('button', { name: 'Add to a release' }).click();
  await mine.getByLabel('New release').fill(title);
  // The form behind the question is not saved.
  await mine.keyboard.press('Control+s');
  await mine.getByRole('button', { name: 'Begin and add' }).click();
  await expect(toast(mine, `Added to the release “${title}”`)).toBeVisible();
  await expect(mine.getByLabel('Answer')).toHaveValue('Nobody yet.');
  expect((await visitor.get(`/api/faq-item/${_id}`)).json).toMatchObject(question);

  const colleague = await registerAdministrator(systemUrl, visitor);
  const theirs = await (await contextOf(browser, colleague)).newPage();
  await theirs.goto(`/faq-edit/${_id}`);
  await theirs.getByLabel('Answer').fill(`The colleague ${unique}.`);
  await theirs.keyboard.press('Control+s');
  await expect(theirs.getByText('Not saved yet')).toHaveCount(0);

  await mine.goto('/releases');
  await mine.getByRole('link', { name: title }).click();
  await expect(mine.getByText('1 change to decide on')).toBeVisible();
  await expect(mine.getByRole('button', { name: 'Publish now' })).toBeDisabled();
  const texts = mine.getByRole('group', { name: /^Answer/ });
  await expect(texts.getByLabel('Their text')).not.toBeChecked();
  await expect(texts.getByText(`The colleague ${unique}.`).first()).toBeVisible();
  await expectAccessible(mine);
  await mine.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(mine);
  await mine.getByRole('button', { name: 'Use these texts' }).click();
  await expect(mine.getByText('1 change to decide on')).toHaveCount(0);

  await mine.getByLabel('Or publish at').fill('2099-01-31T09:00');
  await mine.getByRole('button', { name: 'Schedule', exact: true }).click();
  await expect(mine.getByText('Scheduled', { exact: true })).toBeVisible();
  await mine.getByRole('button', { name: 'Take the time back' }).click();
  await expect(mine.getByText('Open', { exact: true })).toBeVisible();
  const readPage = async () => (await new Visitor(systemUrl).get('/pricing/')).text;
  await expect.poll(readPage).toContain(`The colleague ${unique}.`);

  await mine.getByRole('button', { name: 'Publish now' }).click();
  await expect(toast(mine, 'The release is live')).toBeVisible();
  await expect(mine.getByText('Published', { exact: true }).first()).toBeVisible();
  await expect.poll(readPage).toContain(`The release ${unique}.`);
  await expectAccessible(mine);
  expect((await visitor.delete(`/api/faq-item/${_id}`)).status).toBe(200);
});

test('An administrator puts an order and a new record into a release, edits both there, and a draft that is offered stays', async ({
  browser,
}) => {
  const unique = randomUUID().slice(0, 8);
  const visitor = await signInAdministrator(systemUrl);
  const editor = await registerAdministrator(systemUrl, visitor);
  const names = async () =>
    ((await visitor.get('/api/testimonials')).json as readonly { personName: string }[]).map(
      ({ personName }) => personName,
    );
  const before = await names();
  const title = `Voices ${unique}`;
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
  // Another order is compared with the one that is there.
  await page.getByRole('button', { name: 'Reorder in a release' }).click();
  await page.getByRole('button', { name: `Move ${before[1]}: place` }).press('End');
  // An order is kept nowhere yet, so it is not left for another section without a question.
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
  // A form that misses something begins no release.
  await page.getByLabel('What they say').fill('Half a testimonial.');
  await page.getByRole('button', { name: 'Add to a release' }).click();
  await page.getByLabel('New release').fill(`Empty ${unique}`);
  await page.getByRole('button', { name: 'Begin and add' }).click();
  await expect(page.getByText('Some fields need another look')).toBeVisible();
  expect((await editor.get('/api/releases')).text).not.toContain(`Empty ${unique}`);
  await page.getByLabel('What they say').fill('');
  await expect(page.getByText('Not saved yet')).toHaveCount(0);

  const adds = { section: 'testimonial', action: 'add' };
  const values = {
    image: '/images/logo.svg',
    personName: `Ada ${unique}`,
    personTitle: 'Owner',
    desc: 'Good.',
  };
  await editor.post(`/api/release/${_id}/changes`, { ...adds, values });
  await page.goto(`/release/${_id}`);
  await page.getByRole('link', { name: 'Edit: Testimonial item added' }).click();
  const words = page.getByLabel('What they say');
  const preview = page.locator('iframe[title^="Preview"]').contentFrame();
  await expect(words).toHaveValue('Good.');
  await expect(preview.getByText(`Ada ${unique}`)).toBeVisible();
  const isKept = () =>
    page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().includes('drafts'));
  let kept = isKept();
  await words.fill(`Half a sen ${unique}`);
  await kept;
  await expect(preview.getByText(`Half a sen ${unique}`)).toBeVisible();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(page.getByText('You typed something here and did not save it')).toBeVisible();
  kept = isKept();
  await words.fill(`Something else ${unique}`);
  await kept;
  // What stood in the form takes the place of what was offered.
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(words).toHaveValue(`Half a sen ${unique}`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(words).toHaveValue(`Something else ${unique}`);
  await page.getByRole('button', { name: 'Discard it' }).click();
  await page.getByRole('button', { name: 'Save in the release' }).click();
  await expect(toast(page, 'Changed in the release')).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  await expect(preview.getByText(`Something else ${unique}`)).toBeVisible();
  await expect.poll(async () => (await editor.get('/api/drafts')).json).toEqual([]);
  await page.getByRole('link', { name: title }).click();
  await expect(page.getByText(`Something else ${unique}`)).toBeVisible();

  // A colleague's change, which this screen has not seen, is not published by it.
  const late = { section: 'testimonial', action: 'add', values: { ...values, personName: `Bea ${unique}` } };
  await visitor.post(`/api/release/${_id}/changes`, late);
  await page.getByRole('button', { name: 'Publish now' }).click();
  await expect(toast(page, 'Somebody else changed this release meanwhile')).toBeVisible();
  await expect(page.getByText(`Bea ${unique}`).first()).toBeVisible();
  expect(await names()).toEqual(before);
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
  expect((await editor.delete(`/api/release/${_id}`)).status).toBe(204);
  await page.context().close();
});

test('Who goes on with a draft of a record that a release has made live meanwhile chooses between it and what is live', async ({
  browser,
}) => {
  const unique = randomUUID().slice(0, 8);
  const colleague = await signInAdministrator(systemUrl);
  const editor = await registerAdministrator(systemUrl, colleague);
  const title = `Questions ${unique}`;
  const { _id: release } = (await colleague.post('/api/releases', { title })).json as {
    readonly _id: string;
  };
  const values = { accodingTitle: `Who is live ${unique}?`, accodingText: 'Nobody yet.' };
  const change = (body: object, headers = {}) =>
    colleague.post(`/api/release/${release}/changes`, { section: 'faqItem', ...body }, { headers });
  const { changes } = (await change({ action: 'add', values })).json as {
    readonly changes: readonly { readonly recordId: string }[];
  };
  const recordId = changes[0]?.recordId ?? '';

  const page = await (await contextOf(browser, editor)).newPage();
  await page.goto(`/faq-edit/${recordId}?release=${release}`);
  const isKept = page.waitForResponse((answer) => answer.request().method() === 'PUT');
  await page.getByLabel('Answer').fill(`Mine ${unique}`);
  expect((await isKept).url()).toContain('/api/drafts');
  // The first version of the record is not the first version of the change.
  const accodingText = `The colleague ${unique}`;
  const update = { action: 'update', recordId, values: { accodingText } };
  expect((await change(update, { 'If-Match': '"1"' })).status).toBe(201);
  expect((await colleague.post(`/api/release/${release}/publish`, {})).status).toBe(200);
  expect((await colleague.get(`/api/faq-item/${recordId}`)).headers.get('ETag')).toBe('"1"');

  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto(`/faq-edit/${recordId}`);
  await page.getByRole('button', { name: 'Continue with it' }).click();
  await expect(page.getByLabel('Answer', { exact: true })).toHaveValue(`Mine ${unique}`);
  const choices = page.getByRole('group', { name: 'Answer' });
  await choices.getByRole('radio', { name: accodingText }).check();
  await expect(page.getByLabel('Answer', { exact: true })).toHaveValue(accodingText);
  await page.context().close();
  expect((await colleague.delete(`/api/faq-item/${recordId}`)).status).toBe(200);
});
