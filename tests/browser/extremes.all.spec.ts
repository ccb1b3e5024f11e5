/** The editor and the pages at their limits: long texts, strange texts, hostile texts, many records, none. */
import * as z from 'zod';
import { fillPath, withoutSlash } from '#contract/route-pattern.ts';
import { randomUUID } from 'node:crypto';
import { expect, type Browser, type Locator, type Page } from 'playwright/test';
import { updateSchema } from '#contract/fields.ts';
import { sectionCalls, type ContentRecord } from '#contract/section-calls.ts';
import { addressOf, callPath } from '../support/calls.ts';
import { newId } from '#contract/ids.ts';
import { allCalls } from '#contract/calls/index.ts';
import { findScreen, linkToRecord } from '#contract/all-screens.ts';
import { contentPages, screensOf } from '#contract/screens.ts';
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
import { customerPassword } from '../support/accounts.ts';
import { contextOf, settle, test } from '../support/browser.ts';
import { fullSize } from '../support/limits.ts';
import { hostileAddress, hostileText, hostileTexts, payloads } from '../support/payloads.ts';
import { message, readByNobody, readers, readTexts, squeezed, watch } from '../support/readers.ts';
import { isFreeText, sampleOf } from '../support/samples.ts';
import { administrator as owner, startTestSystem, type TestSystem } from '../support/system.ts';
import { typeEverywhere, wordyTexts, type TextFor, type Typed } from '../support/typed-texts.ts';
import { newEmail, registerCustomer, signInAdministrator, type Visitor } from '../support/visitor.ts';
import { toast } from './journey.ts';

const widths = [360, 768, 1440] as const;
const pages = contentPages
  .filter(({ pattern, canonical }) => pattern === canonical)
  .map(({ pattern }) => pattern);
/** Pages show no redirect, and its texts are addresses. */
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

const listed = async (name: SectionName) =>
  (await administrator.get(callPath(sectionNamed(name).api.list))).json as readonly ContentRecord[];

/** A change of a release, with what was live as it was made. */
interface Change extends Pick<typeof releaseChanges.$inferInsert, 'section' | 'recordId'> {
  readonly action: 'update' | 'remove';
  readonly value?: Readonly<Record<string, unknown>>;
  readonly base: Readonly<Record<string, string>>;
}

/**
 * Publishes changes as one release, so that all pages are rendered once instead of once for each save. The changes are
 * written into the database, because the call that adds a change tries it on the pages.
 */
