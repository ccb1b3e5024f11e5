import { expect } from 'playwright/test';
import { systemUrl, test } from '../support/browser.ts';

test.use({ baseURL: systemUrl });

test('Each plain form of a page carries an idempotency key of its own, and another one at the next visit', async ({
  page,
}) => {
  const readKeys = async () => {
    await page.goto('/contact');
    return page
      .locator('input[data-form-key]')
      .evaluateAll((all) => all.map((one) => (one instanceof HTMLInputElement ? one.value : '')));
  };
  const keys = [...(await readKeys()), ...(await readKeys())];
  expect(keys.length).toBeGreaterThanOrEqual(4);
  for (const key of keys) expect(key).toMatch(/^[\w-]{36}$/);
  expect(new Set(keys).size).toBe(keys.length);
});
