/** What a screen that calls the API shows while it waits, when a call fails, and when it tries again. */
import { expect, type Page } from 'playwright/test';
import { pressAll } from './journey.ts';

/** How a call to the API ends: it reaches the Worker, fails, or returns an empty list. */
type Outcome = 'pass' | 'fail' | 'empty list';

interface CallRoutes {
  /** Decides the outcome of each call of the page. The call waits for the decision. */
  decide: () => Outcome | Promise<Outcome>;
}

declare global {
  interface Window {
    decideCall?: () => Promise<Outcome>;
  }
}

/**
 * Lets a test decide the outcome of a page's calls. Replaces `fetch` in the page, because Chromium disables its cache,
 * and requests each file of each screen, while Playwright intercepts requests.
 */
export async function routeCalls(page: Page): Promise<CallRoutes> {
  const routes: CallRoutes = { decide: () => 'pass' };
  await page.exposeFunction('decideCall', () => routes.decide());
  await page.addInitScript(() => {
    const fetchFromWorker = window.fetch.bind(window);
    window.fetch = async (address, init) => {
      const isCall = typeof address === 'string' && address.startsWith('/api/');
      const outcome = isCall ? await window.decideCall?.() : 'pass';
      if (outcome === 'fail')
        return Response.json(
          { title: 'Something went wrong', status: 500, detail: 'Please try again.' },
          { status: 500, headers: { 'Content-Type': 'application/problem+json' } },
        );
      const answer = await fetchFromWorker(address, init);
      if (outcome !== 'empty list' || !(await answer.clone().text()).startsWith('[')) return answer;
      return Response.json([], { headers: { 'X-Total-Count': '0' } });
    };
  });
  return routes;
}

/** The screen says that it is cancelling, instead of why that failed before. */
const isCancelScreen = (path: string) => path.startsWith('/order-cancelled/');

/** Opens a screen and takes it through waiting, failing and trying again, until it shows its data. */
export async function openThroughFailure(page: Page, calls: CallRoutes, path: string): Promise<void> {
  const waiting = Promise.withResolvers<undefined>();
  const retried = Promise.withResolvers<undefined>();
  calls.decide = () => waiting.promise.then(() => 'fail');
  await page.goto(path);
  // `pressAll` finds no roles in the oldest browsers, where Playwright lacks a method for it.
  const main = page.locator('main');
  await expect(main.getByRole('status').first(), `${path} while it waits`).toBeVisible();

  waiting.resolve(undefined);
  const alerts = main.getByRole('alert');
  const again = main.locator('button', { hasText: 'Try again' });
  await expect(alerts.first(), `${path} after a failure`).toBeVisible();
  await expect(main.getByRole('status'), `${path} waits no more`).toHaveCount(0);
  await expect
    .poll(async () => (await again.count()) - (await alerts.count()), `${path}: a way on for each failure`)
    .toBe(0);

  calls.decide = () => retried.promise.then(() => 'pass');
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
}
