/**
 * Whether anything is blank on a slow connection: of every page and shell on the way from landing to payment, and of the
 * administration, what the browser has to fetch before it paints, when it does, and what stands there at 2.5 s.
 */
import type { Browser } from 'playwright';
import { registerVerified } from '../support/cast.ts';
import { findPackage, placeOrder } from '../support/orders.ts';
import { signInAdministrator } from '../support/visitor.ts';
import { kB, ms, type Figure, type Measure } from './figures.ts';
import { withBrowser, withSite } from './site.ts';

/** 400 kbit/s and 400 ms a request, as Chromium's slow 3G. */
const network = {
  offline: false,
  latency: 400,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
};
/** When nothing may be blank any more, in ms. */
const limitMs = 2_500;
/** What comes before the first paint must have arrived then, after two requests in turn: a page and its style sheets. */
const limitBytes = Math.floor(((limitMs - 2 * network.latency) / 1_000) * network.downloadThroughput);

interface Shown {
  /** Bytes of the page and of the style sheets for which its first paint waits. */
  readonly blockingBytes: number;
  readonly firstPaintMs: number;
  /** What a person sees at the limit: the header's words, and the content's or the skeleton's part. */
  readonly hasFrame: boolean;
  readonly hasContent: boolean;
}

/** Runs in the page at the limit. */
function readShown(): { paint: number | undefined; hasFrame: boolean; hasContent: boolean } {
  const isSeen = (element: Element | null) =>
    element !== null && element.checkVisibility({ visibilityProperty: true }) && element.clientHeight > 0;
  const [paint] = performance.getEntriesByName('first-contentful-paint');
  return {
    paint: paint?.startTime,
    hasFrame: isSeen(document.querySelector('header')),
    hasContent: isSeen(document.querySelector('h1')) || isSeen(document.querySelector('[role="status"]')),
  };
}

type SessionCookies = readonly { readonly name: string; readonly value: string; readonly secure: true }[];

const cookiesOf = (jar: Iterable<readonly [string, string]>): SessionCookies =>
  Array.from(jar, ([name, value]) => ({ name, value, secure: true as const }));

async function look(browser: Browser, address: string, cookies: SessionCookies): Promise<Shown> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, isMobile: true });
  try {
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, url: new URL('/', address).href })));
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    let blockingBytes = 0;
    session.on('Network.responseReceived', ({ type, response }) => {
      if (type === 'Document' || type === 'Stylesheet')
        blockingBytes += Number(response.headers['content-length'] ?? 0);
    });
    await page.goto(address, { waitUntil: 'commit' });
    const startedAt = await page.evaluate(() => performance.timeOrigin);
    await page.waitForFunction((until) => Date.now() >= until, startedAt + limitMs);
    const { paint, hasFrame, hasContent } = await page.evaluate(readShown);
    return { blockingBytes, firstPaintMs: paint ?? Number.POSITIVE_INFINITY, hasFrame, hasContent };
  } finally {
    await context.close();
  }
}

/** The figures of one page. */
function describe(path: string, { blockingBytes, firstPaintMs, hasFrame, hasContent }: Shown): Figure[] {
  const missing = [
    ...(firstPaintMs <= limitMs ? [] : ['nothing painted']),
    ...(hasFrame ? [] : ['no frame']),
    ...(hasContent ? [] : ['no content or skeleton']),
  ];
  return [
    {
      of: `${path} before its first paint`,
      value: kB(blockingBytes),
      goal: `≤ ${kB(limitBytes)}`,
      met: blockingBytes <= limitBytes,
    },
    {
      of: `${path} at ${String(limitMs / 1_000)} s`,
      value: `${missing.length === 0 ? 'frame and content' : missing.join(', ')}; painted at ${ms(firstPaintMs)}`,
      goal: 'nothing blank',
      met: missing.length === 0,
    },
  ];
}

export const slow: Measure = {
  name: 'slow',
  how: 'Chromium, 400 kbit/s, 400 ms a request, phone viewport, empty cache; what a person sees at 2.5 s',
  take: (tell) =>
    withSite((url, origin) =>
      withBrowser(async (browser) => {
        const customer = await registerVerified(origin);
        const chosen = await findPackage(customer, 'Standard');
        const order = await placeOrder(customer);
        const staff = await signInAdministrator(origin);
        const [own, theirs] = [cookiesOf(customer.cookies), cookiesOf(staff.cookies)];
        const next = encodeURIComponent(`/order-now/${chosen._id}`);
        const pages: readonly (readonly [path: string, name: string, cookies: SessionCookies])[] = [
          ['/', '/', []],
          ['/pricing/', '/pricing/', []],
          [`/login?next=${next}`, '/login', []],
          [`/register?next=${next}`, '/register', []],
          [`/order-now/${chosen._id}`, '/order-now/:id', own],
          ['/pending-order', '/pending-order', own],
          [`/pay-now/${order._id}`, '/pay-now/:id', own],
          [`/order-cancelled/${order._id}`, '/order-cancelled/:id', own],
          ['/dashboard', '/dashboard', own],
          ['/admin', '/admin', theirs],
          ['/total-orders', '/total-orders', theirs],
          ['/edit-banner', '/edit-banner', theirs],
        ];
        for (const [path, name, cookies] of pages)
          for (const figure of describe(name, await look(browser, url + path, cookies))) tell(figure);
      }),
    ),
};
