/** A firm rebrands the site in the editor, and sees the page in its colors and with its name while typing. */
import { writeFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from 'playwright/test';
import { paletteOf } from '#contract/colors.ts';
import {
  contextOf,
  expectAccessible,
  frameRule,
  test,
  violationsOf,
  watchComplaints,
} from '../support/browser.ts';
import { svg } from '../support/pictures.ts';
import { administrator, startTestSystem } from '../support/system.ts';
import { previewOf, toast } from './journey.ts';

const name = 'Ledger & Sons';
const accent = '#1a4fd6';

/** The accent color that a document shows. */
const accentOf = (root: Locator): Promise<string> =>
  root.evaluate((element) => getComputedStyle(element).getPropertyValue('--accent').trim());

/** Writes a logo with dark words on a transparent background. @returns the path of the file */
async function makeDarkLogo(): Promise<string> {
  const path = test.info().outputPath('logo.svg');
  await writeFile(path, svg('<path fill="#10211b" d="M2 4h36v6H2zm0 9h28v6H2zm0 9h32v5H2z"/>'));
  return path;
}

async function saveAs(page: Page, said: string): Promise<void> {
  await page.keyboard.press('Control+s');
  await expect(toast(page, said)).toBeVisible();
}

test('An administrator gives the site another name, color and logo, and sees the page change while they type', async ({
  browser,
}) => {
  const system = await startTestSystem();
  try {
    const context = await contextOf(browser, administrator, { baseURL: system.url });
    const page = await context.newPage();
    const complaints = watchComplaints(page);
    await page.goto('/edit-brand');
    const preview = previewOf(page);
    const root = preview.locator('html');

    await page.getByLabel('Name', { exact: true }).fill(name);
    await expect(preview.getByText(`About ${name}`)).toBeVisible();
    const color = page.getByRole('textbox', { name: 'Accent color', exact: true });
    await color.fill('#ffcc00');
    await expect(page.getByText(/contrast is 1\.4 to 1/)).toBeVisible();
    await page.getByRole('button', { name: 'Use #8c6f02' }).click();
    await expect(color).toHaveValue('#8c6f02');
    await expect.poll(() => accentOf(root)).toBe('#8c6f02');
    await color.fill(accent);
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await expect.poll(() => accentOf(root)).toBe(accent);
    await page.getByRole('button', { name: 'Dark', exact: true }).click();
    await expect.poll(() => accentOf(root)).toBe(paletteOf(accent, 'dark').accent);
    await expectAccessible(page);
    await saveAs(page, 'Brand is Updated');

    await page.goto('/add-logo');
    await page.getByRole('link', { name: 'Edit logo' }).first().click();
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Upload for Logo picture' }).click();
    await (await chosen).setFiles(await makeDarkLogo());
    await expect(page.getByText('This logo is hard to see on a dark page.')).toBeVisible();
    await saveAs(page, 'Logo is Updated');

    const visitor = await browser.newPage({ baseURL: system.url, reducedMotion: 'reduce' });
    const heard = watchComplaints(visitor);
    await visitor.goto('/');
    await expect(visitor).toHaveTitle(`${name}: SEO packages for loan agencies`);
    await expect(visitor.getByRole('link', { name: `${name}, home` })).toBeVisible();
    for (const colorScheme of ['light', 'dark'] as const) {
      await visitor.emulateMedia({ colorScheme });
      await expect.poll(() => accentOf(visitor.locator('html'))).toBe(paletteOf(accent, colorScheme).accent);
      expect(await violationsOf(visitor, { runOnly: ['color-contrast', frameRule] })).toEqual([]);
    }
    expect(heard).toEqual([]);
    await page.goto('/dashboard');
    await expect(page).toHaveTitle(new RegExp(` · ${name}$`));
    expect(await accentOf(page.locator('html'))).toBe(paletteOf(accent, 'light').accent);
    expect(complaints).toEqual([]);
  } finally {
    await system.stop();
  }
});
