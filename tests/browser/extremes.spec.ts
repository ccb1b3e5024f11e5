/** The editor and the pages at their limits: the longest, the strangest, the most, the last and nothing at all. */
import { withoutSlash } from '#contract/route-pattern.ts';
import { randomUUID } from 'node:crypto';
import { expect, type Browser, type Locator, type Page } from 'playwright/test';
import { updateSchema } from '#contract/fields.ts';
import { sectionCalls, type ContentRecord } from '#contract/section-calls.ts';
import { addressOf, callPath } from '../support/calls.ts';
import { newId } from '#contract/ids.ts';
import { linkToRecord } from '#contract/all-screens.ts';
import { contentPages } from '#contract/screens.ts';
import {
  alertFor,
  isFixedField,
  maxLengthOf,
  mayBeEmpty,
  type Field,
  type Section,
} from '#contract/section.ts';
import { isShown, sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { formHeading } from '#site/islands/admin/editor/section-texts.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { writeBatch } from '#worker/db/client.ts';
import { readSnapshot } from '#worker/content/reader.ts';
import { publications, releaseChanges, releases } from '#worker/content/schema.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { contextOf, test } from '../support/browser.ts';
import { fullSize } from '../support/limits.ts';
import { isFreeText, sampleOf } from '../support/samples.ts';
import { administrator as owner, startTestSystem, type TestSystem } from '../support/system.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';

const widths = [360, 768, 1440] as const;
const pages = contentPages
  .filter(({ pattern, canonical }) => pattern === canonical)
  .map(({ pattern }) => pattern);
/** No page shows a redirect, and its texts are addresses. */
const shownNames = sectionNames.filter((name) => isShown(name) && name !== 'redirect');

const longText = 'Borrowers search before they call, and they call whom they find. '
  .repeat(80)
  .slice(0, 5_000);
const longWord = 'Kreditvermittlungsgesellschaftssuchmaschinenoptimierungsfirma';
/** Arabic, Hebrew, emoji of several code points, a single letter. */
const mixed = ['وكالة القروض: 3 صفحات (SEO)!', 'משרד ההלוואות 2026', '👩🏽‍💻👨‍👩‍👧‍👦🏳️‍🌈', 'A'] as const;

let system: TestSystem;
let administrator: Visitor;

test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  system = await startTestSystem();
  administrator = await signInAdministrator(system.url);
});
test.afterAll(() => system.stop());

/** A screen of this copy as its administrator sees it. */
async function openScreen(browser: Browser, path: string): Promise<Page> {
  const page = await (await contextOf(browser, owner, { baseURL: system.url })).newPage();
  await page.goto(path);
  return page;
}

const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text });

const listed = async (name: SectionName) =>
  (await administrator.get(callPath(sectionNamed(name).api.list))).json as readonly ContentRecord[];

/** A change of a release, with what was live as it was made. */
interface Change extends Pick<typeof releaseChanges.$inferInsert, 'section' | 'recordId'> {
  readonly action: 'update' | 'remove';
  readonly value?: Readonly<Record<string, unknown>>;
  readonly base: Readonly<Record<string, string>>;
}

/**
 * Makes changes in one release, published by its call: each checked and written as by a save, all pages rendered once
 * and not a hundred times. Into the release they are put by no call, which would try each on the pages.
 */
async function publishTogether(changes: readonly Change[]): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
  const releaseId = newId();
  const made = { version: 1, at: Date.now(), by: '' };
  await writeBatch(db, [
    db
      .insert(releases)
      .values({ _id: releaseId, title: 'Extremes', version: 1, createdAt: made.at, createdBy: '' }),
    // A release tells its changes in the order of their ids, and those of one ms have none.
    ...changes.map(({ value, base, ...change }, index) =>
      db.insert(releaseChanges).values({
        ...{ ...change, ...made, _id: newId(made.at + index), releaseId },
        value: value ? JSON.stringify(value) : null,
        base: JSON.stringify(base),
      }),
    ),
  ]);
  close();
  const { status, text } = await administrator.post(addressOf('POST /release/:id/publish', releaseId));
  expect(status, text).toBe(200);
}

