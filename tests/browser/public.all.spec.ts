/** Public pages on a phone, and the animation on the landing page. */
import { expect } from 'playwright/test';
import { test } from '../support/browser.ts';

const phone = { viewport: { width: 360, height: 780 } };

test.describe('On a phone', () => {
  test.use(phone);

  test('a visitor finds the lowest price and the sample report within two screens', async ({ page }) => {
    await page.goto('/');
    for (const first of [
      page.getByText('From $499'),
      page.getByRole('link', { name: 'See a sample report' }).first(),
    ]) {
      const box = await first.boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(2 * phone.viewport.height);
    }
    await page.getByRole('link', { name: 'See a sample report' }).first().click();
    await expect(page.getByRole('heading', { name: 'The report you receive' })).toBeInViewport();
  });

  test('a visitor sees the recommended package first, and compares the packages without scrolling sideways', async ({
    page,
  }) => {
    await page.goto('/');
    const names = page.locator('#pricing-sec li > h3');
    const tops = await names.evaluateAll((all) =>
      all.map((name) => [name.textContent, name.getBoundingClientRect().top] as const),
    );
    expect(tops.map(([name]) => name)).toEqual(['Basic', 'Standard', 'Premium']);
    expect(tops.toSorted((a, b) => a[1] - b[1]).map(([name]) => name)).toEqual([
      'Standard',
      'Basic',
      'Premium',
    ]);
    await page.getByRole('link', { name: 'Compare the packages line by line' }).click();
    const table = page.getByRole('table');
    await expect(table.getByRole('columnheader', { name: 'Premium' })).toBeInViewport();
    const row = table.getByRole('row', { name: 'Loan pages written' });
    await expect(row.getByRole('rowheader')).toHaveText('Loan pages written');
    await expect(row.getByRole('cell')).toHaveText(['2', '4', '8']);
    const outside = await table.locator('th, td').evaluateAll((cells) =>
      cells
        .filter((cell) => {
          const { left, right } = cell.getBoundingClientRect();
          return left < 0 || right > innerWidth || cell.scrollWidth > cell.clientWidth;
        })
        .map((cell) => cell.textContent),
    );
    expect(outside).toEqual([]);
  });
});

test('The drawing of the first screen shows search results at every moment of its movement', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  // The site's policy blocks the styles of a drawing that is opened directly.
  await page.setContent(await (await page.request.get('/images/search-result.svg')).text());
  const seen = await page.evaluate(async () => {
    const results = [...document.querySelectorAll('.first, .rest')];
    const movements = document.getAnimations();
    const moments = [];
    for (let ms = 0; ms <= 5_000; ms += 250) {
      for (const movement of movements) {
        movement.pause();
        movement.currentTime = ms;
      }
      await new Promise(requestAnimationFrame);
      const isVisible = (part: Element | null): boolean =>
        part === null || (getComputedStyle(part).opacity === '1' && isVisible(part.parentElement));
      moments.push(results.every((part) => isVisible(part) && part.getBoundingClientRect().width > 0));
    }
    return { moves: movements.length, moments };
  });
  expect(seen.moves).toBeGreaterThan(0);
  expect(seen.moments).not.toContain(false);
});
