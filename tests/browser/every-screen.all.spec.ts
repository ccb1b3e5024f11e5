/**
 * Rules for every page and screen in the route table, in the oldest browser that the site supports: it shows that it is
 * loading, says what failed, and tries again; no violation of WCAG 2.2 AA, light and dark; nothing wider than the
 * window, on a phone or with text twice the size; no word broken across lines; no shrunken logo; one main heading; no
 * movement with reduced motion; an edge around each control with forced colors; no script error; no violation of the
 * policy. `npm run test:full` opens every address, otherwise this opens one of each kind.
 */
import { expect, type Page } from 'playwright/test';
import {
  contextOf,
  frameRule,
  settle,
  systemUrl,
  test,
  violationsOf,
  watchComplaints,
  whenPainted,
} from '../support/browser.ts';
import { fullSize } from '../support/limits.ts';
import { makeOld } from '../support/old-browser.ts';
import { addressScreens, type AddressedScreen } from '../support/screen-addresses.ts';
import { administrator } from '../support/system.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import { placeOrder } from '../support/orders.ts';
import { openThroughFailure, routeCalls } from './screen-states.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

/** The rules that depend on the color scheme and the width of the window. */
const rulesOfLook = ['color-contrast', 'target-size', frameRule];

async function overflowOf(page: Page): Promise<number> {
  await whenPainted(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Controls whose whole area is smaller than 44 px (WCAG 2.2, 2.5.5). A link inside a line of text may be as tall as the
 * line.
 */
const smallTargetsOf = (page: Page) =>
  page.evaluate(() => {
    const least = 44;
    const pressed = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type="hidden"]), select, textarea, summary',
    );
    return [...pressed].flatMap((element) => {
      const target = element.matches('[type="checkbox"], [type="radio"], [type="file"]')
        ? (element.closest('label') ?? element)
        : element;
      const { width, height } = target.getBoundingClientRect();
      if (width >= least && height >= least) return [];
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top } = target.getBoundingClientRect();
      const hits = (dx: number, dy: number) => {
        const found = document.elementFromPoint(left + width / 2 + dx, top + height / 2 + dy);
        return found !== null && (target.contains(found) || found.closest('label')?.control === element);
      };
      const inText =
        getComputedStyle(target).display === 'inline' &&
        target.parentElement?.textContent.trim() !== target.textContent.trim();
      if (!hits(0, 0) || inText) return [];
      /** How far from its center the control can still be pressed, in px. */
      const reach = (dx: number, dy: number) => {
        let distance = 0;
        while (distance < least && hits(dx * (distance + 1), dy * (distance + 1))) distance += 1;
        return distance;
      };
      // The center may be between two pixels.
      const isTall = height >= least || reach(0, -1) + reach(0, 1) + 1 >= least - 1;
      const isWide = width >= least || reach(-1, 0) + reach(1, 0) + 1 >= least - 1;
      return isTall && isWide ? [] : [`${width} x ${height} ${element.outerHTML.slice(0, 120)}`];
    });
  });

/** Words of up to twelve letters that begin on one line and end on another. */
const tornWordsOf = (page: Page) =>
  page.evaluate(() => {
    const torn: string[] = [];
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      const parent = text.parentElement;
      // Text for screen readers takes one pixel. Collapsed text is not laid out.
      const isHidden = [parent, parent?.offsetParent].some((element) => element?.clientWidth === 1);
      if (!parent || isHidden || parent.closest('details:not([open]) > :not(summary)')) continue;
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(
        /(?<![\p{L}\d@._/-])[\p{L}\d$,]{2,12}(?![\p{L}\d@._/-])/gu,
      )) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1)
          torn.push(`${word} in ${parent.outerHTML.slice(0, 120)}`);
      }
    }
    return torn;
  });

/** The width of the logo in the header, in px. */
const logoWidthOf = (page: Page) =>
  page.evaluate(() => document.querySelector('header img')?.clientWidth ?? 0);

/** Lists without markers outside a navigation. Safari does not expose them as lists. */
const silentListsOf = (page: Page) =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll<HTMLElement>('ul, ol'), (list) => list)
      .filter((list) => !list.closest('nav') && !list.hasAttribute('role'))
      .filter((list) => getComputedStyle(list).listStyleType === 'none')
      .map((list) => list.className),
  );

/** The width of the first checkbox or radio button, in px; 0 without one. */
const boxWidthOf = (page: Page) =>
  page.evaluate(
    () => document.querySelector('input:is([type="checkbox"], [type="radio"])')?.clientWidth ?? 0,
  );

/** Elements that move although the user asked for reduced motion. */
const movementsOf = (page: Page) =>
  page.evaluate(() => {
    const isSlow = (durations: string) => durations.split(', ').some((one) => Number.parseFloat(one) > 0);
    return [
      ...(getComputedStyle(document.documentElement).scrollBehavior === 'auto' ? [] : ['the page scrolls']),
      ...document
        .getAnimations()
        // A loading indicator may turn, slowly.
        .filter(
          ({ effect }) => !(effect instanceof KeyframeEffect && effect.target?.closest('[role="status"]')),
        )
        .map((animation) => animation.constructor.name),
      ...[...document.querySelectorAll('*')]
        .filter((element) => isSlow(getComputedStyle(element).transitionDuration))
        .map((element) => element.outerHTML.slice(0, 120)),
    ];
  });

