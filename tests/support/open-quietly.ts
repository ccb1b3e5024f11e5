/** Opens a page for a tool that measures it or takes a screenshot of it. */
import type { Page } from 'playwright';

const quietMs = 2_000;

/**
 * Opens a page and waits until it has requested nothing for a while. Playwright's `networkidle` also waits for
 * the frame of a preview, which may never report that it is idle.
 */
export async function openQuietly(page: Page, path: string): Promise<void> {
  let lastAt = Date.now();
  const note = () => {
    lastAt = Date.now();
  };
  page.on('request', note).on('requestfinished', note).on('requestfailed', note);
  await page.goto(path, { timeout: 0 });
  while (Date.now() - lastAt < quietMs) await page.waitForTimeout(quietMs / 10);
}
