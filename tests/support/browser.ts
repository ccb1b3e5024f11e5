/** Browser windows in which somebody is signed in, and what every screen must hold. */
import axe from 'axe-core';
import {
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright/test';
import { addSession } from './accounts.ts';
import { untilMs } from './limits.ts';
import { administrator } from './system.ts';
import type { Visitor } from './visitor.ts';

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}

export const systemUrl = process.env['SYSTEM_URL'] ?? '';

/**
 * Playwright's test, with the shared copy as the base URL. It closes every window at its end, because a window that stays
 * open works on beside later tests.
 */
export const test = base.extend<{ everyWindowCloses: undefined }>({
  baseURL: systemUrl,
  everyWindowCloses: [
    async ({ browser }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});

/** The sessions by host and email; the windows of one person share a session. */
const sessions = new Map<string, Promise<string>>();

/**
 * A new browser window in which somebody is signed in, by default the seeded administrator of the shared copy. A test that
 * ends the session needs a person of its own.
 */
export async function contextOf(
  browser: Browser,
  { email }: { readonly email: string } = administrator,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const { baseURL = systemUrl } = options;
  const key = `${baseURL} ${email}`;
  const session = sessions.get(key) ?? addSession(baseURL, email);
  sessions.set(key, session);
  const context = await browser.newContext({ ...options, baseURL });
  await addCookies(context, baseURL, [
    ['__Host-session', await session],
    ['signed-in', email === administrator.email ? 'admin' : 'customer'],
  ]);
  return context;
}

const addCookies = (
  context: BrowserContext,
  url: string,
  cookies: Iterable<readonly [name: string, value: string]>,
): Promise<void> =>
  context.addCookies(
    Array.from(cookies, ([name, value]) => ({
      name,
      value,
      domain: new URL(url).hostname,
      path: '/',
      secure: name.startsWith('__Host-'),
      httpOnly: name.startsWith('__Host-'),
      sameSite: 'Lax' as const,
    })),
  );

/** Signs a visitor in to a browser window that is open already. */
export const signIn = (context: BrowserContext, visitor: Visitor): Promise<void> =>
  addCookies(context, systemUrl, visitor.cookies);

/** Collects what the browser complains about in a page: errors of scripts and violations of the policy. */
export function watchComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Chromium logs each answer with an error status; a refused sign-in is such an answer.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Waits until a page has taken up another size, scheme or scroll position: its observers run with its frames. */
export const whenPainted = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });

/** Waits until nothing fades or slides any more: halfway there a text may stand out too little. */
const whenStill = (page: Page) =>
  page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && effect?.getComputedTiming().iterations !== Infinity,
      );
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });

/** Waits until no list is dimmed any more because newer rows are on their way. */
const whenRead = (page: Page) => expect(page.locator('table[aria-busy="true"]')).toHaveCount(0);

/**
 * What a page and its frames break of axe's rules, frames of other sites included. Axe is put into each frame here,
 * however long that takes: its own package for Playwright gives a frame one second, and passes over one that needs more.
 */
export async function violationsOf(page: Page, options: axe.RunOptions = {}): Promise<string[]> {
  for (const frame of page.frames()) {
    if (await frame.evaluate(() => 'axe' in window)) continue;
    await frame.evaluate(axe.source);
    await frame.evaluate(() => window.axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }));
  }
  const { violations } = await page.evaluate((given) => window.axe.run(given), {
    ...options,
    resultTypes: ['violations' as const],
    pingWaitTime: untilMs,
    frameWaitTime: untilMs,
  });
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`);
}

/** What axe finds wrong with the page, frames included, and whether it is wider than the window. */
export async function findFaults(page: Page, name: string): Promise<string[]> {
  await whenStill(page);
  const violations = await violationsOf(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return [
    ...violations.map((violation) => `${name}: ${violation}`),
    ...(overflow > 0 ? [`${name}: ${String(overflow)} px too wide`] : []),
  ];
}

/** Nothing is wrong with the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await whenRead(page);
  expect(await findFaults(page, new URL(page.url()).pathname)).toEqual([]);
}

/** What answers a route with problem details, as the Worker has them. */
export const problem = (
  status: number,
  title: string,
  detail: string,
  errors?: Readonly<Record<string, string>>,
) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ title, status, detail, errors }),
});

/** The 503 of a call that needs what is away. */
export const unavailable = (detail: string) => problem(503, 'Not available right now', detail);

/** Waits until a page's form, once used, does more than a plain form. Sent before that, it leads on without a word. */
export const untilFormIsAlive = (page: Page) => expect(page.locator('astro-island[ssr]')).toHaveCount(0);

/**
 * Keeps all that the live regions of a tab say from now on, word for word, over the pages that follow each other in it:
 * what is shown for a moment only, before the page leads on by itself, cannot be missed by a slow machine.
 */
export const listen = (page: Page) =>
  page.addInitScript(() => {
    if (window !== window.top) return;
    let heard = '';
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[role="status"], [role="alert"], [aria-live]'))
        if (textContent && heard !== textContent)
          sessionStorage['heard'] = `${String(sessionStorage['heard'] ?? '')}\n${(heard = textContent)}`;
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });

/** What was said in a tab since `listen`; nothing while it is between two pages. */
const heardIn = (page: Page): Promise<string> =>
  page.evaluate(() => String(sessionStorage['heard'] ?? '')).catch(() => '');

/** Something was said in a tab since `listen`, whether or not it still stands there. */
export const expectHeard = (page: Page, text: RegExp) => expect.poll(() => heardIn(page)).toMatch(text);

/** Waits until a screen has loaded what it shows. */
export async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
}
