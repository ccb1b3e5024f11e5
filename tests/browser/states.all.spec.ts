/**
 * What each screen that calls the API shows while it waits, when a call fails, and when there is nothing to list.
 */
import { expect, type Page, type Route } from 'playwright/test';
import { contextOf, problem, systemUrl, test } from '../support/browser.ts';
import { addressScreens } from '../support/screen-addresses.ts';
import { administrator } from '../support/system.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import { placeOrder } from '../support/orders.ts';
import { pressAll } from './journey.ts';

/** Screens that call nothing before they are shown. */
const asksNothing = new Set(['settings', 'preview']);

/** It says that it cancels, instead of why that failed before. */
const isCancelScreen = (path: string) => path.startsWith('/order-cancelled/');

const failing = (route: Route) => route.fulfill(problem(500, 'Something went wrong', 'Please try again.'));

/** Takes a screen through waiting, failing and trying again. */
async function walk(page: Page, path: string): Promise<void> {
  const waiting = Promise.withResolvers<undefined>();
  const retried = Promise.withResolvers<undefined>();
  let isWell = false;
  const failures: Promise<void>[] = [];
  await page.route('**/api/**', async (route) => {
    if (isWell) return retried.promise.then(() => route.continue());
    const failure = waiting.promise.then(() => failing(route));
    failures.push(failure);
    return failure;
  });
  await page.goto(path);
  const main = page.getByRole('main');
  await expect(main.getByRole('status').first(), `${path} while it waits`).toBeVisible();

  waiting.resolve(undefined);
  const alerts = main.getByRole('alert');
  const again = main.getByRole('button', { name: 'Try again' });
  await expect(alerts.first(), `${path} after a failure`).toBeVisible();
  await expect(main.getByRole('status'), `${path} waits no more`).toHaveCount(0);
  // The screen is checked after all of its calls have failed.
  await Promise.all(failures);
  await expect
    .poll(async () => (await again.count()) - (await alerts.count()), `${path}: a way on for each failure`)
    .toBe(0);

  isWell = true;
  if (!isCancelScreen(path)) {
    await again.first().click();
    const tryingAgain = expect(again.first(), `${path} still says what failed while it tries again`);
    await tryingAgain.toHaveAttribute('aria-busy');
  }
  retried.resolve(undefined);
  await expect(async () => {
    await pressAll(again);
    expect(await again.count(), `${path} after trying again`).toBe(0);
  }).toPass();
  await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

for (const who of ['customer', 'administrator'] as const)
  test(`Every screen of the ${who} shows that it waits, says what failed, and tries again`, async ({
    browser,
  }) => {
    const customer = await registerCustomer(systemUrl);
    const { _id } = await placeOrder(customer);
    const screens = await addressScreens(await signInAdministrator(systemUrl), _id);
    const wanted = screens.filter(
      ({ screen }) =>
        (screen.kind === 'admin') === (who === 'administrator') &&
        !['content', 'frame'].includes(screen.kind) &&
        !asksNothing.has(screen.name),
    );
    const oneOfEach = new Map(wanted.map(({ screen, path }) => [`${screen.kind} ${screen.name}`, path]));
    const context = await contextOf(browser, who === 'customer' ? customer : administrator);
    const page = await context.newPage();
    for (const path of oneOfEach.values()) await walk(page, path);
  });

const emptyTexts = {
  '/admin': ['No orders yet', 'No subscribers yet'],
  '/total-orders': ['No orders yet'],
  '/all-messages/': ['No unread messages', 'No read messages yet'],
  '/all-subscriber/': ['No subscribers yet'],
  '/publications': ['Nothing published yet'],
  '/releases': ['No release yet'],
  '/needs-attention': ['Nothing needs attention'],
  '/edit-service': ['Nothing here yet'],
} as const;

test('Every list says what will appear in it', async ({ browser }) => {
  const context = await contextOf(browser);
  const page = await context.newPage();
  await page.route('**/api/**', async (route) => {
    // An idle connection may end just as it is used.
    const answer = await route.fetch({ maxRetries: 3 });
    const isList = (await answer.text()).startsWith('[');
    await route.fulfill({
      response: answer,
      ...(isList && { body: '[]', headers: { ...answer.headers(), 'x-total-count': '0' } }),
    });
  });
  for (const [path, texts] of Object.entries(emptyTexts)) {
    await page.goto(path);
    for (const text of texts) await expect(page.getByText(text), path).toBeVisible();
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
