/** Device preferences. `every-screen.all` opens every screen with reduced motion and forced colors. */
import { expect, type Locator } from 'playwright/test';
import { contextOf, test } from '../support/browser.ts';

test('With reduced motion, the search over everything opens immediately', async ({ browser }) => {
  const page = await (await contextOf(browser, undefined, { reducedMotion: 'reduce' })).newPage();
  await page.goto('/admin');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  const finder = page.getByRole('dialog', { name: 'Find anything' });
  await expect(finder).toBeVisible();
  const slow = await finder.evaluate((dialog) =>
    [dialog, ...dialog.querySelectorAll('*')]
      .filter((element) => !/^(0s(, )?)+$/.test(getComputedStyle(element).transitionDuration))
      .map((element) => element.outerHTML.slice(0, 120)),
  );
  expect(slow).toEqual([]);
});

test('In a short window, every link in the menu can be reached', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 340 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  const last = page.getByRole('navigation', { name: 'Main' }).getByRole('link').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});

/** Whether the middle of an element is in the window, and nothing lies over it. */
const isUncovered = (target: Locator) =>
  target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    return found !== null && element.contains(found);
  });

test('At 400% zoom, no bar covers the focused element', async ({ browser }) => {
  const page = await (
    await contextOf(browser, undefined, {
      viewport: { width: 320, height: 256 },
      reducedMotion: 'reduce',
    })
  ).newPage();
  const expectUncovered = async (target: Locator) => {
    await target.focus();
    expect(await isUncovered(target)).toBe(true);
  };
  await page.goto('/edit-banner');
  for (const label of ['Heading', 'Details', 'Button link'])
    await expectUncovered(page.getByLabel(label, { exact: true }));
  await page.goto('/pricing/');
  for (const name of ['Order Basic', 'Order Premium'])
    await expectUncovered(page.getByRole('table').getByRole('link', { name }));
});
