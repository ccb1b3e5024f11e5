/**
 * Rules for every page and screen of the route table: no violation of WCAG 2.2 AA, light and dark; nothing wider
 * than the window, on a phone or with text of twice the size; no torn word; no shrunken logo; one main heading;
 * no violation of the policy. `npm run test:full` opens every address, otherwise this opens one of each kind.
 */
import { expect, type Page } from 'playwright/test';
import {
  contextOf,
  frameRule,
  settle,
  systemUrl,
  test,
  violationsOf,
  whenPainted,
} from '../support/browser.ts';
import { fullSize } from '../support/limits.ts';
import { addressScreens, type AddressedScreen } from '../support/screen-addresses.ts';
import { administrator } from '../support/system.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import { placeOrder } from '../support/orders.ts';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const context = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };

/** The rules that depend on the color scheme and the width of the window. */
const rulesOfLook = ['color-contrast', 'target-size', frameRule];

async function overflowOf(page: Page): Promise<number> {
  await whenPainted(page);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Controls whose whole area is smaller than 44 px (WCAG 2.2, 2.5.5). A link in a line of text may be as high as
 * the line.
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
      /** How far from its middle the control can still be pressed, in px. */
      const reach = (dx: number, dy: number) => {
        let distance = 0;
        while (distance < least && hits(dx * (distance + 1), dy * (distance + 1))) distance += 1;
        return distance;
      };
      // The middle may be between two pixels.
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
      const offset = parent?.offsetParent;
      if (!parent?.checkVisibility() || [parent, offset].some((element) => element?.clientWidth === 1))
        continue;
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

async function faultsOf(page: Page, path: string): Promise<string[]> {
  await page.setViewportSize(context);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(path);
  await settle(page);
  const faults = await violationsOf(page, { runOnly: { type: 'tag', values: tags } });
  const headings = await page.getByRole('heading', { level: 1 }).count();
  if (headings !== 1) faults.push(`${String(headings)} main headings`);

  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  if ((await overflowOf(page)) > 0) faults.push('too wide with text of twice the size');
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));

  await page.setViewportSize(phone);
  await page.emulateMedia({ colorScheme: 'dark' });
  if ((await overflowOf(page)) > 0) faults.push('too wide for a phone');
  const logoWidth = await logoWidthOf(page);
  const small = await smallTargetsOf(page);
  faults.push(...small.map((target) => `on a phone, small: ${target}`));
  // The window is as high as the screen, so that no sticky bar covers anything.
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
    const context =
      who === 'A visitor'
        ? await browser.newContext({ baseURL: systemUrl, reducedMotion: 'reduce' })
        : await contextOf(browser, who === 'A customer' ? customer : administrator, {
            reducedMotion: 'reduce',
          });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on('console', (line) => {
      if (/Content.Security.Policy/i.test(line.text())) faults.push(`${page.url()}: ${line.text()}`);
    });
    const shown = addressed.filter(({ screen }) => kinds.some((kind) => kind === screen.kind));
    for (const path of [...oneOfEach(shown).map((found) => found.path), ...others])
      faults.push(...(await faultsOf(page, path)));
    expect(faults).toEqual([]);
  });
