/** Administrators edit the site: they see the section change as they type, save, and see that visitors have it. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Browser, type Page } from 'playwright/test';
import * as z from 'zod';
import { expectAccessible, openAsAdministrator, systemUrl, test, unavailable } from '../support/browser.ts';
import { gif, png } from '../support/pictures.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';

const unique = (text: string) => `${text} ${randomUUID().slice(0, 8)}`;

const preview = (page: Page) => page.locator('iframe[title^="Preview"]').first().contentFrame();
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });
const status = (page: Page) => page.getByRole('banner').getByRole('status');

/** What somebody who has never been here reads on a page. */
async function readAsVisitor(browser: Browser, path: string): Promise<string> {
  const page = await browser.newPage({ baseURL: systemUrl });
  await page.goto(path);
  const text = await page.locator('body').innerText();
  await page.close();
  return text;
}

interface SavedRecord {
  readonly _id: string;
  readonly [field: string]: string;
}

const list = async (visitor: Visitor, path: string) =>
  (await visitor.get(`/api${path}`)).json as readonly SavedRecord[];

for (const { section, home, editLink, field, page: path, alert } of [
  {
    section: 'the banner',
    home: '/edit-banner',
    editLink: 'Edit Banner Section',
    field: 'Details',
    page: '/',
    alert: 'Banner is Updated',
  },
  {
    section: 'a package',
    home: '/add-pricing/',
    editLink: 'Edit Pricing',
    field: 'Point 1',
    page: '/pricing/',
    alert: 'Pricing is Updated',
  },
  {
    section: 'the footer address',
    home: '/add-address-footer/',
    editLink: 'Edit footer address',
    field: 'Place',
    page: '/contact',
    alert: 'Footer Address is Updated',
  },
])
  test(`An administrator edits ${section}, and an anonymous visitor sees it at once`, async ({ browser }) => {
    const page = await openAsAdministrator(browser, home);
    await page.getByRole('link', { name: editLink, exact: true }).first().click();
    const typed = unique('As typed');
    await page.getByLabel(field, { exact: false }).first().fill(typed);
    await expect(preview(page).getByText(typed)).toBeVisible();
    expect(await readAsVisitor(browser, path)).not.toContain(typed);

    await page.keyboard.press('Control+s');
    await expect(toast(page, alert)).toHaveText(new RegExp(alert));
    await expect(status(page)).toHaveText(/^Live, revision \d+ \(\d+\.\d s\)$/);
    expect(await readAsVisitor(browser, path)).toContain(typed);
    await expect(page.getByText('Not saved yet')).toHaveCount(0);
    await page.context().close();
  });

test('The preview has the width of a phone, a tablet and a desktop', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/edit-service');
  for (const [device, width] of [
    ['Phone', 360],
    ['Tablet', 768],
    ['Desktop', 1280],
  ] as const) {
    await page.getByRole('button', { name: device }).click();
    await expect
      .poll(() =>
        preview(page)
          .locator('html')
          .evaluate(() => window.innerWidth),
      )
      .toBe(width);
  }
  await page.context().close();
});

