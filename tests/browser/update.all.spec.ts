/**
 * A tab stays open while the site is updated. The files of the earlier build are gone, but what was entered
 * stays.
 */
import { expect, type Page } from 'playwright/test';
import { contextOf, test } from '../support/browser.ts';
import { findPackage } from '../support/orders.ts';
import { makeRelease, otherBuild } from '../support/release.ts';
import { startTestSystem } from '../support/system.ts';
import { fillOrderForm, openAsCustomer, toast } from './journey.ts';

/**
 * Opens a page, and holds back one of its scripts.
 * @returns a function that lets it through
 */
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

test('An administrator whose tab was open during an update loses nothing', async ({ browser }) => {
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

    // An open screen saves to the new build.
    await editor.getByRole('button', { name: 'Save' }).click();
    await expect(toast(editor, 'Banner is Updated')).toBeVisible();
    await expect(heading).toHaveValue('Typed before the update');

    // A screen that was still loading says so, and offers to reload.
    for (const page of [overview, island]) {
      await expect(page.getByText('This page could not be shown')).toBeVisible();
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

test('The order form keeps what was entered across a reload, until it is sent or the customer signs out', async ({
  browser,
}) => {
  const { customer, page } = await openAsCustomer(browser);
  page.on('dialog', (dialog) => void dialog.accept());
  const { _id } = await findPackage(customer, 'Premium');
  const type = async () => {
    await page.goto(`/order-now/${_id}`);
    await fillOrderForm(page);
  };
  await type();
  await page.reload();
  await expect(page.getByLabel('Name')).toHaveValue('Ada Broker');
  await expect(page.getByLabel('Address')).toHaveValue('12 Harbor Street, Portland');
  await expect(page.getByLabel('Country')).toHaveValue('United States');

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
});
