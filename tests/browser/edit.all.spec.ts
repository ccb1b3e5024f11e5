/** The forms of the editor: conflicts, versions, pictures, the order of items, saves whose response is lost. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'playwright/test';
import { linkTo } from '#contract/screens.ts';
import { systemUrl, test } from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { png } from '../support/pictures.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';
import {
  addQuestion,
  openAsAdministrator,
  openAsCustomer,
  payOrder,
  publicationStatus,
  toast,
  unique,
} from './journey.ts';

interface SavedRecord {
  readonly _id: string;
  readonly [field: string]: string;
}

const list = async (visitor: Visitor, path: string) =>
  (await visitor.get(`/api${path}`)).json as readonly SavedRecord[];

test('The form asks again about an undecided conflict, and the result of a save is reported even after the form was left', async ({
  browser,
}) => {
  const colleague = await signInAdministrator(systemUrl);
  const { _id, accodingTitle } = await addQuestion(colleague);
  const path = `/api/faq-item/${_id}`;
  const page = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  const saveTheirs = (accodingText: string) => colleague.put(path, { accodingTitle, accodingText });
  /** Presses Save, and holds back the response while something else happens. */
  const saveDuring = async (meanwhile: () => Promise<void>) => {
    const { promise: isDone, resolve: goOn } = Promise.withResolvers<undefined>();
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === 'PUT') await isDone;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await meanwhile();
    goOn(undefined);
  };
  const leave = () =>
    page
      .getByRole('navigation', { name: 'Pages and sections' })
      .getByRole('link', { name: 'FAQ', exact: true })
      .click();
  const input = page.getByRole('textbox', { name: 'Answer' });
  const choices = page.getByRole('group', { name: 'Answer' });
  const [mine, theirs, again] = [unique('Mine'), unique('Theirs'), unique('Again')];

  await input.fill('As it was sent');
  await saveTheirs(theirs);
  await saveDuring(() => input.fill(mine));
  await expect(choices.getByRole('radio', { name: mine })).toBeChecked();
  await expect(input).toHaveValue(mine);
  await leave();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit FAQ');
  await page.goBack();
  await expect(choices.getByRole('radio', { name: mine })).toBeChecked();

  await saveTheirs(again);
  await saveDuring(leave);
  await expect(toast(page, 'what you typed was not saved. Someone else saved this')).toBeVisible();
  await page.goBack();
  await expect(choices.getByRole('radio', { name: again })).not.toBeChecked();
  await expect(input).toHaveValue(mine);
  await choices.getByRole('radio', { name: mine }).check();
  await saveDuring(leave);
  await expect(toast(page, 'FAQ Item is Updated')).toBeVisible();
  expect((await colleague.get(path)).json).toMatchObject({ accodingText: mine });
  await colleague.delete(path);
});