/** Controls without an edge when the system chooses all colors. */
async function bareControlsOf(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  const bare = await page.evaluate(() =>
    [...document.querySelectorAll('button, input, select, textarea, meter, [data-variant]')]
      .filter((control) => {
        const { appearance, borderTopWidth, opacity, visibility } = getComputedStyle(control);
        // The slider over the chart draws nothing. Keys move it, and the chart shows the focus.
        const isSeen =
          visibility === 'visible' && opacity !== '0' && control.getBoundingClientRect().width > 1;
        // The browser draws the edges of checkboxes and radio buttons itself.
        const isDrawn = control.matches('[type="checkbox"], [type="radio"]') && appearance !== 'none';
        return isSeen && !isDrawn && Number.parseFloat(borderTopWidth) === 0;
      })
      .map((control) => control.outerHTML.slice(0, 140)),
  );
  await page.emulateMedia({ forcedColors: 'none' });
  return bare;
}

/** The faults of the page that is currently open. */
async function faultsOf(page: Page, path: string): Promise<string[]> {
  await settle(page);
  const faults = await violationsOf(page, { runOnly: { type: 'tag', values: tags } });
  const headings = await page.getByRole('heading', { level: 1 }).count();
  if (headings !== 1) faults.push(`${String(headings)} main headings`);
  const silent = await silentListsOf(page);
  faults.push(...silent.map((list) => `Safari does not expose the list ${list}`));

  for (const movement of await movementsOf(page)) faults.push(`moves with reduced motion: ${movement}`);
  for (const control of await bareControlsOf(page)) faults.push(`no edge with forced colors: ${control}`);

  const boxWidth = await boxWidthOf(page);
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  if ((await overflowOf(page)) > 0) faults.push('too wide with text of twice the size');
  if (boxWidth > 0 && (await boxWidthOf(page)) === boxWidth)
    faults.push('text of twice the size does not enlarge the checkboxes');
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));

  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'dark' });
  if ((await overflowOf(page)) > 0) faults.push('too wide for a phone');
  const logoWidth = await logoWidthOf(page);
  const small = await smallTargetsOf(page);
  faults.push(...small.map((target) => `on a phone, small: ${target}`));
  // The window is as tall as the page, so that no sticky bar covers anything.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...phone, height });
  const dark = await violationsOf(page, { runOnly: { type: 'rule', values: rulesOfLook } });
  faults.push(...dark.map((fault) => `on a phone, dark: ${fault}`));
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  if ((await overflowOf(page)) > 0) faults.push('too wide for a phone with text of twice the size');
  if ((await logoWidthOf(page)) < logoWidth)
    faults.push('on a phone, text of twice the size shrinks the logo');
  const torn = await tornWordsOf(page);
  faults.push(...torn.map((word) => `on a phone, torn by text of twice the size: ${word}`));
  return faults.map((fault) => `${path}: ${fault}`);
}

/** One screen of each kind. */
function oneOfEach(screens: readonly AddressedScreen[]): readonly AddressedScreen[] {
  if (fullSize) return screens;
  return [...new Map(screens.map((found) => [`${found.screen.kind} ${found.screen.name}`, found])).values()];
}

/** Whether a screen calls the API before it shows anything. */
const asks = ({ kind, name }: AddressedScreen['screen']) =>
  kind !== 'content' && kind !== 'frame' && name !== 'settings' && name !== 'preview';

const everyone = [
  { who: 'A visitor', kinds: ['content', 'frame'], others: ['/nowhere', '/add-user'] },
  { who: 'A customer', kinds: ['checkout', 'pay', 'customer'], others: ['/setting'] },
  { who: 'An administrator', kinds: ['admin'], others: [] },
] as const;

for (const { who, kinds, others } of everyone)
  test(`${who} meets no barrier on any screen`, async ({ browser }) => {
    const customer = await registerCustomer(systemUrl);
    const order = await placeOrder(customer);
    const addressed = await addressScreens(await signInAdministrator(systemUrl), order._id);
    const options = { baseURL: systemUrl, reducedMotion: 'reduce' } as const;
    const context =
      who === 'A visitor'
        ? await browser.newContext(options)
        : await contextOf(browser, who === 'A customer' ? customer : administrator, options);
    await makeOld(context);
    const page = await context.newPage();
    const calls = await routeCalls(page);
    const complaints = watchComplaints(page);
    const faults: string[] = [];
    const shown = addressed.filter(({ screen }) => kinds.some((kind) => kind === screen.kind));
    const paths = [
      ...oneOfEach(shown).map(({ screen, path }) => ({ path, isAsking: asks(screen) })),
      ...others.map((path) => ({ path, isAsking: false })),
    ];
    for (const { path, isAsking } of paths) {
      await page.setViewportSize(desktop);
      await page.emulateMedia({ colorScheme: 'light' });
      await (isAsking ? openThroughFailure(page, calls, path) : page.goto(path));
      faults.push(...(await faultsOf(page, path)));
      faults.push(...complaints.splice(0).map((line) => `${path}: ${line}`));
    }
    expect(faults).toEqual([]);
  });

const emptyTexts = {
  '/admin': ['No orders yet', 'No subscribers yet'],
  '/total-orders': ['No orders yet'],
  '/all-messages/': ['No unread messages', 'No read messages yet'],
  '/all-subscriber/': ['No subscribers yet'],
  '/publications': ['Nothing published yet'],
  '/releases': ['No releases yet'],
  '/needs-attention': ['Nothing needs attention'],
  '/edit-service': ['Nothing here yet'],
} as const;

test('Every list says what will appear in it', async ({ browser }) => {
  const page = await (await contextOf(browser)).newPage();
  const calls = await routeCalls(page);
  calls.decide = () => 'empty list';
  for (const [path, texts] of Object.entries(emptyTexts)) {
    await page.goto(path);
    for (const text of texts) await expect(page.getByText(text), path).toBeVisible();
  }
});