async function publishTogether(changes: readonly Change[]): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
  const releaseId = newId();
  const made = { version: 1, at: Date.now(), by: '' };
  await writeBatch(db, [
    db
      .insert(releases)
      .values({ _id: releaseId, title: 'Extremes', version: 1, createdAt: made.at, createdBy: '' }),
    // A release lists its changes by id, so each gets a later one.
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

/** Gives every record of some sections the values of `valueOf`; other fields keep theirs. */
async function fill(
  valueOf: (field: Field, index: number) => string | undefined,
  names: readonly SectionName[] = shownNames,
): Promise<void> {
  const changes: Change[] = [];
  for (const name of names) {
    const section: Section = sectionNamed(name);
    const fields = Object.entries(section.fields).filter(([, field]) => !isFixedField(section, field));
    const given = fields.map(([field, definition], index) => [field, valueOf(definition, index)] as const);
    // The values are checked as the section's call checks them.
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

/** Removes every record that can be removed. */
async function empty(names: readonly SectionName[]): Promise<void> {
  const changes: Change[] = [];
  for (const name of names)
    for (const { _id, ...base } of sectionCalls(name).remove ? await listed(name) : [])
      changes.push({ section: name, recordId: _id, action: 'remove', base });
  await publishTogether(changes);
}

/** Finds what leaves the window, and text that leaves its box or overlaps other text. */
function findLayoutFaults(): string[] {
  const tell = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${element.textContent.slice(0, 30)}"`;
  const isSeen = (element: Element) =>
    element.checkVisibility() &&
    !element.closest('.visually-hidden, .skip-link, [aria-hidden="true"], [popover]:not(:popover-open)');
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
  /** A drawing may leave the window where an element around it clips it. */
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
  // Pictures of other sites do not load.
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

test('An administrator sees what was published, and restores an earlier revision', async ({ browser }) => {
  const headingOf = async () => (await listed('callToAction'))[0];
  const record = await headingOf();
  const [wanted, unwanted] = [`Wanted ${randomUUID()}`, `Unwanted ${randomUUID()}`];
  const path = `/api/update-actions/${record?._id ?? ''}`;
  const { headers } = await administrator.put(path, { heading: wanted });
  await administrator.put(path, { heading: unwanted });
  const revision = headers.get('X-Content-Revision') ?? '';

  // A restore needs a copy in which nobody else saves.
  const page = await openScreen(browser, '/publications');
  await page.getByText(`Call to action changed: ${unwanted}`).click();
  await expect(page.locator('ins', { hasText: unwanted.slice(-12) })).toBeVisible();
  await page.getByRole('button', { name: `Restore revision ${revision}`, exact: true }).click();
  await expect(page.getByRole('dialog').getByText('Pages that would change: /')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
  await expect(toast(page, `Revision ${revision} restored`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'View live' })).toHaveAttribute('href', /^\/\w*/);
  expect((await headingOf())?.['heading']).toBe(wanted);
});

test('Texts of 5,000 characters, words of 60 and missing pictures break no page', async ({ browser }) => {
  await fill((field) => {
    if (field.kind === 'image') return mayBeEmpty(field) ? '' : 'https://images.example/gone.png';
    if (field.kind === 'text') return longText;
    return isFreeText(field) ? longWord : undefined;
  });
  await lookAtPages(browser);
});

test('Text from right to left, emoji and single letters are shown as typed', async ({ browser }) => {
  await fill((field, index) => (isFreeText(field) ? mixed[index % mixed.length] : undefined));
  await lookAtPages(browser, fullSize ? widths : [360], async (page, path) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    const text = await page.locator('body').innerText();
    for (const typed of mixed) expect(text, path).toContain(typed);
    if (path !== pages.at(-1)) return;
    // The exclamation mark at the end of an Arabic sentence is on the left.
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

/** A text that tries to break out of its field. A short field gets one of the short texts. */
const hostileValue = (field: Field, index: number, text: string = hostileText): string | undefined => {
  const isAddress = field.kind === 'link' || field.kind === 'image';
  if (!isAddress && !isFreeText(field)) return undefined;
  const fitting = [text, ...hostileTexts.slice(index % 50), ...hostileTexts]
    .map((one) => (isAddress ? hostileAddress(one) : one))
    .find((one) => Array.from(one).length <= maxLengthOf(field));
  return fitting;
};

test('Nothing that an administrator types runs as script, on no page, preview or screen', async ({
  browser,
}) => {
  await administrator.post('/api/add-item', sampleOf(sectionNamed('designItem')));
  const names = [...shownNames, 'designItem'] as const;
  await fill(hostileValue, names);

  const page = await openScreen(browser, '/setting');
  const faults: string[] = [];
  const { look } = await watch(page, faults);
  const show = async (path: string, shown: Locator, text: string | RegExp) => {
    await page.goto(path);
    await expect(shown, path).toContainText(text);
    await look();
  };
  const preview = page.locator('iframe[title^="Preview"]').contentFrame().locator('body');
  const edit = async (name: SectionName, text: string) => {
    const { kind, screen, fields } = sectionNamed(name);
    if (!Object.values(fields).some(isFreeText)) return;
    const [record] = await listed(name);
    // A picture's preview is the picture, without words.
    const hasWords = isShown(name) && name !== 'media';
    await show(linkToRecord(name, record?._id ?? ''), hasWords ? preview : page.getByRole('main'), text);
    // A list shortens what is long.
    if (name === 'featureItem' || (fullSize && kind === 'list'))
      await show(screen.home, page.locator('[data-item]').first(), /__xss|…/);
  };

  for (const path of pages) await show(path, page.locator('body'), hostileTexts[0] ?? '');
  // All editors are one component, so a few sections stand for all.
  const few = ['banner', 'faqItem', 'featureItem', 'footerAbout', 'designItem'] as const;
  for (const name of fullSize ? names : few) await edit(name, 'onerror=window.__xss=1');
  await show('/publications', page.getByRole('main'), 'onerror=window.__xss=1');
  // Each text is tried alone as well, so that no text hides the effect of another.
  for (const [index, typed] of fullSize ? hostileTexts.entries() : []) {
    const before = faults.length;
    await fill((field, place) => hostileValue(field, place, typed), names);
    for (const path of pages) await show(path, page.locator('body'), typed);
    for (const name of [...few, ...names.filter((_, turn) => turn % 50 === index)]) await edit(name, '__xss');
    if (faults.length > before) faults.push(`by ${typed}`);
  }
  expect(faults).toEqual([]);
});

test('Each of the fifty payloads runs where it is written without care', async ({ browser }) => {
  expect(payloads).toHaveLength(50);
  const page = await browser.newPage();
  await page.route('**', (route) => {
    const { pathname } = new URL(route.request().url());
    const body = payloads[Number(pathname.slice(1)) - 1]?.carelessPage;
    return body === undefined
      ? route.fulfill({ status: 404 })
      : route.fulfill({ contentType: 'text/html', body });
  });
  for (const { number } of payloads.filter((_, index) => fullSize || index % 5 === 0)) {
    await page.goto(`http://careless.example/${String(number)}`);
    await page.evaluate(() => {
      for (const element of document.querySelectorAll('*'))
        for (const type of ['mouseover', 'click'])
          element.dispatchEvent(new MouseEvent(type, { bubbles: true }));
    });
    await page.waitForFunction((wanted) => window.__xss === wanted, number);
  }
});

/** The sections that orders show. */
const sectionsOfOrders = ['briefQuestion', 'planStep', 'businessDetails'] as const;
const shownOfSections = ['A question', 'A step', "The firm's name"].map(
  (name) => [name, hostileTexts[0] ?? ''] as const,
);

/** Gives each field as many payloads as fit, beginning with another one each time. Each text ends differently. */
function payloadTexts(): TextFor {
  const ofField = new Map<string, string>();
  let count = 0;
  return ({ name, maxLength }) => {
    count += 1;
    const end = `//${String(count)};`;
    if (/email$/i.test(name)) return `x${String(count)}'onfocus='window.__xss=1'@customers.example`;
    const isAddress = / (website|link)$/.test(name);
    const most = maxLength - end.length - (isAddress ? hostileAddress('').length : 0);
    const from = count % hostileTexts.length;
    let text = ofField.get(name) ?? '';
    if (text === '')
      for (const payload of [...hostileTexts.slice(from), ...hostileTexts.slice(0, from)])
        if (text.length + payload.length <= most) text += payload;
    ofField.set(name, text);
    return (isAddress ? hostileAddress(text) : text) + end;
  };
}

/** A window, and what looks for payloads in it. */
interface Looker {
  readonly page: Page;
  readonly look: () => Promise<void>;
}

/** Opens each screen that shows what was typed, and waits until it shows all of it. */
async function readBack(
  { page, look }: Looker,
  { texts, ids }: Typed,
  wanted: typeof readers,
): Promise<void> {
  for (const [pattern, fields, id = ids[pattern] ?? ''] of wanted) {
    const path = fillPath(pattern, ids[id] ?? id);
    await page.goto(path);
    // The screen loads in pieces: its frame, what it lists, and the texts.
    await settle(page);
    const missing = async () => {
      const seen = await page.evaluate(readTexts);
      return fields.filter((field) => !seen.includes(squeezed(texts.get(field) ?? 'nothing was typed')));
    };
    await expect.poll(missing, path).toEqual([]);
    await look();
  }
}

/** The plain forms and frames that are tried; in full size all of them. */
const isTried = fullSize ? /^/ : /add-|login|invitation$/;

/** As a stranger, sends every plain form with a text in each field, and opens frames with it in the query. */
async function sendPlainForms({ page, look }: Looker, text: string): Promise<void> {
  for (const { path, body, accepts } of allCalls) {
    if (accepts !== 'form' || !(body instanceof z.ZodObject) || !isTried.test(path)) continue;
    await page.goto('/contact');
    const fields = Object.keys(body.shape).filter((name) => name !== 'website' && name !== 'source');
    const sent = page.waitForEvent('load');
    await page.evaluate(
      ([action, names, value]) => {
        const form = document.createElement('form');
        Object.assign(form, { action, method: 'post' });
        for (const name of names) {
          const field = document.createElement('textarea');
          Object.assign(field, { name, value });
          form.appendChild(field);
        }
        document.body.appendChild(form);
        form.submit();
      },
      [callPath(path), fields, text] as const,
    );
    await sent;
    await look();
    if (path === '/add-message') expect(await page.evaluate(readTexts)).toContain(squeezed(text));
  }
  const query = new URLSearchParams(
    ['q', 'token', 'next', 'email', 'error'].map((name) => [name, text.slice(0, 300)]),
  );
  for (const { pattern } of screensOf('frame').filter((screen) => isTried.test(screen.pattern))) {
    await page.goto(`${pattern}?${query.toString()}`);
    await settle(page);
    await look();
  }
}

/** Opens the mails as pages without a policy. */
async function readMails({ page, look }: Looker, { texts }: Typed): Promise<void> {
  const mails = (await administrator.get('/dev/mailbox')).json as readonly { readonly html: string }[];
  await page.goto('/dev/mailbox');
  await look();
  await page.setContent(mails.map(({ html }) => html).join(''));
  await look();
  const seen = await page.evaluate(readTexts);
  const mailed = [`${message} message`, 'PUT /order-step/:id note', 'PUT /order-status/:id note'];
  expect(mailed.filter((field) => !seen.includes(squeezed(texts.get(field) ?? '')))).toEqual([]);
}

test('Nothing that strangers, customers and staff type runs as script for those who read it', async ({
  browser,
}) => {
  const known = new Set([...readers.flatMap(([, fields]) => fields), ...readByNobody]);
  await fill(hostileValue, sectionsOfOrders);
  // A release shows the words that differ from these.
  await fill((field) => (isFreeText(field) ? 'Before' : undefined), ['banner']);
  const customer = await registerCustomer(
    ...([system.url, newEmail("o'onfocus='window.__xss=1'"), customerPassword, true] as const),
  );
  const faults: string[] = [];
  const open = async (page: Page): Promise<Looker> => ({ page, look: (await watch(page, faults)).look });
  const staff = await open(await openScreen(browser, '/admin'));
  const own = await open(await (await contextOf(browser, customer, { baseURL: system.url })).newPage());
  const stranger = await open(await browser.newPage({ baseURL: system.url }));
  const isStaffs = ([pattern]: (typeof readers)[number]) =>
    findScreen(pattern.replace(':id', newId()))?.screen.kind === 'admin';

  const { texts, ids } = await typeEverywhere({ owner: administrator, customer }, payloadTexts());
  expect(
    wordyTexts.filter((field) => !texts.has(field)),
    'Who types it?',
  ).toEqual([]);
  expect(
    [...texts.keys()].filter((field) => !known.has(field)),
    'Which screen shows it?',
  ).toEqual([]);
  const typed = { ids, texts: new Map([...texts, ...shownOfSections]) };
  // One window after the other: each screen then waits for nothing but itself.
  await readBack(staff, typed, readers.filter(isStaffs));
  await readBack(
    own,
    typed,
    readers.filter((reader) => !isStaffs(reader)),
  );
  await sendPlainForms(stranger, hostileText);
  await readMails(stranger, typed);
  for (const id of [ids['changed'], ids['/admin-user/:id']])
    await administrator.delete(callPath('/users/:id', id));
  expect(faults).toEqual([]);
});

test('Sections without records leave no gap', async ({ browser }) => {
  // The library is on no page, and other records use its pictures.
  await empty(shownNames.filter((name) => name !== 'media'));
  await lookAtPages(browser);
});

test('The first record of a section is added by a form, with the specified alert, and can be edited', async ({
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
    // The next toast may have the same text.
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await edit.click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(toast(page, alertFor(section, 'updated')), name).toHaveText(alertFor(section, 'updated'));
  }
});

test('A list of 500 items can be searched, paged and reordered', async ({ browser }) => {
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
});
