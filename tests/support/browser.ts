/** Signed-in browser windows, and checks that every screen must pass. */
import axe from 'axe-core';
import {
  expect,
  test as base,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Frame,
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
 * Playwright's test, with the shared copy as the base URL. It closes every window at its end, because an open
 * window would keep working during later tests.
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

/** The sessions by host and email. A person's windows share a session. */
const sessions = new Map<string, Promise<string>>();

/**
 * Opens a browser window with a signed-in person, by default the seeded administrator of the shared copy. A test
 * that ends the session needs its own person.
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

/** Signs a visitor in to an open browser window. */
export const signIn = (context: BrowserContext, visitor: Visitor): Promise<void> =>
  addCookies(context, systemUrl, visitor.cookies);

/** Collects what the browser reports about a page: script errors and violations of the policy. */
export function watchComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Chromium logs every response with an error status, such as a refused sign-in.
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
}

/** Waits until a page has adapted to another size, scheme or scroll position. Its observers run with its frames. */
export const whenPainted = (page: Page) =>
  page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  });

/** Waits until all transitions have ended. During a transition, text may have too little contrast. */
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

/** Waits until no list is dimmed because newer rows are loading. */
const whenRead = (page: Page) => expect(page.locator('table[aria-busy="true"]')).toHaveCount(0);

/** Waits until a frame has left its first, empty document. Otherwise, axe would be lost with that document. */
async function untilLoaded(frame: Frame): Promise<void> {
  const element = await frame.frameElement();
  if ((await element.getAttribute('src')) !== null)
    await frame.waitForURL(({ href }) => href !== 'about:blank', { waitUntil: 'domcontentloaded' });
}

/** Whether a frame is the editor's preview of a page. */
async function isPreview(frame: Frame): Promise<boolean> {
  const title = await (await frame.frameElement()).getAttribute('title');
  return title?.startsWith('Preview') === true;
}

/** Axe reports each frame that it did not run in under this rule, as something to review. */
export const frameRule = 'frame-tested';

/**
 * The axe rules that a page and its frames violate, including frames of other sites. We inject axe into each frame
 * ourselves, and run it again if a frame was added or loaded in the meantime. Axe's package for Playwright gives a
 * frame one second and skips a frame that needs more.
 * @param options a list of rules must include `frameRule`
 * @param checksPreview whether it also checks the page that the editor previews
 */
export async function violationsOf(
  page: Page,
  options: axe.RunOptions = {},
  checksPreview = true,
): Promise<string[]> {
  let found: axe.Result[] = [];
  await expect(async () => {
    for (const frame of page.frames()) {
      if (frame !== page.mainFrame()) {
        if (!checksPreview && (await isPreview(frame))) continue;
        await untilLoaded(frame);
      }
      if (await frame.evaluate(() => 'axe' in window)) continue;
      await frame.evaluate(axe.source);
      await frame.evaluate(() => window.axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] }));
    }
    const { violations, incomplete } = await page.evaluate(
      ({ exclude, given }) => window.axe.run({ exclude }, given),
      {
        exclude: checksPreview ? [] : ['iframe[title^="Preview"]'],
        given: {
          ...options,
          resultTypes: ['violations' as const, 'incomplete' as const],
          pingWaitTime: 1_000,
          frameWaitTime: untilMs,
        },
      },
    );
    found = violations;
    const skipped = incomplete.filter(({ id }) => id === frameRule).flatMap(({ nodes }) => nodes);
    expect(skipped.map(({ html }) => html)).toEqual([]);
  }).toPass({ timeout: untilMs });
  return found.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ''}`);
}

/** Ids that two elements of the page share. A label then focuses the first of two fields. Axe does not check this. */
const repeatedIds = (page: Page) =>
  page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
  });

/**
 * What axe finds wrong with the page and its frames, which ids are repeated, and whether the page is wider than the
 * window.
 */
async function findFaults(page: Page, checksPreview: boolean): Promise<string[]> {
  await whenRead(page);
  await whenStill(page);
  const violations = await violationsOf(page, {}, checksPreview);
  const repeated = await repeatedIds(page);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return [
    ...violations,
    ...repeated.map((id) => `two elements have the id ${id}`),
    ...(overflow > 0 ? [`${String(overflow)} px too wide`] : []),
  ];
}

/**
 * Expects no faults in the page in its current state.
 * @param checksPreview whether it also checks the page that the editor previews, like `every-screen.all`
 */
export async function expectAccessible(page: Page, checksPreview = false): Promise<void> {
  const faults = await findFaults(page, checksPreview);
  // During the check, a list may have begun to load other rows, which dims it. A real fault is found again.
  expect(faults.length > 0 ? await findFaults(page, checksPreview) : [], page.url()).toEqual([]);
}

/** Answers a route with problem details in the Worker's format. */
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

/** The 503 of a call that needs something unavailable. */
export const unavailable = (detail: string) => problem(503, 'Not available right now', detail);

/** Waits until a page's form does more than a plain form. A form that is submitted earlier silently navigates away. */
export const untilFormIsAlive = (page: Page) =>
  // React hydrates the form some time after Astro has removed `ssr` from its island.
  expect(page.locator('astro-island form')).toHaveJSProperty('noValidate', true);

/**
 * Records everything that the live regions of a tab announce from now on, word for word, across the pages that it
 * visits. A slow machine therefore cannot miss a message that appears only briefly before the page moves on.
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

/** What was announced in a tab since `listen`; empty while it is between two pages. */
const heardIn = (page: Page): Promise<string> =>
  page.evaluate(() => String(sessionStorage['heard'] ?? '')).catch(() => '');

/** Expects that something was announced in a tab since `listen`, even if it is no longer visible. */
export const expectHeard = (page: Page, text: RegExp) => expect.poll(() => heardIn(page)).toMatch(text);

/** Waits until a screen has loaded its data. */
export async function settle(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0);
}
