/** What makes pages fast, under the policy that they are served with. */
import { expect } from 'playwright/test';
import { newId } from '#contract/ids.ts';
import { contextOf, test, watchComplaints } from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { openAsCustomer } from './journey.ts';

test('The next page is fetched while its link is hovered', async ({ page }) => {
  const complaints = watchComplaints(page);
  await page.goto('/pricing/');
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Services' });
  const session = await page.context().newCDPSession(page);
  const ready = new Promise((resolve) =>
    session.on('Preload.prefetchStatusUpdated', ({ status }) => {
      if (status === 'Ready' || status === 'Success') resolve(status);
    }),
  );
  await session.send('Preload.enable');
  await link.hover();
  await ready;
  await link.click();
  await expect(page).toHaveURL('/service/');
  const delivery = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return entry && 'deliveryType' in entry ? entry.deliveryType : undefined;
  });
  expect(delivery).toBe('navigational-prefetch');
  expect(complaints).toEqual([]);
});

test("The payment page requests Stripe's script before it knows the order", async ({ browser }) => {
  const { customer, page } = await openAsCustomer(browser);
  const { _id } = await placeOrder(customer);
  const waiting = Promise.withResolvers<undefined>();
  for (const call of ['order/*', 'stripe-keys'])
    await page.route(`**/api/${call}`, async (route) => {
      await waiting.promise;
      await route.continue();
    });
  const script = page.waitForRequest(
    (request) => request.url().endsWith('/stripe.js') || /\/v3\/?$/.test(request.url()),
  );
  await page.goto(`/pay-now/${_id}`);
  await script;
  waiting.resolve(undefined);
  await expect(page.getByRole('button', { name: /^Pay Now/ })).toBeEnabled();
});

test('Every shell shows its frame and a loading state before its script arrives', async ({ browser }) => {
  const page = await (await contextOf(browser)).newPage();
  await page.route('**/_astro/*.js', () => undefined);
  for (const path of ['/dashboard', `/order-now/${newId()}`, `/pay-now/${newId()}`, '/admin']) {
    await page.goto(path, { waitUntil: 'commit' });
    await expect(page.getByRole('status').filter({ hasText: 'Loading' }), path).toBeVisible();
    const home = path === '/admin' ? 'Admin' : 'Home';
    await expect(page.getByRole('banner').getByRole('link', { name: home }), path).toBeVisible();
  }
});
