/** What a page costs on the wire: bytes by kind and requests, as Chromium loads it, and once a form is touched. */
import type { Browser, Page } from 'playwright';
import type { AnyScreen } from '#contract/all-screens.ts';
import { shellNames } from '#contract/screens.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { registerVerified } from '../support/cast.ts';
import { placeOrder } from '../support/orders.ts';
import { addressScreens } from '../support/screen-addresses.ts';
import { administrator } from '../support/system.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { compressLikeEdge, mostPictures } from './edge.ts';
import { kB, type Measure } from './figures.ts';
import { measuredPages, withBrowser, withSite } from './site.ts';

const kinds = ['document', 'stylesheet', 'script', 'font', 'image', 'other'] as const;
type Kind = (typeof kinds)[number];

interface Weight {
  readonly bytes: Readonly<Record<Kind, number>>;
  /** Files of script, and the inline scripts as part of the page. */
  readonly script: number;
  readonly requests: number;
  readonly requestsWithoutImages: number;
}

/** What runs: JSON-LD and the rules of what to prefetch are data. */
const inlineScript =
  /<script(?![^>]*\bsrc=)(?![^>]*\btype="(?:application\/ld\+json|speculationrules)")[^>]*>([\s\S]*?)<\/script>/g;

/** Counts the bodies that the browser receives, as they travel, and the requests. */
async function countBytes(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const bytes: Record<Kind, number> = { document: 0, stylesheet: 0, script: 0, font: 0, image: 0, other: 0 };
  const requests: Kind[] = [];
  session.on('Network.responseReceived', ({ type, response }) => {
    // A data: address is part of the file that holds it.
    if (!response.url.startsWith('http')) return;
    const kind = kinds.find((one) => one === type.toLowerCase()) ?? 'other';
    requests.push(kind);
    // The browser's own counts of what arrives are wrong for short bodies; the edge says how long each is.
    bytes[kind] += Number(response.headers['content-length'] ?? 0);
  });
  return { bytes, requests };
}

async function weigh(browser: Browser, address: string, focusForm: boolean): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    const { bytes, requests } = await countBytes(page);
    const response = await page.goto(address, { waitUntil: 'networkidle' });
    const html = (await response?.text()) ?? '';
    const inline = Array.from(html.matchAll(inlineScript), ([, code = '']) => code).join('\n');
    if (focusForm) {
      await page.locator('form textarea').first().focus();
      await page.waitForLoadState('networkidle');
      await page.waitForFunction(
        () => !document.querySelector('form textarea')?.closest('astro-island[ssr]'),
      );
    }
    return {
      bytes,
      script: bytes.script + (inline === '' ? 0 : (await compressLikeEdge(inline)).byteLength),
      requests: requests.length,
      requestsWithoutImages: requests.filter((kind) => kind !== 'image').length,
    };
  } finally {
    await context.close();
  }
}

/** Windows that fetch other pictures: a phone with two dots to the pixel, and a desktop. */
const windows = [
  { name: 'phone, 360 px at 2 dots', viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 },
  { name: 'desktop, 1440 px', viewport: { width: 1440, height: 900 }, deviceScaleFactor: 1 },
] as const;

/** The pictures of a page that somebody reads to its end, in bytes. */
async function weighPictures(
  browser: Browser,
  address: string,
  { viewport, deviceScaleFactor }: (typeof windows)[number],
): Promise<number> {
  const context = await browser.newContext({ viewport, deviceScaleFactor });
  try {
    const page = await context.newPage();
    const { bytes } = await countBytes(page);
    await page.goto(address, { waitUntil: 'networkidle' });
    // A picture is fetched as it comes near.
    for (const picture of await page.locator('img').all()) await picture.scrollIntoViewIfNeeded();
    await page.waitForLoadState('networkidle');
    return bytes.image;
  } finally {
    await context.close();
  }
}

/**
 * What a screen loads by itself: those of one name that have the same kinds of fields load the same, and the library has more
 * than its fields.
 */
const scriptsOf = ({ name, sections = [] }: AnyScreen): string =>
  [
    name,
    ...new Set(
      sections.flatMap((section) => [
        ...(section === 'media' ? [section] : []),
        ...Object.values(sectionNamed(section).fields).map(({ kind = 'line' }) => kind),
      ]),
    ),
  ]
    .toSorted()
    .join(' ');

/** The script of one screen, compressed as the edge does, as a browser that has seen none of the site loads it. */
async function weighScreen(browser: Browser, origin: string, path: string): Promise<number> {
  const context = await browser.newContext({ baseURL: origin });
  try {
    await context.request.post('/api/auth/login', { data: administrator, headers: { Origin: origin } });
    const page = await context.newPage();
    const scripts: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script' && response.url().startsWith(origin))
        scripts.push(response.body().then(compressLikeEdge));
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    return (await Promise.all(scripts)).reduce((all, { byteLength }) => all + byteLength, 0);
  } finally {
    await context.close();
  }
}

const sum = (bytes: Weight['bytes']) => Object.values(bytes).reduce((all, one) => all + one, 0);

export const bytes: Measure = {
  name: 'bytes',
  how: 'bodies as Chromium receives them, compressed as the edge does (Brotli 4), phone viewport, empty cache',
  take: (tell) =>
    withSite((url, origin) =>
      withBrowser(async (browser) => {
        for (const path of measuredPages) {
          const weight = await weigh(browser, url + path, false);
          const { document, stylesheet, font, image, other } = weight.bytes;
          const withoutImages = sum(weight.bytes) - image;
          const limit = (of: string, bytes: number, most: number) =>
            tell({ of: `${path} ${of}`, value: kB(bytes), goal: `≤ ${kB(most)}`, met: bytes <= most });
          limit('HTML with its inlined style', document, 14_000);
          limit('script before interaction, inline scripts counted', weight.script, 2_000);
          limit('all without images', withoutImages, 60_000);
          tell({
            of: `${path} style, font, image, other files`,
            value: [stylesheet, font, image, other].map(kB).join(' · '),
          });
          tell({
            of: `${path} requests without images (with)`,
            value: `${weight.requestsWithoutImages} (${weight.requests})`,
            goal: '≤ 6',
            met: weight.requestsWithoutImages <= 6,
          });
        }
        for (const window of windows) {
          const pictures = await weighPictures(browser, `${url}/`, window);
          tell({
            of: `/ pictures, read to its end (${window.name})`,
            value: kB(pictures),
            goal: `≤ ${kB(mostPictures)}`,
            met: pictures <= mostPictures,
          });
        }
        const touched = await weigh(browser, `${url}/contact`, true);
        tell({ of: '/contact script once its form is touched', value: kB(touched.script) });
        tell({ of: '/contact requests once its form is touched', value: String(touched.requests) });
        const { _id } = await placeOrder(await registerVerified(origin));
        const screens = await addressScreens(await signInAdministrator(origin), _id);
        for (const kind of shellNames) {
          const names = new Map(
            screens
              .filter(({ screen }) => screen.kind === kind)
              .map(({ screen, path }) => [scriptsOf(screen), path]),
          );
          let heaviest = { path: '', script: 0 };
          for (const path of names.values()) {
            const script = await weighScreen(browser, origin, path);
            if (script > heaviest.script) heaviest = { path, script };
          }
          tell({
            of: `script of the heaviest ${kind} screen`,
            value: `${kB(heaviest.script)} (${heaviest.path.replace(/[0-9a-f-]{36}/, ':id')})`,
            goal: `≤ ${kB(150_000)}`,
            met: heaviest.script <= 150_000,
          });
        }
      }),
    ),
};
