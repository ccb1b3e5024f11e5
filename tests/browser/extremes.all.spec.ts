/** The editor and the pages at their limits: long texts, strange texts, hostile texts, many records, no records. */
import { expect, type Browser, type Locator, type Page } from 'playwright/test';
import { updateSchema } from '#contract/fields.ts';
import { sectionCalls, type ContentRecord } from '#contract/section-calls.ts';
import { addressOf, callPath } from '../support/calls.ts';
import { newId } from '#contract/ids.ts';
import { linkToRecord } from '#contract/all-screens.ts';
import { contentPages } from '#contract/screens.ts';
import { isFixedField, maxLengthOf, mayBeEmpty, type Field, type Section } from '#contract/section.ts';
import { isShown, sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { writeBatch } from '#worker/db/client.ts';
import { releaseChanges, releases } from '#worker/content/schema.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { contextOf, settle, test } from '../support/browser.ts';
import { fullSize } from '../support/limits.ts';
import { readMailbox } from '../support/mailbox.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder, sendFile } from '../support/orders.ts';
import { isFreeText } from '../support/samples.ts';
import { administrator as owner, startTestSystem, type TestSystem } from '../support/system.ts';
import { registerCustomer, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';
import { toast, unique } from './journey.ts';

const widths = [360, 768, 1440] as const;
const pages = contentPages
  .filter(({ pattern, canonical }) => pattern === canonical)
  .map(({ pattern }) => pattern);
/** Pages show no redirects, and their texts are addresses. */
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

/** The records of a section. A list leaves out long texts, so such records are read one by one. */
async function readRecords(name: SectionName): Promise<readonly ContentRecord[]> {
  const { api, fields }: Section = sectionNamed(name);
  const { list, read } = api;
  const listed = (await administrator.get(callPath(list))).json as readonly ContentRecord[];
  if (!Object.values(fields).some(({ long }) => long)) return listed;
  const answers = await Promise.all(listed.map(({ _id }) => administrator.get(callPath(read, _id))));
  return answers.map(({ json }) => json as ContentRecord);
}

/** A change in a release, with the live values at the time of the change. */
interface Change extends Pick<typeof releaseChanges.$inferInsert, 'section' | 'recordId' | 'value' | 'base'> {
  readonly action: 'update' | 'remove';
}

/**
 * Publishes changes as one release, so that all pages are rendered once instead of once per save. Writes the changes
 * into the database, because the call that adds a change takes one at a time.
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
    ...changes.map((change, index) =>
      db.insert(releaseChanges).values({ ...change, ...made, _id: newId(made.at + index), releaseId }),
    ),
  ]);
  close();
  const { status, text } = await administrator.post(addressOf('POST /release/:id/publish', releaseId));
  expect(status, text).toBe(200);
}

/** Gives every record of some sections the values of `valueOf`. Other fields keep theirs. */
async function fill(
  valueOf: (field: Field, index: number) => string | undefined,
  names: readonly SectionName[] = shownNames,
): Promise<void> {
  const changes: Change[] = [];
  for (const name of names) {
    const section: Section = sectionNamed(name);
    const fields = Object.entries(section.fields).filter(([, field]) => !isFixedField(section, field));
    const given = fields.map(([field, definition], index) => [field, valueOf(definition, index)] as const);
    // The values are checked like the section's call checks them.
    const value = updateSchema(section).parse(
      Object.fromEntries(given.filter(([, text]) => text !== undefined)),
    );
    for (const { _id, ...record } of await readRecords(name)) {
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
    for (const { _id, ...base } of sectionCalls(name).remove ? await readRecords(name) : [])
      changes.push({ section: name, recordId: _id, action: 'remove', base });
  await publishTogether(changes);
}

/** Finds elements that extend beyond the window, and text that overflows its box or overlaps other text. */
function findLayoutFaults(): string[] {
  const tell = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${element.textContent.slice(0, 30)}"`;
  const isSeen = (element: Element) =>
    element.checkVisibility() &&
    !element.closest('.visually-hidden, .skip-link, [aria-hidden="true"], [popover]:not(:popover-open)');
  const hasText = (element: Element) =>
    [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '');
  /** A drawing may extend beyond the window if an element around it clips it. */
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

/**
 * Checks every page at several window widths.
 * @param read what else to check on each page
 */
async function lookAtPages(
  browser: Browser,
  at: readonly number[] = widths,
  read?: (page: Page, path: string) => Promise<void>,
): Promise<void> {
  const faults: string[] = [];
  const page = await browser.newPage({ baseURL: system.url });
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
  const headingOf = async () => (await readRecords('callToAction'))[0];
  const record = await headingOf();
  const [wanted, unwanted] = [unique('Wanted'), unique('Unwanted')];
  const path = `/api/update-actions/${record?._id ?? ''}`;
  const { headers } = await administrator.put(path, { heading: wanted });
  await administrator.put(path, { heading: unwanted });
  const revision = headers.get('X-Content-Revision') ?? '';

  // A restore needs a copy where nobody else saves.
  const page = await openScreen(browser, '/publications');
  await page.getByText(`Call to action changed: ${unwanted}`).click();
  await expect(page.locator('ins', { hasText: unwanted.slice(-8) })).toBeVisible();
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
    if (field.kind === 'text') return longText.slice(0, maxLengthOf(field));
    if (field.kind === 'tags') return longWord.slice(0, 40);
    return isFreeText(field) ? longWord.slice(0, maxLengthOf(field)) : undefined;
  });
  await lookAtPages(browser);
});

test('Right-to-left text, emoji and single letters are shown as typed', async ({ browser }) => {
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

declare global {
  interface Window {
    __xss?: number;
  }
}

/** Texts that become script if a page does not escape them: as markup, in an attribute, in a script, or as a URL. */
const hostileTexts = [
  '"><img src=x onerror=window.__xss=1>',
  "'><svg/onload=window.__xss=2>",
  '" onmouseover="window.__xss=3" x="',
  '</script><script>window.__xss=4</script>',
  '</title></style></textarea></noscript><script>window.__xss=5</script>',
  '<iframe srcdoc="<script>parent.__xss=6</script>"></iframe>',
  '<a href="jav&#x09;ascript:window.__xss=7">x</a>',
  '\\";window.__xss=8;//${window.__xss=9}',
  '&lt;img src=x onerror=window.__xss=10&gt;',
  '[x](javascript:window.__xss=11)',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=window.__xss=12>',
] as const;
const hostileText = hostileTexts.join(' ');
/** What a long text may contain of it. A save refuses an unsafe link. */
const hostileMarkdown = hostileTexts.filter((text) => !text.startsWith('[x](')).join(' ');
/** A valid URL that would break out of its attribute if it were not escaped. */
const hostileAddress = `https://links.example/?${hostileText.replaceAll(/[\s\\]/g, '/')}`;
/** The part of the first text that is visible wherever the text is shown in full. */
const seen = 'onerror=window.__xss=1';

/** Records whatever a page does that only a hostile text can cause. `look` finds what the page does not report. */
function watch(page: Page, faults: string[]): () => Promise<void> {
  const note = (what: string) => faults.push(`${page.url()}: ${what}`);
  page.on('pageerror', (error) => note(error.message));
  page.on('console', (line) => {
    if (/Content.Security.Policy/i.test(line.text())) note(line.text());
  });
  return async () => {
    for (const frame of page.frames()) {
      const found = await frame.evaluate(() => [
        ...(window.__xss === undefined ? [] : ['a script ran']),
        ...[...document.querySelectorAll('*')].flatMap((element) =>
          [...element.attributes].flatMap(({ name, value }) =>
            value.includes('__xss') && (name.startsWith('on') || /^\s*(javascript|data):/i.test(value))
              ? [`${element.nodeName} ${name}`]
              : [],
          ),
        ),
        ...[...document.querySelectorAll('script:not([type$="json"]), style')].flatMap(
          ({ nodeName, textContent }) => (textContent.includes('__xss') ? [nodeName] : []),
        ),
      ]);
      for (const what of found) note(what);
    }
  };
}

test('Text that administrators enter runs as script on no page, preview or screen', async ({ browser }) => {
  await fill((field) => {
    if (field.kind === 'tags') return hostileTexts[0];
    const isAddress = field.kind === 'link' || field.kind === 'image';
    if (!isAddress && !isFreeText(field) && field.kind !== 'markdown') return undefined;
    const ofKind = field.kind === 'markdown' ? hostileMarkdown : hostileText;
    const text = isAddress ? hostileAddress : ofKind;
    return [text, hostileTexts[0]].find((one) => one.length <= maxLengthOf(field));
  });
  const page = await openScreen(browser, '/setting');
  const faults: string[] = [];
  const look = watch(page, faults);
  const show = async (path: string, shown: Locator) => {
    await page.goto(path);
    await expect(shown, path).toContainText(seen);
    await look();
  };
  for (const path of pages) await show(path, page.locator('body'));
  const preview = page.locator('iframe[title^="Preview"]').contentFrame().locator('body');
  for (const name of ['banner', 'faqItem', 'legalPage', 'footerAbout'] as const)
    await show(linkToRecord(name, (await readRecords(name))[0]?._id ?? ''), preview);
  await show('/publications', page.getByRole('main'));
  expect(faults).toEqual([]);
});

/**
 * Sends the texts that a stranger, a customer and the staff can enter.
 * @returns the screens that show them, the staff's first
 */
async function typeHostile() {
  const made = ({ status, text, json }: Answer) => {
    expect(status, text).toBeLessThan(300);
    return json as { readonly _id: string };
  };
  const customer = await registerCustomer(system.url);
  const [short] = hostileTexts;
  const message = { name: short, email: customer.email, number: short, subject: short, message: hostileText };
  const { _id: messageId } = await sendMessage(new Visitor(system.url), message);
  const order = await placeOrder(customer, 'Premium', short);
  const billing = { customerCompany: short, customerTaxNumber: short };
  made(await customer.put(`/api/order/${order._id}/billing`, billing));
  made(await administrator.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' }));
  const file = made(await sendFile(customer, order._id, 'words', { name: short }));
  made(await customer.post(`/api/order/${order._id}/messages`, { text: hostileText, files: [file._id] }));
  const { steps } = (await administrator.get(`/api/order/${order._id}/work`)).json as {
    readonly steps: readonly { readonly _id: string }[];
  };
  made(
    await administrator.put(`/api/order-step/${steps[0]?._id ?? ''}`, { state: 'done', note: hostileText }),
  );
  const delivery = { orderStatus: 'Delivered', note: hostileText };
  made(await administrator.put(`/api/order-status/${order._id}`, delivery));
  const returned = { amount: '1', note: hostileText };
  const { _id: creditNote } = made(await administrator.post(`/api/order/${order._id}/refunds`, returned));
  const { _id: release } = made(await administrator.post('/api/releases', { title: short }));
  const [found] = (await administrator.get(`/api/customers?q=${customer.email}`)).json as { _id: string }[];
  made(await administrator.post(`/api/customer/${found?._id ?? ''}/notes`, { text: hostileText }));
  return {
    customer,
    ofStaff: [
      ...['/admin', '/total-orders', '/customers', '/all-messages/', '/releases', `/release/${release}`],
      ...[`/admin/payment-status/${order._id}`, `/view/${messageId}`, `/customer/${found?._id ?? ''}`],
    ],
    ofCustomer: [
      '/my-order',
      ...['', '/receipt'].map((end) => `/order/${order._id}${end}`),
      `/credit-note/${creditNote}`,
    ],
  };
}

test('Text that strangers, customers and staff enter runs as script for nobody who reads it', async ({
  browser,
}) => {
  const { customer, ofStaff, ofCustomer } = await typeHostile();
  const faults: string[] = [];
  for (const [who, paths] of [
    [owner, ofStaff],
    [customer, ofCustomer],
  ] as const) {
    const page = await (await contextOf(browser, who, { baseURL: system.url })).newPage();
    const look = watch(page, faults);
    for (const path of paths) {
      await page.goto(path);
      await settle(page);
      await expect(page.getByRole('main'), path).toContainText(seen);
      await look();
    }
  }
  // A plain form comes back with what was entered, and emails are read without a policy.
  const page = await browser.newPage({ baseURL: system.url });
  const look = watch(page, faults);
  await page.goto('/contact');
  await page.evaluate((text) => {
    const form = document.createElement('form');
    Object.assign(form, { action: '/api/add-message', method: 'post' });
    const field = document.createElement('textarea');
    Object.assign(field, { name: 'message', value: text });
    form.appendChild(field);
    document.body.appendChild(form);
    form.submit();
  }, hostileText);
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(hostileText);
  await look();
  const mails = await readMailbox(system.url);
  const html = mails.map((mail) => mail.html).join('');
  expect(html).toContain('onerror=window.__xss=1');
  const mail = await browser.newPage();
  const lookAtMail = watch(mail, faults);
  await mail.setContent(html);
  await lookAtMail();
  expect(faults).toEqual([]);
});

test('Many testimonials fill both columns of the page', async ({ browser }) => {
  const [testimonial] = await readRecords('testimonial');
  const image = testimonial?.['image'] ?? '';
  const body = { image, personName: 'Ada Broker', personTitle: 'Owner', desc: 'They did what they said.' };
  for (let added = 0; added < 2; added += 1)
    expect((await administrator.post('/api/add-testimonial', body)).status).toBe(201);
  const page = await browser.newPage({ baseURL: system.url });
  await page.goto('/pricing/');
  // The first has two beside it. The next two have a row of their own.
  const items = page.locator('#testimonials li');
  const [fourth, fifth] = await Promise.all([3, 4].map((at) => items.nth(at).boundingBox()));
  expect(fourth?.y).toBeGreaterThan(0);
  expect(fifth?.y).toBe(fourth?.y);
});

test('Sections without records leave no gap', async ({ browser }) => {
  // The library is on no page, and other records use its pictures.
  await empty(shownNames.filter((name) => name !== 'media'));
  await lookAtPages(browser);
});
