/** Every flow by the keyboard alone, and what a screen reader is told on the way. */
import { expect, type Locator, type Page } from 'playwright/test';
import { contextOf, expectHeard, listen, systemUrl, test, untilFormIsAlive } from '../support/browser.ts';
import { newEmail, signInAdministrator } from '../support/visitor.ts';

test.use({ baseURL: systemUrl });

/** More stops than any page has before what is looked for. */
const mostStops = 120;

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops < mostStops; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${String(target)}.`);
}

async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, page.getByRole('main').getByLabel(label, { exact: true }));
  await page.keyboard.type(text);
}

async function follow(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

test('A visitor skips to the content, and every stop on the way is seen', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to the content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  for (let stop = 0; stop < 8; stop += 1) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
      return `${outlineStyle} ${outlineWidth}`;
    });
    expect(outline).toBe('solid 3px');
  }
});

test('A customer signs up, orders and pays by the keyboard alone', async ({ page }) => {
  await listen(page);
  await page.goto('/register');
  await typeInto(page, 'Email', newEmail('keyboard'));
  await typeInto(page, 'Password', 'violet-harbor-91');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/');

  await follow(page, page.getByRole('link', { name: 'Order Basic' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Order the Basic package');
  await typeInto(page, 'Name', 'Ada Broker');
  await typeInto(page, 'Address', '12 Harbor Street');
  await typeInto(page, 'Country', 'United States');
  await follow(page, page.getByRole('button', { name: 'Place Order' }));
  await expect(page).toHaveURL('/pending-order');

  await follow(page, page.getByRole('link', { name: 'Pay Now' }));
  const pay = page.getByRole('button', { name: /^Pay Now/ });
  await expect(pay).toBeEnabled();
  await tabTo(page, page.locator('iframe[title="Secure card payment input frame"]'));
  await page.keyboard.type('4242424242424242');
  const card = page.frameLocator('iframe[title="Secure card payment input frame"]');
  for (const [name, digits] of [
    ['MM / YY', '1234'],
    ['CVC', '123'],
  ] as const) {
    const field = card.getByPlaceholder(name);
    if (!(await field.evaluate((input) => input === document.activeElement)))
      await page.keyboard.press('Tab');
    await page.keyboard.type(digits);
  }
  await follow(page, pay);
  await expectHeard(page, /Paid\. Recording your payment/);
  await expectHeard(page, /Thank you, your payment was successful/);
  await expect(page).toHaveURL('/dashboard');
});

test('A visitor sends a message by the keyboard alone', async ({ page }) => {
  await listen(page);
  await page.goto('/contact');
  await typeInto(page, 'Name', 'Ann Lee');
  await typeInto(page, 'Email', 'ann@lender.example');
  await typeInto(page, 'Phone number', '+1 312 555 0100');
  await typeInto(page, 'Subject', 'Two offices');
  await typeInto(page, 'Message', 'Which package suits two offices?');
  await untilFormIsAlive(page);
  // What was typed while the form came to life is all there.
  await expect(page.getByRole('main').getByLabel('Name', { exact: true })).toHaveValue('Ann Lee');
  await follow(page, page.getByRole('button', { name: 'Send message' }));
  await expectHeard(page, /Message is Send/);
  await expect(page).toHaveURL('/thanks');
});

test('An administrator edits and saves by the keyboard alone, and hears that it is live', async ({
  browser,
}) => {
  const administrator = await signInAdministrator(systemUrl);
  const question = { accodingTitle: 'May I type', accodingText: 'Without a mouse.' };
  const { _id } = (await administrator.post('/api/add-faq-item', question)).json as { readonly _id: string };
  const page = await (await contextOf(browser)).newPage();
  await listen(page);
  await page.goto(`/faq-edit/${_id}`);
  const title = page.getByLabel('Question', { exact: true });
  await tabTo(page, title);
  await page.keyboard.press('End');
  await page.keyboard.type(', in a minute');
  await follow(page, page.getByRole('button', { name: 'Save' }));
  await expect(page.getByRole('alert').filter({ hasText: 'FAQ Item is Updated' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /^Live, revision \d+/ })).toBeVisible();
  await expectHeard(page, /Publishing/);
  await expectHeard(page, /Live, revision \d+/);
  await page.context().close();
  await administrator.delete(`/api/faq-item/${_id}`);
});

for (const width of [360, 1440])
  test(`A field that is wrong shows its label below the header, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/contact');
    const name = page.getByRole('main').getByLabel('Name', { exact: true });
    await page.getByLabel('Message', { exact: true }).fill('Which package suits two offices?');
    await untilFormIsAlive(page);
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await page.getByRole('button', { name: 'Send message' }).click();
    await expect(name).toBeFocused();
    await expect
      .poll(() =>
        page.evaluate(() => {
          const label = document.querySelector('label[for="contact-name"]')?.getBoundingClientRect();
          const header = document.querySelector('header')?.getBoundingClientRect();
          return label !== undefined && header !== undefined && label.top >= header.bottom;
        }),
      )
      .toBe(true);
  });

test('The focus ring of a field and of the button beside it stand clear of each other', async ({ page }) => {
  await page.goto('/');
  const field = page.getByLabel('Our newsletter');
  const button = page.getByRole('button', { name: 'Subscribe' });
  const reach = async (target: Locator) => {
    await tabTo(page, target);
    return target.evaluate((element) => {
      const { outlineOffset, outlineWidth } = getComputedStyle(element);
      return parseFloat(outlineOffset) + parseFloat(outlineWidth);
    });
  };
  const reaches = [await reach(field), await reach(button)];
  const [fieldBox, buttonBox] = [await field.boundingBox(), await button.boundingBox()];
  if (!fieldBox || !buttonBox) throw new Error('The newsletter is not on the page.');
  const gap = buttonBox.x - (fieldBox.x + fieldBox.width);
  expect(gap - Math.max(...reaches)).toBeGreaterThanOrEqual(4);
});