/** Gives every record that visitors see the values that `valueOf` has for its fields; the others keep theirs. */
async function fill(
  valueOf: (field: Field, index: number) => string | undefined,
  names: readonly SectionName[] = shownNames,
): Promise<void> {
  const changes: Change[] = [];
  for (const name of names) {
    const section: Section = sectionNamed(name);
    const fields = Object.entries(section.fields).filter(([, field]) => !isFixedField(section, field));
    const given = fields.map(([field, definition], index) => [field, valueOf(definition, index)] as const);
    // What the section's call would refuse is no value of this test.
    const value = updateSchema(section).parse(
      Object.fromEntries(given.filter(([, text]) => text !== undefined)),
    );
    for (const { _id, ...record } of await listed(name)) {
      const base = Object.fromEntries(Object.keys(value).map((field) => [field, record[field] ?? '']));
      changes.push({ section: name, recordId: _id, action: 'update', value, base });
    }
  }
  await publishTogether(changes);
}

/** Takes every record away that can be taken away. */
async function empty(names: readonly SectionName[]): Promise<void> {
  const changes: Change[] = [];
  for (const name of names)
    for (const { _id, ...base } of sectionCalls(name).remove ? await listed(name) : [])
      changes.push({ section: name, recordId: _id, action: 'remove', base });
  await publishTogether(changes);
}

/** What runs out of the window, and text that runs out of its box or into other text. */
function findLayoutFaults(): string[] {
  const tell = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${element.textContent.slice(0, 30)}"`;
  const isSeen = (element: Element) =>
    element.checkVisibility() &&
    !element.closest('.visually-hidden, .skip-link, [aria-hidden="true"], [popover]:not(:popover-open)');
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
  /** A drawing may run out of the window where what is around it cuts it there. */
  const isClipped = (element: Element | null): boolean =>
    element !== null &&
    (getComputedStyle(element).overflowX !== 'visible' || isClipped(element.parentElement));

  const faults: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth)
    faults.push(`the page is ${String(document.documentElement.scrollWidth)} px wide`);
  const elements = [...document.body.querySelectorAll('*')].filter(isSeen);
  for (const element of elements) {
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 0 && (left < -1 || right > innerWidth + 1) && (hasText(element) || !isClipped(element)))
      faults.push(`${tell(element)} leaves the window`);
  }
  const texts = elements
    .filter(hasText)
    .map((element) => ({ element, box: element.getBoundingClientRect() }));
  for (const [index, { element, box }] of texts.entries()) {
    const { display, overflowY, position } = getComputedStyle(element);
    if (display !== 'inline') {
      if (element.scrollWidth > element.clientWidth + 1)
        faults.push(`${tell(element)} is wider than its box`);
      if (overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1)
        faults.push(`${tell(element)} is cut`);
    }
    if (position === 'sticky') continue;
    for (const other of texts.slice(index + 1)) {
      if (element.contains(other.element)) continue;
      const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (across > 2 && down > 2) faults.push(`${tell(element)} overlaps ${tell(other.element)}`);
    }
  }
  return faults;
}

/** Looks at every page in windows of some widths. @param read what else is looked at on each page */
async function lookAtPages(
  browser: Browser,
  at: readonly number[] = widths,
  read?: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const page = await browser.newPage({ baseURL: system.url });
  // Pictures of other sites do not load here, as a picture that is gone does not.
  await page.route('https://**', (route) => route.abort());
  for (const path of pages) {
    await page.goto(path);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    for (const width of at) {
      await page.setViewportSize({ width, height: 900 });
      const found = await page.evaluate(findLayoutFaults);
      faults.push(...found.map((fault) => `${path} at ${String(width)} px: ${fault}`));
    }
    await expect(page.locator('h1'), path).toHaveCount(1);
    await read?.(page, path);
  }
  await page.close();
  expect(faults).toEqual([]);
}