test('When two administrators edit one record, neither text is lost', async ({ browser }) => {
  const visitor = await signInAdministrator(systemUrl);
  const [record] = await list(visitor, '/footer-about');
  const path = `/footer-about/${record?._id ?? ''}`;
  const page = await openAsAdministrator(browser, `/edit-about-footer/${record?._id ?? ''}`);
  const theirHeading = unique('Heading');
  const saveTheirs = async (details: string) => {
    const values = { aboutFooterText: theirHeading, aboutFooterDetails: details };
    expect((await visitor.put(`/api${path}`, values)).status).toBe(200);
  };
  /** Presses Save, and holds it up while something else is done. */
  const saveDuring = async (meanwhile: () => Promise<void>) => {
    const { promise: isDone, resolve: goOn } = Promise.withResolvers<undefined>();
    await page.route(`**/api${path}`, async (route) => {
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
      .getByRole('link', { name: 'Copyright' })
      .click();
  const input = page.getByRole('textbox', { name: 'Details' });
  const choices = page.getByRole('group', { name: 'Details' });
  const [mine, theirs] = [unique('Mine'), unique('Theirs')];

  await input.fill('As it was sent');
  await saveTheirs(theirs);
  await saveDuring(() => input.fill(mine));
  await expect(choices.getByRole('radio', { name: mine })).toBeChecked();
  await expect(choices.getByRole('radio', { name: theirs })).not.toBeChecked();
  await expect(input).toHaveValue(mine);
  await expect(page.getByLabel('Heading', { exact: true })).toHaveValue(theirHeading);

  // What is not decided is asked again.
  await leave();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit copyright');
  await page.goBack();
  await expect(choices.getByRole('radio', { name: mine })).toBeChecked();

  // Who leaves the form before its answer came is told of it.
  const again = unique('Again');
  await saveTheirs(again);
  await saveDuring(leave);
  await expect(toast(page, 'what you typed was not saved. Somebody else saved this')).toBeVisible();
  await page.goBack();
  await expect(choices.getByRole('radio', { name: again })).not.toBeChecked();
  await expect(input).toHaveValue(mine);

  await choices.getByRole('radio', { name: again }).check();
  await expect(input).toHaveValue(again);
  await choices.getByRole('radio', { name: mine }).check();
  await saveDuring(leave);
  await expect(toast(page, 'Footer About')).toBeVisible();
  const [after] = await list(visitor, '/footer-about');
  expect(after).toMatchObject({ aboutFooterText: theirHeading, aboutFooterDetails: mine });
  await page.goBack();
  await expect(input).toHaveValue(mine);
  await expect(choices).toHaveCount(0);
  await page.context().close();
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
  await expect(status(page)).toHaveText(/^Live/);
  expect(await readAsVisitor(browser, '/')).toContain(first);

  // Also when the screen is opened again.
  await page.reload();
  await page.getByRole('button', { name: 'Undo the last save' }).click();
  await expect(toast(page, 'The last save is undone')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Copyright text' })).toHaveValue(second);
  await page.context().close();
});

test('An administrator uploads a picture into a form, says what it shows, and takes it from the library', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const name = `${unique('office')}.png`;
  const page = await openAsAdministrator(browser, '/edit-team-text/');
  const address = page.getByRole('textbox', { name: 'Picture' });
  const file = join(await mkdtemp(join(tmpdir(), 'upload-')), name);
  await writeFile(file, png(1_200, 800));
  // While it is on its way nobody leaves the form for another section without a question.
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
  expect(asked).toEqual([expect.stringContaining('A picture is still being uploaded.')]);
  goOn(undefined);
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
  await expect(address).toHaveValue(path);
  // Enter sent nothing.
  await expect(page.getByText(/needs? another look/)).toHaveCount(0);
  // The dialog is gone altogether, and the focus is where it came from.
  await expect(page.getByRole('button', { name: 'Library for' }).first()).toBeFocused();

  await address.fill('nowhere');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByText(/needs? another look/)).toBeVisible();
  /** Pastes a picture, as an application copies it with a text. @returns whether the field is left to take the text */
  const paste = (text: string) =>
    address.evaluate(
      (input, [bytes, copied]) => {
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([new Uint8Array(bytes)], 'moving.gif', { type: 'image/gif' }));
        if (copied !== '') clipboardData.setData('text/plain', copied);
        return input.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      },
      [Array.from(gif(2)), text] as const,
    );
  const refusal = page.getByText('This picture is animated.');
  // Word and Excel copy a picture of a text together with the text.
  expect(await paste('/images/team.jpg, as it stands in a cell')).toBe(true);
  expect(await paste('')).toBe(false);
  await expect(refusal).toBeVisible();
  await expect(address).toHaveValue('nowhere');
  await address.fill(path);
  await expect(refusal).toBeHidden();
  // Some systems copy the name of a file together with the file.
  expect(await paste('moving.gif')).toBe(false);
  await expect(refusal).toBeVisible();
  await page.context().close();
});

test('A part that cannot be loaded leaves the screen and what is typed there, and is tried again', async ({
  browser,
}) => {
  const page = await openAsAdministrator(browser, '/edit-team-text/');
  const address = page.getByRole('textbox', { name: 'Picture' });
  await address.fill('half typed');
  await page.route(/\/library-dialog[^/]*\.js/, (route) => route.abort());
  await page.getByRole('button', { name: 'Library for' }).first().click();
  await expect(page.getByText('This part could not be loaded')).toBeVisible();
  await expect(address).toHaveValue('half typed');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: 'Library' })).toBeVisible();
  await page.context().close();
});

