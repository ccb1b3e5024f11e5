/** What people set on their device. `every-screen.all` opens every screen with reduced motion and forced colors. */
import { expect } from 'playwright/test';
import { contextOf, test } from '../support/browser.ts';

test('With reduced motion the search over everything opens at once', async ({ browser }) => {
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

test('In a low window every link of the menu can be reached', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 340 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  const last = page.getByRole('navigation', { name: 'Main' }).getByRole('link').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});