test('An administrator sees what was published, and restores an earlier version', async ({ browser }) => {
  const headingOf = async () => (await listed('callToAction'))[0];
  const record = await headingOf();
  const [wanted, unwanted] = [`Wanted ${randomUUID()}`, `Unwanted ${randomUUID()}`];
  const path = `/api/update-actions/${record?._id ?? ''}`;
  const { headers } = await administrator.put(path, { heading: wanted });
  await administrator.put(path, { heading: unwanted });
  const revision = headers.get('X-Content-Revision') ?? '';

  // The whole site goes back, and only if nobody has saved meanwhile: no test for a copy that others save in.
  const page = await openScreen(browser, '/publications');
  await page.getByText(`Call to action changed: ${unwanted}`).click();
  await expect(page.locator('ins', { hasText: unwanted.slice(-12) })).toBeVisible();
  await page.getByRole('button', { name: `Restore revision ${revision}`, exact: true }).click();
  await expect(page.getByRole('dialog').getByText('Pages that would change: /')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(toast(page, `Revision ${revision} restored`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'View live' })).toHaveAttribute('href', /^\/\w*/);
  expect((await headingOf())?.['heading']).toBe(wanted);
  await page.context().close();
});

test('Texts of 5,000 characters, words of 60 and pictures that are gone leave every page whole', async ({
  browser,
}) => {
  await fill((field) => {
    if (field.kind === 'image') return mayBeEmpty(field) ? '' : 'https://images.example/gone.png';
    if (field.kind === 'text') return longText;
    return isFreeText(field) ? longWord : undefined;
  });
  await lookAtPages(browser);
});

test('Text from right to left, emoji and single letters stand as typed', async ({ browser }) => {
  await fill((field, index) => (isFreeText(field) ? mixed[index % mixed.length] : undefined));
  await lookAtPages(browser, fullSize ? widths : [360], async (page, path) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const text = await page.locator('body').innerText();
    for (const typed of mixed) expect(text, path).toContain(typed);
    if (path !== pages.at(-1)) return;
    // The exclamation mark that ends an Arabic sentence stands at its left.
    const [first, last] = await page
      .getByText(mixed[0])
      .last()
      .evaluate((element) =>
        [0, element.textContent.length - 1].map((at) => {
          const letter = new Range();
          letter.setStart(element.firstChild ?? element, at);
          letter.setEnd(element.firstChild ?? element, at + 1);
          return letter.getBoundingClientRect().left;
        }),
      );
    expect(last, path).toBeLessThan(first ?? 0);
  });
});

