/**
 * What a visitor with a mid-range phone on a slow network sees: Lighthouse's mobile profile, applied by Chromium.
 */
import type { Browser } from 'playwright';
import { atMost, median, ms, type Measure } from './figures.ts';
import { measuredPages, withBrowser, withSite } from './site.ts';

const loads = 5;

/** 1.6 Mbit/s, 150 ms per round trip. */
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
}

/** Runs in the page and collects what the browser observes. */
function observe(): void {
  const vitals = { lcp: 0, cls: 0 };
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => (vitals.lcp = entry.startTime));
  watch('layout-shift', (entry) => {
    if ('hadRecentInput' in entry && 'value' in entry && !entry.hadRecentInput)
      vitals.cls += Number(entry.value);
  });
  Object.assign(window, { vitals });
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
    await page.goto(address, { waitUntil: 'networkidle', timeout: 0 });
    await page.mouse.wheel(0, 20_000);
    await page.waitForLoadState('networkidle');
    return await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals);
  } finally {
    await context.close();
  }
}

export const vitals: Measure = {
  name: 'vitals',
  how: `Chromium, processor four times slower, 1.6 Mbit/s, 150 ms; medians of ${loads} visits with an empty cache`,
  take: (tell) =>
    withSite((url) =>
      withBrowser(async (browser) => {
        for (const path of measuredPages) {
          const visits: Vitals[] = [];
          for (let count = 0; count < loads; count += 1) visits.push(await readVitals(browser, url + path));
          const middle = (name: keyof Vitals) => median(visits.map((visit) => visit[name]));
          tell(atMost(`${path} largest contentful paint`, middle('lcp'), 900, ms));
          tell(atMost(`${path} cumulative layout shift`, middle('cls'), 0, (shift) => shift.toFixed(3)));
        }
      }),
    ),
};