test('An administrator fills the library on its own screen, and says there what a picture shows', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const page = await openAsAdministrator(browser, '/edit-media');
  const [name, other] = [`${unique('porch')}.png`, `${unique('door')}.png`];
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  await writeFile(join(folder, name), png(61, 40));
  await writeFile(join(folder, 'broken.png'), gif(1));
  const files = [join(folder, name), join(folder, 'broken.png')];
  await page.locator('input[type=file]').setInputFiles(files);
  await expect(page.getByText('broken.png: The name of this file says .png')).toBeVisible();
  const uploaded = page.getByRole('list', { name: 'Uploaded just now' });
  await uploaded.getByLabel('Description').fill('A porch');
  await uploaded.getByRole('radio', { name: 'top left' }).check();
  await uploaded.getByLabel('Description').press('Enter');
  await expect(uploaded.getByRole('button', { name: 'Save description and focus' })).toBeHidden();
  const shownAs = async (title: string) =>
    (await list(visitor, '/media')).find((record) => record['name'] === title);
  expect(await shownAs(name)).toMatchObject({ alt: 'A porch', focus: 'top left' });

  await page.locator('body').evaluate(
    (body, { bytes, title }) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(bytes)], title, { type: 'image/png' }));
      body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    },
    { bytes: Array.from(png(62, 40)), title: other },
  );
  await expect(uploaded.getByText(other)).toBeVisible();
  await expectAccessible(page);
  for (const title of [name, other])
    expect((await visitor.delete(`/api/media/${(await shownAs(title))?._id ?? ''}`)).status).toBe(200);
  await page.context().close();
});

test('An administrator adds, moves by keyboard and by drag, removes and brings back an item', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const titles = async () => (await list(visitor, '/contacts')).map(({ contactTitle = '' }) => contactTitle);
  const before = await titles();
  const title = unique('Added');

  const page = await openAsAdministrator(browser, '/add-contact/');
  await page.getByLabel('Picture', { exact: true }).fill('/images/search-result.svg');
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Details').fill('As added');
  // It is added, and the answer is lost.
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

  await page.getByRole('button', { name: `Move ${title}: place` }).press('Home');
  await expect(toast(page, 'Items reordered')).toBeVisible();
  await expect(page.getByText(`${title} moved to place 1 of ${before.length + 1}.`)).toBeAttached();
  expect(await titles()).toEqual([title, ...before]);
  await expect(page.getByRole('button', { name: `Move ${title}: place 1 of` })).toBeFocused();

  // To point at it first waits until the list stands still.
  await page.getByRole('button', { name: `Move ${title}: place` }).hover();
  const target = await page.locator('[data-item]').nth(1).boundingBox();
  if (!target) throw new Error('The list is not on the screen.');
  await page.mouse.down();
  await page.mouse.move(target.x + 40, target.y + target.height / 2, { steps: 8 });
  await page.mouse.up();
  await expect.poll(titles).toEqual([before[0], title, ...before.slice(1)]);
  await expect(page.getByText(`${title} moved to place 2 of ${before.length + 1}.`)).toBeAttached();

  await page.getByRole('button', { name: `Remove ${title}` }).click();
  await expect(toast(page, 'Contact detail removed')).toBeVisible();
  expect(await titles()).toEqual(before);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Contact detail restored')).toBeVisible();
  expect(await titles()).toEqual([before[0], title, ...before.slice(1)]);
  await page.context().close();
});

test('An item that is let go before its last move was painted stays where it was let go, and a colleague keeps their order', async ({
  browser,
}) => {
  const visitor = await signInAdministrator(systemUrl);
  const titles = async () => (await list(visitor, '/steps')).map(({ stepTitle = '' }) => stepTitle);
  const [first = '', second = '', ...others] = await titles();
  const page = await openAsAdministrator(browser, '/step-section');
  const handle = page.getByRole('button', { name: `Move ${first}: place` });
  const target = page.locator('[data-item]').nth(1);
  await target.evaluate((item) => item.scrollIntoView({ block: 'center', behavior: 'instant' }));
  const drag = async (...events: string[]) => {
    await handle.dispatchEvent('pointerdown', { button: 0 });
    await target.evaluate((item, names) => {
      const { left, top, height } = item.getBoundingClientRect();
      const at = { clientX: left + 40, clientY: top + height / 2 };
      for (const name of names) dispatchEvent(new PointerEvent(name, at));
    }, events);
  };
  // Escape puts it back, and leads nowhere.
  await handle.focus();
  await drag('pointermove');
  await expect(page.locator('[data-item]').first()).toContainText(second);
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-item]').first()).toContainText(first);
  await expect(handle).toBeFocused();

  await drag('pointermove', 'pointerup');
  await expect(toast(page, 'Items reordered')).toBeVisible();
  expect(await titles()).toEqual([second, first, ...others]);

  const order = (await list(visitor, '/steps')).map(({ _id }) => _id).toReversed();
  expect((await visitor.put('/api/steps', { order })).status).toBe(200);
  const theirs = await titles();
  await handle.press('Home');
  await expect(toast(page, 'Somebody else put this list in another order')).toBeVisible();
  await expect(page.locator('[data-item]').first()).toContainText(theirs[0] ?? '');
  expect(await titles()).toEqual(theirs);
  // One move after the other is held to the order of the one before.
  const { promise: isMovedOn, resolve: goOn } = Promise.withResolvers<undefined>();
  await page.route('**/api/steps', async (route) => {
    await isMovedOn;
    await route.continue();
  });
  const isSent = page.waitForRequest((request) => request.method() === 'PUT');
  await handle.press('Home');
  expect((await isSent).url()).toContain('/api/steps');
  await handle.press('End');
  goOn(undefined);
  await expect.poll(titles).toEqual([...theirs.filter((title) => title !== first), first]);
  await page.context().close();
});

