/** A tab that was open while the site was updated: the files of the earlier release are gone, its words still hold. */
import { expect, type Page } from 'playwright/test';
import { contextOf, findFaults, problem, test } from '../support/browser.ts';
import { openAsCustomer } from './checkout.ts';
import { makeRelease, otherBuild } from '../support/release.ts';
import { startTestSystem } from '../support/system.ts';

/** Opens a page whose script of a name only comes once it is let through. */
async function openHalfway(page: Page, path: string, script: RegExp): Promise<() => void> {
  const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<undefined>();
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<undefined>();
  await page.route(script, async (route) => {
    ask(undefined);
    await isLetThrough;
    await route.continue();
  });
  await page.goto(path, { waitUntil: 'commit' });
  await isAsked;
  return () => letThrough(undefined);
}

test('An administrator whose tab was open during an update loses nothing and goes on', async ({
  browser,
}) => {
  const system = await startTestSystem();
  try {
    await makeRelease();
    const context = await contextOf(browser, undefined, { baseURL: system.url });
    const [editor, overview, island] = await Promise.all([1, 2, 3].map(() => context.newPage()));
    if (!editor || !overview || !island) throw new Error('The browser opened no pages.');
    await editor.goto('/edit-banner');
    await editor.getByRole('link', { name: 'Edit Banner Section', exact: true }).click();
    const heading = editor.getByLabel('Details', { exact: true });
    await heading.fill('Typed before the update');
    const goOn = [
      await openHalfway(overview, '/admin', /_astro\/overview\.[\w-]+\.js/),
      await openHalfway(island, '/my-order', /_astro\/customer\.[\w-]+\.js/),
    ];

    await system.worker.stop();
    await system.startWorker({ buildDir: otherBuild });
    for (const next of goOn) next();

    // What was open already saves to the new release, and leads on to it.
    await editor.getByRole('button', { name: 'Save' }).click();
    await expect(editor.getByRole('alert').filter({ hasText: 'Banner is Updated' })).toBeVisible();
    await expect(heading).toHaveValue('Typed before the update');

    // What was only half there says so, and is whole once it is loaded again.
    for (const [page, name] of [
      [overview, 'Overview'],
      [island, 'My Orders'],
    ] as const) {
      await expect(page.getByText('This page could not be shown')).toBeVisible();
      expect(await findFaults(page, name)).toEqual([]);
      await page.getByRole('link', { name: 'Reload' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText('This page could not be shown')).toBeHidden();
    }
    await editor.goto('/admin');
    await expect(editor.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(editor.locator('script[src*="another"], link[href*="another"]').first()).toBeAttached();
  } finally {
    await system.stop();
  }
});

test('A customer whose page asks for less than the updated site is told so, and keeps what was typed', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  const [chosen] = (await customer.get('/api/pricings')).json as readonly { readonly _id: string }[];
  await page.route('**/api/**', (route) =>
    route.request().method() === 'GET'
      ? route.continue()
      : route.fulfill(
          problem(422, 'Not accepted', 'Some fields are not valid.', { somethingNew: 'Please choose one.' }),
        ),
  );
  await page.goto(`/order-now/${chosen?._id ?? ''}`);
  const address = page.getByLabel('Address');
  await address.fill('1 Example Street');
  await page.getByLabel('Name').fill('Ann Example');
  await page.getByLabel('Country').selectOption('France');
  await page.getByRole('button', { name: 'Place Order' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'somethingNew: Please choose one. The site may have been updated',
  );
  await expect(address).toHaveValue('1 Example Street');
});

test('A customer who reloads a form by accident finds what they typed, until it is sent or they leave', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  page.on('dialog', (dialog) => void dialog.accept());
  const [chosen] = (await customer.get('/api/pricings')).json as readonly { readonly _id: string }[];
  const form = `/order-now/${chosen?._id ?? ''}`;
  const address = page.getByLabel('Address');
  const country = page.getByLabel('Country');
  const type = async () => {
    await page.goto(form);
    await page.getByLabel('Name').fill('Ann Example');
    await address.fill('1 Example Street\nTown');
    await country.selectOption('France');
  };
  await type();
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Ann Example');
  await expect(address).toHaveValue('1 Example Street\nTown');
  await expect(country).toHaveValue('France');

  const kept = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('typed:')));
  expect(await kept()).toHaveLength(1);
  await page.getByRole('button', { name: 'Place Order' }).click();
  await page.waitForURL('**/pending-order**');
  expect(await kept()).toEqual([]);

  await type();
  await page.goto('/dashboard');
  expect(await kept()).toHaveLength(1);
  await page.getByRole('button', { name: 'Signout' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  expect(await kept()).toEqual([]);
  await page.context().close();
});