test('An administrator restores an earlier version, and undoes the last save', async ({ browser }) => {
  const visitor = await signInAdministrator(systemUrl);
  const [record] = await list(visitor, '/copyrights');
  const id = record?._id ?? '';
  const [first, second] = [unique('First'), unique('Second')];
  const { headers } = await visitor.put(`/api/copyrights/${id}`, { copyrightText: first });
  const version = headers.get('ETag')?.replaceAll('"', '') ?? '';
  await visitor.put(`/api/copyrights/${id}`, { copyrightText: second });

  const page = await openAsAdministrator(browser, `/edit-copyright/${id}`);
  await expect(page.getByRole('textbox', { name: 'Copyright text' })).toHaveValue(second);
  await expect(page.getByText('changed by owner@agency.example').first()).toBeVisible();
  await expect(page.locator('del').first()).toContainText('First');
  await page.getByRole('button', { name: `Restore version ${version}`, exact: true }).click();
  await expect(toast(page, `Version ${version} restored`)).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Copyright text' })).toHaveValue(first);
  await expect(publicationStatus(page)).toHaveText(/^Live/);
  expect((await new Visitor(systemUrl).get('/')).text).toContain(first);

  // The undo button survives a reload.
  await page.reload();
  // The save is undone, and the response is lost.
  await page.route(
    `**/api/history/${id}/restore`,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Undo the last save' }).click();
  await expect(toast(page, 'We could not reach the site.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo the last save' }).click();
  await expect(toast(page, 'Last save undone')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Copyright text' })).toHaveValue(second);

  const third = `Third ${unique('footer')}`;
  await visitor.put(`/api/copyrights/${id}`, { copyrightText: third });
  await page.getByRole('button', { name: 'Undo the last save' }).click();
  await expect(toast(page, 'Someone else saved this after you.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Copyright text' })).toHaveValue(third);
});

test('An administrator uploads a picture into a form, describes it, and picks it from the library', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const name = `${unique('office')}.png`;
  const page = await openAsAdministrator(browser, '/edit-team-text/');
  await page.getByRole('button', { name: 'Add team member' }).click();
  await expect(page.getByRole('textbox', { name: 'Picture' })).toBeFocused();
  const address = page.getByRole('textbox', { name: 'Picture' });
  /** The URL of a library picture is behind a button. */
  const showAddress = () => page.getByRole('button', { name: 'Address of Picture' }).click();
  const file = join(await mkdtemp(join(tmpdir(), 'upload-')), name);
  await writeFile(file, png(1_200, 800));
  // During an upload, the form asks for confirmation before it is left, and is not saved.
  const { promise: isAsked, resolve: goOn } = Promise.withResolvers<undefined>();
  await page.route('**/api/media', async (route) => {
    if (route.request().method() === 'POST') await isAsked;
    await route.continue();
  });
  const asked: string[] = [];
  page.once('dialog', (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  const isUnderWay = page.waitForRequest(
    (sent) => sent.method() === 'POST' && sent.url().endsWith('/api/media'),
  );
  await page.locator('input[type=file]').first().setInputFiles(file);
  await isUnderWay;
  await page
    .getByRole('navigation', { name: 'Pages and sections' })
    .getByRole('link', { name: 'Counters' })
    .click();
  expect(asked).toEqual([expect.stringContaining('A picture is still uploading.')]);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('A picture is still uploading. Try again');
  goOn(undefined);
  await showAddress();
  await expect(address).toBeFocused();
  await expect(address).toHaveValue(/^\/media\/.*\.webp$/);
  const path = await address.inputValue();

  await page.getByLabel('Description').fill('Our office from the street');
  await page.getByRole('radio', { name: 'bottom left' }).check();
  await page.keyboard.press('ControlOrMeta+s');
  await expect(page.getByRole('button', { name: 'Save description and focus' })).toBeHidden();
  await page.getByLabel('Description').press('Enter');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  const records = await list(visitor, '/media');
  expect(records.find((record) => record['path'] === path)).toMatchObject({
    alt: 'Our office from the street',
    focus: 'bottom left',
  });

  await address.fill('');
  await page.getByRole('button', { name: 'Library for' }).first().click();
  await page.getByRole('searchbox', { name: 'Find a picture' }).fill(name);
  await page.getByRole('searchbox', { name: 'Find a picture' }).press('Enter');
  await page.getByRole('button', { name: `Use ${name}` }).click();
  await expect(address).toHaveCount(0);
  // The dialog is closed, and the focus is back.
  await expect(page.getByRole('button', { name: 'Library for' }).first()).toBeFocused();
  await showAddress();
  await expect(address).toHaveValue(path);
  // Enter did not submit the form behind the dialog.
  await expect(page.getByText(/needs? another look/)).toHaveCount(0);

  // The description of the picture is saved with the form around it.
  await page.getByLabel('Description').fill('Our office at night');
  const member = unique('Nora');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(member);
  await page.getByRole('textbox', { name: 'Job title' }).fill('Editor');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(address).toHaveValue('');
  const described = await list(visitor, '/media');
  expect(described.find((record) => record['path'] === path)).toMatchObject({ alt: 'Our office at night' });
  await page.getByRole('button', { name: `Remove ${member}` }).click();
  await expect(page.getByText(`${member} was removed.`)).toBeVisible();

  await address.fill('nowhere');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText(/needs? another look/)).toBeVisible();
  /**
   * Pastes a picture together with a text.
   * @returns whether the field takes the text
   */
  const paste = (text: string) =>
    address.evaluate(
      (input, [bytes, copied]) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(bytes)], 'moving.png', { type: 'image/png' }));
        clipboardData.setData('text/plain', copied);
        return input.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      },
      [Array.from(png(4, 4, { acTL: '\0\0\0\x02\0\0\0\0' })), text] as const,
    );
  // Word and Excel copy text both as text and as a picture. Some systems copy a file together with its name.
  expect(await paste('/images/team.jpg, as it stands in a cell')).toBe(true);
  expect(await paste('moving.png')).toBe(false);
  await expect(page.getByText('This picture is animated', { exact: false })).toBeVisible();
  await expect(address).toHaveValue('nowhere');
});

