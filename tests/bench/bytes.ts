/** What a page costs on the wire: bytes by kind, and requests, while Chromium loads it and once its form has focus. */
import type { Browser, Page } from 'playwright';
import { openQuietly } from '../support/open-quietly.ts';
import type { AnyScreen } from '#contract/all-screens.ts';
import { shellNames } from '#contract/screens.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { registerVerified } from '../support/cast.ts';
import { placeOrder } from '../support/orders.ts';
import { addressScreens } from '../support/screen-addresses.ts';
import { administrator } from '../support/system.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { compressLikeEdge } from './edge.ts';
import { atMost, kB, type Measure } from './figures.ts';
import { measuredPages, withBrowser, withSite } from './site.ts';

const kinds = ['document', 'stylesheet', 'script', 'font', 'image', 'other'] as const;
type Kind = (typeof kinds)[number];

interface Weight {
  readonly bytes: Readonly<Record<Kind, number>>;
  /** Script files and inline scripts. */
  readonly script: number;
  readonly requests: number;
  readonly requestsWithoutImages: number;
}

/** A script that runs. JSON-LD and speculation rules are data. */
const inlineScript =
  /<script(?![^>]*\bsrc=)(?![^>]*\btype="(?:application\/ld\+json|speculationrules)")[^>]*>([\s\S]*?)<\/script>/g;

/** Counts requests and the compressed bytes of their responses. */
async function countBytes(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const bytes: Record<Kind, number> = { document: 0, stylesheet: 0, script: 0, font: 0, image: 0, other: 0 };
  const requests: Kind[] = [];
  session.on('Network.responseReceived', ({ type, response }) => {
    // A data: URL is part of the file that contains it.
    if (!response.url.startsWith('http')) return;
    const kind = kinds.find((one) => one === type.toLowerCase()) ?? 'other';
    requests.push(kind);
    // The browser miscounts short bodies. The edge states the length of each.
    bytes[kind] += Number(response.headers['content-length'] ?? 0);
  });
  return { bytes, requests };
}

async function weigh(browser: Browser, address: string, focusForm: boolean): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 } });
  try {
    const page = await context.newPage();
    const { bytes, requests } = await countBytes(page);
    const response = await page.goto(address, { waitUntil: 'networkidle', timeout: 0 });
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

/** Screens with the same name and the same kinds of fields load the same scripts. The media library loads more. */
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

/** The script of one screen with an empty cache, compressed like the edge does. */
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
    await openQuietly(page, path);
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
          tell(atMost(`${path} HTML with its inlined style`, weight.bytes.document, 14_000, kB));
          tell(atMost(`${path} script before interaction, inline included`, weight.script, 2_000, kB));
          tell(atMost(`${path} all without images`, sum(weight.bytes) - weight.bytes.image, 60_000, kB));
          const requests = `${weight.requestsWithoutImages} (${weight.requests})`;
          tell(
            atMost(
              `${path} requests without images (with)`,
              weight.requestsWithoutImages,
              6,
              String,
              requests,
            ),
          );
        }
        const touched = await weigh(browser, `${url}/contact`, true);
        tell({ of: '/contact script once its form is touched', value: kB(touched.script) });
        const { _id } = await placeOrder(await registerVerified(origin));
        const screens = await addressScreens(await signInAdministrator(origin), _id);
        for (const kind of shellNames) {
          // The editor renders into the preview, which has no script of its own.
          if (kind === 'preview') continue;
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
          const told = `${kB(heaviest.script)} (${heaviest.path.replace(/[0-9a-f-]{36}/, ':id')})`;
          tell(atMost(`script of the heaviest ${kind} screen`, heaviest.script, 165_000, kB, told));
        }
      }),
    ),
};