/** Fifty ways in which markup has become script elsewhere, each of which would set `window.__xss`. */
const hostileTexts = [
  '"><img src=x onerror=window.__xss=1>',
  "'><svg/onload=window.__xss=2>",
  '</script><script>window.__xss=3</script>',
  '</title></style></textarea></noscript><script>window.__xss=4</script>',
  '<!--<script>window.__xss=5//-->',
  '<iframe srcdoc="<script>parent.__xss=6</script>"></iframe>',
  '<a href="javascript:window.__xss=7" autofocus onfocus=window.__xss=8 tabindex=1>',
  '<details open ontoggle=window.__xss=9><math><mi xlink:href="data:x,<script>window.__xss=10</script>">',
  '&lt;script&gt;window.__xss=11&lt;/script&gt; \\u003cscript>window.__xss=12</script>',
  '${window.__xss=13} {{constructor.constructor("window.__xss=14")()}} ]]> %3Cscript%3E',
  'javascript:window.__xss=15',
  '\u202Ereversed\u2066 \u0085\u2028\uFEFF\uFFFE',
  '<ScRiPt >window.__xss=20</sCrIpT>',
  '<script/x>window.__xss=21</script/x>',
  '<script\t>window.__xss=22</script\n>',
  '<<script>window.__xss=23//<</script>',
  '<scr<script>ipt>window.__xss=24</scr</script>ipt>',
  '<svg><script>window.__xss&#61;25</script></svg>',
  '<svg><animate onbegin=window.__xss=26 attributeName=x dur=1s>',
  '<svg><set attributeName=onmouseover to=window.__xss=27>',
  '<svg><use href="data:image/svg+xml,<svg id=x xmlns=http://www.w3.org/2000/svg onload=parent.__xss=28>#x">',
  '<math><mtext><table><mglyph><style><img src=x onerror=window.__xss=29>',
  '<noscript><p title="</noscript><img src=x onerror=window.__xss=30>">',
  '<template><img src=x onerror=window.__xss=31></template>',
  '<body onload=window.__xss=32>',
  '<body/onpageshow=window.__xss=33>',
  '<input autofocus onfocus=window.__xss=34>',
  '<select autofocus onfocus=window.__xss=35>',
  '<textarea autofocus onfocus=window.__xss=36>',
  '<video><source onerror=window.__xss=37></video>',
  '<audio src=x onerror=window.__xss=38>',
  '<object data="javascript:window.__xss=39">',
  '<embed src="javascript:window.__xss=40">',
  '<form action="javascript:window.__xss=41"><button>x</button></form>',
  '<button formaction="javascript:window.__xss=42">x</button>',
  '<isindex action="javascript:window.__xss=43" type=image>',
  '<base href="javascript:window.__xss=44//">',
  '<meta http-equiv=refresh content="0;url=javascript:window.__xss=45">',
  '<link rel=stylesheet href="data:text/css,*{x:expression(window.__xss=46)}">',
  '<style>@import "javascript:window.__xss=47";*{animation:x}</style>',
  '<div style="background:url(javascript:window.__xss=48)">',
  '<marquee onstart=window.__xss=49>x</marquee>',
  '<img src="x` `<script>window.__xss=50</script>"` `>',
  '<img/src=`x`onerror=window.__xss=51>',
  '<img src=x:x onerror\u00a0=window.__xss=52>',
  '" onmouseover="window.__xss=53" x="',
  "' style='animation-name:x' onanimationstart='window.__xss=54",
  '+ADw-script+AD4-window.__xss=55+ADw-/script+AD4-',
  '<a href="jav&#x09;ascript:window.__xss=56">x</a>',
  '[x](javascript:window.__xss=57) ![x](x"onerror="window.__xss=58) <javascript:window.__xss=59>',
] as const;
const hostileText = hostileTexts.join(' ');
/** Addresses that hold, and that would leave their attribute if it were written without care. */
const hostileAddresses = {
  link: 'https://links.example/"onclick="window.__xss=16"><script>window.__xss=17</script>',
  image: `https://images.example/'"onerror="window.__xss=18"><script>window.__xss=19</script>`,
} as const;

declare global {
  interface Window {
    __xss?: number;
  }
}

/** What a field is given that is to break out of its place: a field too short for all of it gets one of the texts. */
const hostileValue = (field: Field, index: number, text: string = hostileText): string | undefined => {
  if (field.kind === 'link' || field.kind === 'image') return hostileAddresses[field.kind];
  if (!isFreeText(field)) return undefined;
  const isShort = text.length > maxLengthOf(field);
  return isShort ? hostileTexts[index % hostileTexts.length] : text;
};

