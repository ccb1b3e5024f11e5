/** What a visitor with a middling phone on a slow network feels: Lighthouse's mobile profile, applied by Chromium. */
import type { Browser } from 'playwright';
import { below, median, ms, type Measure } from './figures.ts';
import { measuredPages, withBrowser, withSite } from './site.ts';

const loads = 5;

/** 1.6 Mbit/s, 150 ms a round trip, a processor four times slower. */
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};

interface Vitals {
  /** Largest contentful paint, in ms from the navigation. */
  readonly lcp: number;
  /** Cumulative layout shift. */
  readonly cls: number;
  /** Time in tasks beyond their first 50 ms while the page loads, from its first paint, in ms. */
  readonly blocking: number;
  /** The slowest of the scripted interactions, in ms; 0 when none took as long as the browser reports (16 ms). */
  readonly inp: number;
}

/** Runs in the page: keeps what the browser observes, for `window.readVitals`. */
function observe(): void {
  const vitals = { lcp: 0, cls: 0, blocking: 0, inp: 0 };
  let firstPaint = Infinity;
  const long: PerformanceEntry[] = [];
  const watch = (type: string, take: (entry: PerformanceEntry) => void, options: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      ...options,
    });
  watch('largest-contentful-paint', (entry) => (vitals.lcp = entry.startTime));
  watch('layout-shift', (entry) => {
    if ('hadRecentInput' in entry && 'value' in entry && !entry.hadRecentInput)
      vitals.cls += Number(entry.value);
  });
  watch('paint', (entry) => (firstPaint = Math.min(firstPaint, entry.startTime)));
  watch('longtask', (entry) => long.push(entry));
  watch(
    'event',
    (entry) => {
      if ('interactionId' in entry && entry.interactionId) vitals.inp = Math.max(vitals.inp, entry.duration);
    },
    { durationThreshold: 16 },
  );
  const countBlocking = () => {
    // As Lighthouse counts it: the part of a task that lies after the first paint, less 50 ms.
    const after = (task: PerformanceEntry) =>
      task.startTime + task.duration - Math.max(task.startTime, firstPaint);
    vitals.blocking = long.reduce((sum, task) => sum + Math.max(0, after(task) - 50), 0);
  };
  Object.assign(window, { readVitals: () => vitals, countBlocking });
}

async function readVitals(browser: Browser, address: string): Promise<Vitals> {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    isMobile: true,
    hasTouch: true,
  });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.addInitScript(observe);
    await page.goto(address, { waitUntil: 'networkidle' });
    await page.evaluate('countBlocking()');
    // A visit: read to the end, and type into every field that a person sees.
    await page.mouse.wheel(0, 20_000);
    const fields = page.locator('form').locator('input:not([tabindex="-1"]):visible, textarea:visible');
    for (const field of await fields.all()) {
      await field.tap();
      await field.pressSequentially('Ann');
    }
    await page.waitForLoadState('networkidle');
    return await page.evaluate(
      () =>
        new Promise<Vitals>((resolve) =>
          requestAnimationFrame(() =>
            setTimeout(() => {
              const { readVitals: read } = window as unknown as { readVitals: () => Vitals };
              resolve(read());
            }),
          ),
        ),
    );
  } finally {
    await context.close();
  }
}

export const vitals: Measure = {
  name: 'vitals',
  how: `Chromium, 4 times slower processor, 1.6 Mbit/s, 150 ms; medians of ${loads} visits with an empty cache`,
  take: (tell) =>
    withSite((url) =>
      withBrowser(async (browser) => {
        for (const path of measuredPages) {
          const visits: Vitals[] = [];
          for (let count = 0; count < loads; count += 1) visits.push(await readVitals(browser, url + path));
          const middle = (name: keyof Vitals) => median(visits.map((visit) => visit[name]));
          tell(below(`${path} largest contentful paint`, middle('lcp'), 900, ms));
          const exact = (of: string, value: number, told: string) =>
            tell({ of: `${path} ${of}`, value: told, goal: '0', met: value === 0 });
          exact('cumulative layout shift', middle('cls'), middle('cls').toFixed(3));
          exact('blocking time', middle('blocking'), ms(middle('blocking')));
          tell(below(`${path} slowest interaction`, middle('inp'), 200, ms));
        }
      }),
    ),
};
