/** What people set on their device: reduced motion, their own colors. */
import { expect } from 'playwright/test';
import { contextOf, settle, test } from '../support/browser.ts';

test('With reduced motion nothing moves', async ({ browser }) => {
  const context = await contextOf(browser, undefined, { reducedMotion: 'reduce' });
  const page = await context.newPage();
  for (const path of ['/', '/service/', '/edit-service', '/edit-media', '/releases', '/admin']) {
    await page.goto(path);
    await settle(page);
    if (path === '/admin') {
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('combobox')).toBeFocused();
    }
    const moving = await page.evaluate(() => {
      const isSlow = (durations: string) => durations.split(', ').some((one) => Number.parseFloat(one) > 0);
      const elements = [...document.querySelectorAll('*')];
      return [
        getComputedStyle(document.documentElement).scrollBehavior,
        ...document
          .getAnimations()
          // A loading indicator may turn, slowly.
          .filter(
            ({ effect }) => !(effect instanceof KeyframeEffect && effect.target?.closest('[role="status"]')),
          )
          .map((animation) => animation.constructor.name),
        ...elements
          .filter((element) => isSlow(getComputedStyle(element).transitionDuration))
          .map((element) => element.outerHTML.slice(0, 120)),
      ];
    });
    expect(moving, path).toEqual(['auto']);
  }
});

test('With forced colors every control keeps an edge', async ({ browser }) => {
  const context = await contextOf(browser, undefined, { forcedColors: 'active' });
  const page = await context.newPage();
  const bare: string[] = [];
  for (const path of [
    ...['/', '/service/', '/contact', '/account', '/admin', '/total-orders', '/releases'],
    ...['/needs-attention', '/edit-media', '/edit-service'],
  ]) {
    await page.goto(path);
    await settle(page);
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('button, input, select, textarea, meter, [data-variant]')]
        // The slider over the chart draws nothing. Keys move it, and the chart shows the focus.
        .filter((control) => control.checkVisibility({ opacityProperty: true }))
        .filter((control) => control.getBoundingClientRect().width > 1)
        // The browser draws the edges of checkboxes and radio buttons itself.
        .filter(
          (control) =>
            !control.matches('[type="checkbox"], [type="radio"]') ||
            getComputedStyle(control).appearance === 'none',
        )
        .filter((control) => Number.parseFloat(getComputedStyle(control).borderTopWidth) === 0)
        .map((control) => control.outerHTML.slice(0, 140)),
    );
    bare.push(...found.map((control) => `${path}: ${control}`));
  }
  expect(bare).toEqual([]);
});

test('In a low window every link of the menu can be reached', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 340 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Menu' }).click();
  const last = page.getByRole('navigation', { name: 'Main' }).getByRole('link').last();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});
