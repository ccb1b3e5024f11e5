/** What a screen that calls the API shows while it waits, when a call fails, and when it tries again. */
import { expect, type Page, type Route } from 'playwright/test';
import { problem } from '../support/browser.ts';
import { pressAll } from './journey.ts';

/** It says that it cancels, instead of why that failed before. */
const isCancelScreen = (path: string) => path.startsWith('/order-cancelled/');

const failing = (route: Route) => route.fulfill(problem(500, 'Something went wrong', 'Please try again.'));

/** Opens a screen and takes it through waiting, failing and trying again, until it shows its data. */
export async function openThroughFailure(page: Page, path: string): Promise<void> {
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
  // `pressAll` finds no roles in the oldest browsers, where Playwright lacks a method for it.
  const main = page.locator('main');
  await expect(main.getByRole('status').first(), `${path} while it waits`).toBeVisible();

  waiting.resolve(undefined);
  const alerts = main.getByRole('alert');
  const again = main.locator('button', { hasText: 'Try again' });
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
