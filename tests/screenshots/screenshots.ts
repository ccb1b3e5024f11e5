/**
 * `npm run screenshots` takes a screenshot of every page and screen, on phone, tablet and desktop, light and dark. The
 * pictures go into `screenshots/`, and `screenshots/index.html` shows them side by side. Words on the command line
 * choose the screens whose name contains one of them: `npm run screenshots -- pricing dashboard`. `readme` selects the
 * pictures of README.md, in `docs/images/`.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright';
import { chromiumArgs, ensureChromium } from '#dev/chromium.ts';
import { placeOrder } from '../support/orders.ts';
import { addressScreens } from '../support/screen-addresses.ts';
import { contextOf } from '../support/browser.ts';
import { administrator, startTestSystem } from '../support/system.ts';
import { openQuietly } from '../support/open-quietly.ts';
import { newEmail, registerCustomer, signInAdministrator } from '../support/visitor.ts';

const folder = join(import.meta.dirname, '../../screenshots');
const readmeFolder = join(import.meta.dirname, '../../docs/images');
const widths = [360, 768, 1440] as const;
const schemes = ['light', 'dark'] as const;
/** How many pages are captured at a time. */
const atOnce = 2;

type Who = 'anyone' | 'account' | 'newcomer' | 'administrator';

interface Subject {
  readonly name: string;
  readonly path: string;
  readonly who: Who;
}

const whoOpens = (kind: string): Who => {
  if (kind === 'admin') return 'administrator';
  return kind === 'content' || kind === 'frame' ? 'anyone' : 'account';
};

const nameOf = (pattern: string) => pattern.replaceAll(/[/:]+/g, '-').replaceAll(/^-|-$/g, '') || 'landing';

async function openContext(browser: Browser, baseURL: string, email?: string): Promise<BrowserContext> {
  const options: BrowserContextOptions = { baseURL, reducedMotion: 'reduce' };
  const context =
    email === undefined ? await browser.newContext(options) : await contextOf(browser, { email }, options);
  context.setDefaultTimeout(0);
  return context;
}

/** Waits until the screen has loaded its data and pictures. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1:visible').first().waitFor();
  await page.evaluate(async () => {
    // Lazy pictures below the fold would never load.
    for (const image of document.images) image.loading = 'eager';
    await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => undefined)));
    await document.fonts.ready;
  });
}

/** The height of the page after 15 frames without a change. An editor's preview grows as it loads. */
const settledHeight = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const height = () => document.documentElement.scrollHeight;
    for (let last = height(), frames = 0; frames < 15; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (height() !== last) [last, frames] = [height(), 0];
    }
    return height();
  });

/** Makes the window as tall as the page, so that sticky bars cover nothing. */
async function fitWindow(page: Page, width: number): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const height = await settledHeight(page);
    if (height <= (page.viewportSize()?.height ?? 0)) return;
    await page.setViewportSize({ width, height });
  }
}

async function picture(page: Page, { name, path }: Subject): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openQuietly(page, path);
  await settle(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 740 : 900 });
    await fitWindow(page, width);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: join(folder, `${name}.${String(width)}.${colorScheme}.png`),
        fullPage: true,
        animations: 'disabled',
      });
    }
  }
}

/** The pictures in README.md, one window each. */
const readmePictures: readonly Subject[] = [
  { name: 'landing-page', path: '/', who: 'anyone' },
  { name: 'pricing-page', path: '/pricing/', who: 'anyone' },
  { name: 'administration', path: '/admin', who: 'administrator' },
];

async function pictureReadme(contexts: Record<Who, BrowserContext>): Promise<void> {
  for (const { name, path, who } of readmePictures) {
    const page = await contexts[who].newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await openQuietly(page, path);
    await settle(page);
    await page.screenshot({ path: join(readmeFolder, `${name}.png`), animations: 'disabled' });
    await page.close();
  }
}

/** Writes a page that shows the pictures of each screen side by side. */
async function writeIndex(): Promise<void> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.png')).toSorted();
  const rows = [...Map.groupBy(files, (file) => file.split('.')[0])].map(([name, pictures]) => {
    const shown = pictures.map((file) => {
      const width = Number(file.split('.')[1]) / 4;
      return `<img src="${file}" width="${String(width)}" loading="lazy" alt="">`;
    });
    return `<h2>${String(name)}</h2><p>${shown.join('\n')}</p>`;
  });
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>body{font-family:sans-serif;background:#888}p{display:flex;gap:8px;align-items:start}</style>${rows.join('\n')}\n`,
  );
}

const asked = process.argv.slice(2);
const isAsked = ({ name }: Subject) => asked.length === 0 || asked.some((word) => name.includes(word));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

if (asked.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
console.log('Starting a copy, and filling it …');
const system = await startTestSystem();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
try {
  const customer = await registerCustomer(system.url, 'ada@lender.example');
  const newcomer = await registerCustomer(system.url, newEmail());
  const staff = await signInAdministrator(system.url);
  const unpaid = await placeOrder(customer, 'Standard', 'Dana Whitlock');
  const [paid, cancelled] = [await placeOrder(customer), await placeOrder(customer, 'Premium')];
  await staff.put(`/api/order/${paid._id}`, { paymentStatus: 'Paid' });
  await customer.put(`/api/order-cancelled/${cancelled._id}`, {});
  const table = await addressScreens(staff, unpaid._id);
  const subjects: Subject[] = [
    ...table
      // The preview appears inside the editor's screens.
      .filter(({ screen }) => screen.kind !== 'preview')
      .map(({ screen, path }) => ({ name: nameOf(screen.pattern), path, who: whoOpens(screen.kind) })),
    { name: 'not-found', path: '/nowhere', who: 'anyone' },
    { name: 'add-user-signed-out', path: '/add-user', who: 'anyone' },
    { name: 'denied', path: '/setting', who: 'account' },
    { name: 'dashboard-empty', path: '/dashboard', who: 'newcomer' },
    { name: 'my-order-empty', path: '/my-order', who: 'newcomer' },
    { name: 'order-paid', path: `/order/${paid._id}`, who: 'account' },
    { name: 'order-cancelled', path: `/order/${cancelled._id}`, who: 'account' },
    { name: 'pay-now-paid', path: `/pay-now/${paid._id}`, who: 'account' },
  ];
  const queue = subjects.filter(isAsked);
  const contexts: Record<Who, BrowserContext> = {
    anyone: await openContext(browser, system.url, undefined),
    account: await openContext(browser, system.url, customer.email),
    newcomer: await openContext(browser, system.url, newcomer.email),
    administrator: await openContext(browser, system.url, administrator.email),
  };
  console.log(`Taking pictures of ${String(queue.length)} screens …`);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let subject = queue.shift(); subject; subject = queue.shift()) {
        const page = await contexts[subject.who].newPage();
        await picture(page, subject);
        await page.close();
      }
    }),
  );
  if (asked.length === 0 || asked.includes('readme')) await pictureReadme(contexts);
  await writeIndex();
  console.log(`They are in ${folder}; begin with index.html.`);
} finally {
  await browser.close();
  await system.stop();
}
// The idle handles of wrangler and Chromium would keep the process alive.
process.exit();
