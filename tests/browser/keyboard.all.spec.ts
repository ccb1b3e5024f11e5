/** Whole journeys by keyboard only, and what a screen reader announces on the way. */
import { expect, type Locator, type Page } from 'playwright/test';
import { expectHeard, listen, test, untilFormIsAlive } from '../support/browser.ts';
import { newEmail } from '../support/visitor.ts';
import { cards, openAsAdministrator, payButton } from './journey.ts';

/** More focus stops than any page has. */
const mostStops = 120;

/** Presses Tab until the element has the focus, like a person without a mouse. */
async function tabTo(page: Page, target: Locator, most = mostStops): Promise<void> {
  await target.waitFor();
  for (let stops = 0; stops <= most; stops += 1) {
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

test('A visitor skips to the content, and every stop on the way is visible', async ({ page }) => {
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

test('An editor skips the tree and the preview, and lands in the form', async ({ browser }) => {
  const page = await openAsAdministrator(browser, '/edit-banner');
  const heading = page.getByLabel('Heading', { exact: true });
  await heading.waitFor();
  await follow(page, page.getByRole('link', { name: 'Skip to the form' }));
  await tabTo(page, heading, 5);
});

test('A customer signs up, orders and pays by keyboard only', async ({ page }) => {
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
  await expect(payButton(page)).toBeEnabled();
  await tabTo(page, page.locator('iframe[title="Secure card payment input frame"]'));
  await page.keyboard.type(cards.good);
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
  await follow(page, payButton(page));
  await expectHeard(page, /Paid\. Recording your payment/);
  await expectHeard(page, /Thank you, your payment was successful/);
  await follow(page, page.getByRole('link', { name: 'Go to your dashboard' }));
  await expect(page).toHaveURL('/dashboard');
});

test('A field with an error shows its label below the sticky header', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
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
