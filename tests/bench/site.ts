/** The deployed site behind an edge, and a Chromium to view it. The measurements of pages share them. */
import { chromium, type Browser } from 'playwright';
import { chromiumArgs, ensureChromium } from '#dev/chromium.ts';
import { startEdge, trustEdge } from './edge.ts';
import { startDeployed } from './runtime.ts';

export const measuredPages = ['/', '/pricing/', '/service/', '/contact'] as const;

/** @param work gets the URL behind the edge, and the URL of the Worker itself, where signing in works */
export async function withSite(work: (url: string, origin: string) => Promise<void>): Promise<void> {
  const deployed = await startDeployed();
  const edge = await startEdge(deployed);
  try {
    await work(edge.url, deployed.url);
  } finally {
    edge.stop();
    await deployed.stop();
  }
}

export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumArgs, trustEdge],
  });
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}
