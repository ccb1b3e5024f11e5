/** A visitor reads the pages on a phone, and writes to the firm. */
import { expect } from 'playwright/test';
import type { Message } from '#contract/inbox.calls.ts';
import { expectHeard, listen, systemUrl, test, untilFormIsAlive } from '../support/browser.ts';
import { newEmail, signInAdministrator } from '../support/visitor.ts';

const message = {
  Name: 'Ann Lee',
  Email: 'ann@lender.example',
  'Phone number': '+1 312 555 0100',
  Subject: 'Packages',
  Message: 'Which package suits two offices?',
};

test('A visitor sends a message and is thanked; the message records where the visit began, and nothing else', async ({
  page,
}) => {
  const questions: string[] = [];
  page.on('dialog', (asked) => {
    questions.push(asked.type());
    return asked.accept();
  });
  await listen(page);
  await page.goto('/pricing/?utm_source=spring&utm_campaign=may&token=secret', {
    referer: 'https://search.example/results?q=private',
  });
  await page.goto('/contact?utm_source=later');
  const email = newEmail();
  const form = page.locator('form[action="/api/add-message"]');
  for (const [label, value] of Object.entries({ ...message, Email: email }))
    await form.getByLabel(label).fill(value);
  await untilFormIsAlive(page);
  await form.getByRole('button', { name: 'Send message' }).click();
  await expectHeard(page, /Message is Send/);
  await page.waitForURL('**/thanks');
  expect(questions).toEqual([]);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank You !');
  await page.getByRole('link', { name: 'Back Home' }).click();
  await page.waitForURL(`${systemUrl}/`);
  const staff = await signInAdministrator(systemUrl);
  const messages = (await staff.get('/api/messages')).json as readonly Message[];
  expect(messages.find((one) => one.email === email)?.source).toEqual({
    page: '/pricing/',
    referrer: 'search.example',
    utm_source: 'spring',
    utm_campaign: 'may',
  });
});

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
  // The policy of the site blocks the style of a drawing that is opened by itself.
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
