/**
 * What real browsers do that a new Chromium with default settings does not: input methods, translation of the page, and
 * pages that are kept for the Back button. `every-screen.all` and `sale` use the oldest supported browser.
 */
import { expect, type Page } from 'playwright/test';
import { disabledFeatures, findWholeChromium } from '#dev/chromium.ts';
import { linkTo } from '#contract/screens.ts';
import {
  listen,
  settle,
  signIn,
  systemUrl,
  test,
  unavailable,
  untilFormIsAlive,
  watchComplaints,
} from '../support/browser.ts';
import { placeOrder } from '../support/orders.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import {
  addQuestion,
  cards,
  expectCharged,
  openAsAdministrator,
  payButton,
  payWith,
  unique,
} from './journey.ts';

test('Enter that picks a word of an input method opens nothing', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/admin');
  await settle(page);
  await page.keyboard.press('Control+k');
  const finder = page.getByRole('combobox');
  await finder.fill('messages');
  for (const mark of [{ isComposing: true }, { keyCode: 229 }])
    await finder.evaluate((element, init) => {
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, ...init }));
    }, mark);
  await expect(finder).toHaveValue('messages');
  await expect(page).toHaveURL(linkTo('admin'));
  await finder.press('Enter');
  await expect(page).toHaveURL(linkTo('messages'));
});

/**
 * Does what Chrome does when it translates a page: replaces each text with Chrome's own elements that contain a new
 * text.
 */
const translate = (page: Page) =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: Text[] = [];
    while (texts.nextNode()) if (texts.currentNode instanceof Text) found.push(texts.currentNode);
    for (const text of found) {
      if (!text.data.trim() || text.parentElement?.closest('script, style')) continue;
      const newFont = () => document.createElementNS('http://www.w3.org/1999/xhtml', 'font');
      const [outer, inner] = [newFont(), newFont()];
      inner.textContent = `~${text.data}`;
      outer.appendChild(inner);
      text.replaceWith(outer);
    }
  });

test('A page that the browser translates keeps working', async ({ browser }) => {
  const administrator = await signInAdministrator(systemUrl);
  const { _id } = await addQuestion(administrator);
  const page = await openAsAdministrator(browser, `/faq-edit/${_id}`);
  const complaints = watchComplaints(page);
  const answer = page.getByRole('textbox', { name: 'Answer' });
  for (const typed of [unique('Once'), unique('Twice')]) {
    await answer.fill(typed);
    await translate(page);
    await page.locator('form[data-main] button[type=submit]').click();
    await expect
      .poll(async () => (await administrator.get(`/api/faq-item/${_id}`)).json)
      .toMatchObject({ accodingText: typed });
    await expect(answer).toHaveValue(typed);
  }
  await administrator.delete(`/api/faq-item/${_id}`);

  await page.route('**/api/add-message', (route) => route.fulfill(unavailable('Away for now.')));
  await page.goto('/contact-us');
  const form = page.locator('form[action="/api/add-message"]');
  await translate(page);
  // The form hydrates when it is first used.
  const name = form.locator('[name="name"]');
  await name.click();
  await page.keyboard.type('Ada');
  await untilFormIsAlive(page);
  await expect(name).toHaveValue('Ada');
  await expect(name).toBeFocused();
  const typed = { email: 'ada@customers.example', number: '1', subject: 'Hi', message: 'Hello' };
  for (const [name, value] of Object.entries(typed)) await form.locator(`[name="${name}"]`).fill(value);
  await translate(page);
  await form.getByRole('button').click();
  await expect(form.getByText('Away for now.')).toBeVisible();
  await expect(form.locator('[name="message"]')).toHaveValue('Hello');
  expect(complaints.filter((complaint) => !/status of 503|React error #418/.test(complaint))).toEqual([]);
});

/**
 * A browser that keeps pages for Back and Forward, which Playwright disables. Chromium does not keep pages with
 * `no-store`. Other browsers may, so in this test the signed-in pages come without that header.
 */
const keeping = test.extend<{ page: Page }>({
  async page({ playwright, launchOptions }, use) {
    const browser = await playwright.chromium.launch({
      ...launchOptions,
      executablePath: findWholeChromium(),
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
      args: [
        ...(launchOptions.args ?? []),
        // A page that a test answers has no network address, so Chromium would not let it call this machine.
        `--disable-features=${[...disabledFeatures, 'LocalNetworkAccessChecks'].join(',')}`,
      ],
    });
    const page = await browser.newPage({ baseURL: systemUrl });
    await page.route(`${systemUrl}/**`, async (route) => {
      if (!route.request().isNavigationRequest()) return route.fallback();
      const response = await route.fetch({ maxRedirects: 0 });
      return route.fulfill({ response, headers: { ...response.headers(), 'cache-control': 'max-age=0' } });
    });
    await use(page);
    await browser.close();
  },
});

/** Goes back or forward to a page that the browser shows as it was left, after `markLeft`. */
async function travel(page: Page, way: 'goBack' | 'goForward'): Promise<void> {
  await page[way]({ waitUntil: 'commit' });
  await expect(page.locator('html[data-left]')).toBeAttached();
}
const markLeft = (page: Page) => page.evaluate(() => (document.documentElement.dataset['left'] = ''));

keeping(
  'A page that the browser has kept for the back button shows who is signed in now',
  async ({ page }) => {
    const context = page.context();
    const link = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
    await page.goto('/contact');
    await expect(link('Log in')).toBeVisible();
    for (const [seen, hidden] of [
      ['Dashboard', 'Log in'],
      ['Log in', 'Dashboard'],
    ] as const) {
      await markLeft(page);
      await page.goto('/privacy');
      if (seen === 'Dashboard') await signIn(context, await registerCustomer(systemUrl));
      else await context.clearCookies();
      await travel(page, 'goBack');
      await expect(link(seen)).toBeVisible();
      await expect(link(hidden)).toBeHidden();
    }
  },
);

keeping('Back and Forward after a payment show that the order is paid', async ({ page }) => {
  const customer = await registerCustomer(systemUrl);
  const order = await placeOrder(customer);
  await signIn(page.context(), customer);
  await listen(page);
  const payLink = page.getByRole('link', { name: 'Pay Now' });
  await page.goto('/pending-order');
  await expect(payLink).toBeVisible();
  await markLeft(page);
  await payLink.click();
  await expect(payButton(page)).toBeEnabled();
  await markLeft(page);
  // The pay page moves on automatically, but stays if the server has nothing to show.
  await page.route('**/dashboard', (route) => route.fulfill({ status: 204 }));
  const isLedOn = page.waitForRequest('**/dashboard');
  await payWith(page, cards.good);
  await expectCharged(page);
  await isLedOn;
  await page.goto(`/order/${order._id}`);
  await expect(page.getByText('In progress')).toBeVisible();
  await markLeft(page);

  const expectPaid = async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your order');
    await expect(page.getByText('This order is already paid')).toBeVisible();
    await expect(payButton(page)).toHaveCount(0);
  };
  await travel(page, 'goBack');
  await expectPaid();
  await travel(page, 'goBack');
  await expect(page.getByText('You Have Paid')).toBeVisible();
  await expect(payLink).toHaveCount(0);
  await travel(page, 'goForward');
  await expectPaid();
  await travel(page, 'goForward');
  await expect(page).toHaveURL(`/order/${order._id}`);
});