test('A part of a screen that fails to load offers a reload, and what was entered is kept', async ({
  browser,
}) => {
  const page = await openAsAdministrator(browser, '/add-item');
  const address = page.getByRole('textbox', { name: 'Picture' });
  const isKept = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/api/drafts') && answer.ok(),
  );
  await address.fill('half typed');
  await page.route(/\/library-dialog[^/]*\.js/, (route) => route.abort());
  await page.getByRole('button', { name: 'Library for' }).first().click();
  await expect(page.getByText('This part could not be loaded')).toBeVisible();
  await expect(address).toHaveValue('half typed');
  await isKept;
  page.on('dialog', (dialog) => void dialog.accept());
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'Continue editing' }).click();
  await expect(address).toHaveValue('half typed');

  const { customer } = await openAsCustomer(browser);
  const order = await placeOrder(customer);
  await payOrder(customer, order);
  await page.goto(linkTo('order', order._id));
  await page.route(/\/check-refund[^/]*\.js/, (route) => route.abort());
  const amount = page.getByLabel('Amount in dollars');
  const refund = page.getByRole('button', { name: 'Refund part or all' });
  await refund.click();
  await amount.fill('12');
  await page.getByRole('button', { name: 'Refund $12' }).click();
  const notice = page.getByText('A part of this page could not be loaded');
  await expect(notice).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(notice).toBeHidden();
  await refund.click();
  await expect(amount).toHaveValue('12');
});

test('An administrator adds an item, moves it by keyboard and by drag, removes it and restores it', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const titles = async () => (await list(visitor, '/contacts')).map(({ contactTitle = '' }) => contactTitle);
  const before = await titles();
  const title = unique('Added');

  const page = await openAsAdministrator(browser, '/add-contact/');
  await page.getByRole('button', { name: 'Add contact detail' }).click();
  await page.getByLabel('Picture', { exact: true }).fill('/images/search-result.svg');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Details').fill('As added');
  // The item is added, and the response is lost.
  await page.route(
    '**/api/add-contact',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText('We could not reach the site.')).toBeVisible();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toast(page, 'Contcat Section is Updated')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('');
  expect(await titles()).toEqual([...before, title]);

  await page.getByRole('button', { name: `Move ${title}: position` }).press('Home');
  await expect(toast(page, 'Items reordered')).toBeVisible();
  await expect(page.getByRole('link', { name: 'View live' })).toBeVisible();
  await expect(page.getByText(`${title} moved to position 1 of ${before.length + 1}.`)).toBeAttached();
  expect(await titles()).toEqual([title, ...before]);
  await expect(page.getByRole('button', { name: `Move ${title}: position 1 of` })).toBeFocused();

  // Hovering waits until the list stops moving.
  await page.getByRole('button', { name: `Move ${title}: position` }).hover();
  const target = await page.locator('[data-item]').nth(1).boundingBox();
  if (!target) throw new Error('The list is not on the screen.');
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 8 });
  await page.mouse.up();
  await expect.poll(titles).toEqual([before[0], title, ...before.slice(1)]);
  await expect(page.getByText(`${title} moved to position 2 of ${before.length + 1}.`)).toBeAttached();

  await page.getByRole('button', { name: `Remove ${title}` }).click();
  await expect(toast(page, 'Contact detail removed')).toBeVisible();
  expect(await titles()).toEqual(before);
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeFocused();
  // No toast covers it at any scroll position, even without the focus.
  await undo.evaluate((button) => {
    button.blur();
    scrollBy({ top: button.getBoundingClientRect().bottom - innerHeight + 30, behavior: 'instant' });
  });
  const isOnTop = () =>
    undo.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2) === button;
    });
  await expect.poll(isOnTop).toBe(true);
  expect(await toast(page, 'Contact detail removed').isVisible()).toBe(true);
  await undo.press('Enter');
  await expect(toast(page, 'Contact detail restored')).toBeVisible();
  expect(await titles()).toEqual([before[0], title, ...before.slice(1)]);
});