test('What is wrong stands beside its field, and nothing typed is lost', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/edit-banner');
  await page.getByRole('link', { name: 'Edit Banner Section' }).click();
  const link = page.getByLabel('Button link');
  await link.fill('javascript:alert(1)');
  await page.getByLabel('Button text').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Some fields need another look')).toBeVisible();
  await expect(page.getByLabel('Button text')).toBeFocused();
  await expect(page.getByLabel('Button text')).toHaveAccessibleDescription(/is required/);
  await expect(link).toHaveAccessibleDescription(/Use a web address/);
  await expect(link).toHaveValue('javascript:alert(1)');

  // The server refuses what the form cannot know: a path of this site at which there is no page.
  await page.getByLabel('Button text').fill('Go');
  await link.fill('/no-such-page');
  await expect(page.getByText('There is no page at this address on this site.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert').first()).toBeVisible();
  await expect(link).toHaveValue('/no-such-page');
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.context().close();
});

test('A price is typed as people write it; the name of a package is shown and stays', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/add-pricing/');
  await page.getByRole('link', { name: 'Edit Pricing', exact: true }).first().click();
  await expect(page.getByRole('textbox', { name: 'Name' })).not.toBeEditable();
  await expect(page.getByRole('combobox', { name: 'Name' })).toHaveCount(0);

  let sent = '';
  await page.route('**/api/pricing/*', (route) => {
    if (route.request().method() !== 'PUT') return route.continue();
    sent = z.object({ packagePrice: z.string() }).parse(route.request().postDataJSON()).packagePrice;
    return route.abort();
  });
  const price = page.getByRole('textbox', { name: 'Price in US dollars' });
  for (const [typed, meant] of [
    ['$599', '599'],
    ['1,200', '1200'],
  ] as const) {
    await price.fill(typed);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => sent).toBe(meant);
  }
  await price.fill('0.49');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Use a price from 0.50 to 999999.99').first()).toBeVisible();
  expect(sent).toBe('1200');
  await page.context().close();
});

test('A save that the site cannot take, or that does not reach it, says so and keeps what was typed', async ({
  browser,
}) => {
  const page = await openAsAdministrator(browser, '/add-copyright');
  await page.getByRole('link', { name: 'Edit Copyright' }).click();
  const field = page.getByRole('textbox', { name: 'Copyright text' });
  const typed = unique('Kept');
  await field.fill(typed);
  const words = 'Please try again in a moment.';
  await page.route('**/api/copyrights/*', (route) => route.fulfill(unavailable(words)));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(words)).toBeVisible();
  await expect(field).toHaveValue(typed);
  await page.unroute('**/api/copyrights/*');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('We could not reach the site.')).toBeVisible();
  await expect(field).toHaveValue(typed);
  await expect(toast(page, 'Footer Copy Right Updated')).toHaveCount(0);
  await page.context().close();
});

test('The browser asks before unsaved text is left behind', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/add-copyright');
  await page.getByRole('link', { name: 'Edit Copyright' }).click();
  await page.getByRole('textbox', { name: 'Copyright text' }).fill(unique('Unsaved'));
  const asked = page.waitForEvent('dialog');
  const left = page.getByRole('link', { name: 'Overview' }).click();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.dismiss();
  await left;
  await expect(page.getByText('Not saved yet')).toBeVisible();
  await page.context().close();
});

test('An icon is chosen from the set', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/edit-work');
  await page.getByRole('button', { name: 'Choose' }).click();
  await page.getByRole('searchbox', { name: 'Find an icon' }).fill('rocket');
  await page.getByRole('button', { name: 'rocket', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Icon' })).toHaveValue('rocket');
  await page.context().close();
});