test('Nothing that an administrator types runs as script, on no page, preview or screen', async ({
  browser,
}) => {
  await administrator.post('/api/add-item', sampleOf(sectionNamed('designItem')));
  const names = [...shownNames, 'designItem'] as const;
  await fill(hostileValue, names);

  const page = await openScreen(browser, '/setting');
  const faults: string[] = [];
  let typed: string = hostileText;
  const fault = (what: string) => faults.push(`${page.url()}: ${what}, by ${typed}`);
  page.on('dialog', (dialog) => {
    fault(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => fault(error.message));
  page.on('console', (line) => {
    if (/Content.Security.Policy/i.test(line.text())) fault(line.text());
  });
  await page.route('https://**', (route) => route.abort());
  const look = async (path: string, shown: Locator) => {
    await page.goto(path);
    await expect(shown, path).toContainText('onerror=window.__xss=1');
    for (const frame of page.frames())
      if ((await frame.evaluate(() => window.__xss)) !== undefined) fault('ran a script');
  };

  for (const path of pages) await look(path, page.locator('body'));
  const preview = page.locator('iframe[title^="Preview"]').contentFrame().locator('body');
  // Editors are one component, previews the components of the pages above: a few of each kind stand for all.
  const edited = fullSize
    ? names
    : (['banner', 'faqItem', 'featureItem', 'footerAbout', 'designItem'] as const);
  for (const name of edited) {
    const { kind, screen, fields } = sectionNamed(name);
    if (!Object.values(fields).some(isFreeText)) continue;
    const [record] = await listed(name);
    // A picture's preview is the picture, without words.
    const hasWords = isShown(name) && name !== 'media';
    await look(linkToRecord(name, record?._id ?? ''), hasWords ? preview : page.getByRole('main'));
    if (name === 'featureItem' || (fullSize && kind === 'list'))
      await look(screen.home, page.locator('[data-item]').first());
  }
  await look('/publications', page.getByRole('main'));
  // Each by itself, so that none stands in the shadow of one before it.
  for (typed of fullSize ? hostileTexts : []) {
    await fill((field, index) => hostileValue(field, index, typed), names);
    for (const path of pages) {
      await page.goto(path);
      if ((await page.evaluate(() => window.__xss)) !== undefined) fault('ran it');
    }
  }
  expect(faults).toEqual([]);
  await page.context().close();
});

test('An administrator appoints another, changes the role, removes and brings back; the last one stays', async ({
  browser,
}) => {
  const page = await openScreen(browser, '/add-user');
  const other = page.getByRole('listitem').filter({ hasText: 'second@agency.example' });
  await page.getByLabel('Email').fill('second@agency.example');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toast(page, 'User Is Added')).toBeVisible();
  await expect(other).toContainText('Admin');
  await other.getByRole('link', { name: 'Update user' }).click();
  await page.getByLabel('Role').selectOption('User');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'User is Updated')).toBeVisible();
  await page.getByRole('link', { name: 'Users', exact: true }).first().click();
  await expect(other).toContainText('User');
  await page.getByRole('button', { name: 'Remove second@agency.example' }).click();
  await expect(other).toContainText('is removed');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(other.getByRole('link', { name: 'Update user' })).toBeVisible();

  const removeOwn = page.getByRole('button', { name: `Remove ${owner.email}` });
  await removeOwn.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(removeOwn).toBeFocused();
  await removeOwn.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove me' }).click();
  await expect(toast(page, 'This is the last administrator.')).toBeVisible();
  await page.getByRole('listitem').filter({ hasText: owner.email }).getByRole('link').last().click();
  await page.getByLabel('Role').selectOption('User');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is the last administrator.')).toBeVisible();
  await page.context().close();
});

test('An administrator changes the payment key, and adds it where there is none; a secret key is refused', async ({
  browser,
}) => {
  const page = await openScreen(browser, '/setting');
  await page.getByRole('main').locator('a[href="/add-paypal-Email"]').click();
  await page.getByRole('link', { name: 'Edit payment key' }).click();
  const key = page.getByLabel('Publishable key');
  await key.fill('sk_live_secret');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(key).toHaveAccessibleDescription(/This is a secret key and must never be typed here\./);
  await key.fill('pk_test_of_the_agency');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Stripe Key Updated')).toBeVisible();

  const { pathname } = new URL(page.url());
  await administrator.delete(`/api${pathname}`);
  await page.goto('/add-paypal-Email');
  await page
    .getByRole('form', { name: 'Add payment key' })
    .getByLabel('Publishable key')
    .fill('pk_test_anew');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(toast(page, 'Stripe Key Updated')).toBeVisible();
  await expect(page.getByText('pk_test_anew')).toBeVisible();
  await page.context().close();
});

test('Sections without records leave no gap', async ({ browser }) => {
  // The library is on no page, and other records use its pictures.
  await empty(shownNames.filter((name) => name !== 'media'));
  await lookAtPages(browser);
});

test('A section takes its first record by a form, tells so as specified, and leads to it', async ({
  browser,
}) => {
  // Pictures last: one that is used stays.
  await empty([...sectionNames.filter((name) => name !== 'media'), 'media']);
  const addable = sectionNames.filter((name) => sectionCalls(name).add);
  const few: readonly SectionName[] = ['faqText', 'faqItem', 'copyright'];
  const page = await openScreen(browser, '/setting');
  for (const name of fullSize ? addable : few) {
    const section = sectionNamed(name);
    const { kind, screen, fields } = section;
    const sample = sampleOf(section);
    await page.goto('/setting');
    await page
      .getByRole('main')
      .locator(`a[href="${withoutSlash(screen.home)}"]`)
      .click();
    const form = page.getByRole('form', { name: formHeading(name, 'add'), exact: true });
    for (const [field, definition] of Object.entries(fields)) {
      if (definition.editOnly) continue;
      const note = definition.optional ? ' (optional)' : '';
      const input = form.getByLabel(`${definition.label}${note}`, { exact: true });
      if (definition.kind === 'choice') await input.selectOption(sample[field] ?? '');
      else await input.fill(sample[field] ?? '');
    }
    await form.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(toast(page, alertFor(section, 'added')), name).toHaveText(alertFor(section, 'added'));
    const edit = page.getByRole('link', { name: screen.editLink, exact: true });
    await expect(edit, name).toHaveCount(1);
    await expect(form, name).toHaveCount(kind === 'singleton' ? 0 : 1);
    // It may say the same as the next one.
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await edit.click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(toast(page, alertFor(section, 'updated')), name).toHaveText(alertFor(section, 'updated'));
  }
  await page.context().close();
});

test('A list of 500 items is found through, moved in and shown', async ({ browser }) => {
  const { db, close } = openSystemDatabase(system.database);
  const rows = Array.from({ length: 500 }, (_, index) => ({
    _id: newId(),
    position: 1_000 + index,
    accodingTitle: `Question ${String(index)}?`,
    accodingText: 'An answer.',
  }));
  const { revision } = await readSnapshot(db);
  await writeBatch(db, [
    db.insert(publications).values({
      revision: revision + 1,
      at: Date.now(),
      by: '',
      changedPages: [],
      readMs: 0,
      renderMs: 0,
    }),
    ...rows.map((row) => db.insert(contentTables.faqItem).values(row)),
  ]);
  close();
  const page = await openScreen(browser, '/edit-faq');
  const items = page.locator('[data-item]');
  await expect(items).toHaveCount(50);
  await page.getByRole('searchbox', { name: /^Find in/ }).fill('Question 499?');
  await expect(items).toHaveCount(1);
  await page.getByRole('searchbox', { name: /^Find in/ }).fill('');
  await page
    .getByRole('button', { name: /^Page \d+$/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Move Question 499?: place' }).press('Home');
  await expect(toast(page, 'Items reordered')).toBeVisible();
  await expect(items.first()).toContainText('Question 499?');
  expect((await listed('faqItem'))[0]?._id).toBe(rows.at(-1)?._id);
  await page.goto('/pricing/');
  await expect(page.locator('details').first()).toContainText('Question 499?');
  await page.context().close();
});
