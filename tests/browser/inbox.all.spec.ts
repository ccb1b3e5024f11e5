/** The inbox: a message beside the list, answers by email, saved answers, and two administrators who share the work. */
import { expect, type Browser, type Page } from 'playwright/test';
import { linkTo } from '#contract/screens.ts';
import { contextOf, expectAccessible, systemUrl, test } from '../support/browser.ts';
import { registerAdministrator } from '../support/cast.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder } from '../support/orders.ts';
import { registerCustomer, signInAdministrator, Visitor } from '../support/visitor.ts';
import { openAsAdministrator, panel, toast, unique } from './journey.ts';

const send = (name: string, subject: string) => sendMessage(new Visitor(systemUrl), { name, subject });

/** Two windows: the seeded administrator's, and a colleague's. */
async function openBoth(browser: Browser) {
  const staff = await signInAdministrator(systemUrl);
  const colleague = await registerAdministrator(systemUrl, staff);
  const page = await openAsAdministrator(browser, linkTo('messages'));
  const theirs = await (await contextOf(browser, colleague)).newPage();
  return { page, theirs, colleague };
}

const search = (page: Page, text: string) => page.getByRole('searchbox', { name: 'Search' }).fill(text);
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('A message opens beside the list, a key opens the next one, and Back returns to the list', async ({
  browser,
}) => {
  const word = unique('beside');
  for (const number of ['One', 'Two', 'Three']) await send('Ann', `${number} ${word}`);
  const page = await openAsAdministrator(browser, linkTo('messages'));
  await page.evaluate(() => document.body.setAttribute('data-same', 'yes'));
  await search(page, word);
  await expect(row(page, 'View Message')).toHaveCount(3);
  await row(page, `Two ${word}`).getByRole('link', { name: 'View Message' }).click();
  await expect(title(page)).toHaveText(`Two ${word}`);
  await expect(title(page)).toBeFocused();
  expect(new URL(page.url()).pathname).toMatch(/^\/view\/[0-9a-f-]{36}$/);
  await expect(row(page, `One ${word}`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Newer' })).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('link', { name: 'Older' }).click();
  await expect(title(page)).toHaveText(`One ${word}`);
  // The oldest message has only a newer neighbor. A key works once the neighbors are known.
  await expect(page.getByRole('link', { name: 'Newer' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Older' })).toHaveCount(0);
  // The key works only while the inbox has the focus.
  await page.getByRole('link', { name: 'View site' }).focus();
  await page.keyboard.press('k');
  await expect(title(page)).toHaveText(`One ${word}`);
  await page.getByText('What does <b>Basic</b> include?').last().click();
  await page.keyboard.press('k');
  await expect(title(page)).toHaveText(`Two ${word}`);
  await page.getByLabel('Reply to Ann').pressSequentially('jk');
  await expect(title(page)).toHaveText(`Two ${word}`);
  await page.getByRole('button', { name: 'Mark Read' }).click();
  await expect(toast(page, 'Message is Read')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Read messages', exact: true })).toContainText(`Two ${word}`);
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect(title(page)).toHaveText(`Three ${word}`);
  await page.goBack();
  // What was typed into the reply is still there.
  await expect(page.getByLabel('Reply to Ann')).toHaveValue('jk');
  await page.getByRole('main').getByRole('link', { name: 'Messages', exact: true }).click();
  await expect(title(page)).toHaveText('Welcome to Admin Panel');
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(word);
  expect(await page.evaluate(() => document.body.getAttribute('data-same'))).toBe('yes');
  await page.reload();
  await expect(row(page, 'View Message')).toHaveCount(3);
});

test('A message can be opened while the search still runs', async ({ browser }) => {
  const word = unique('searched');
  await send('Ann', `One ${word}`);
  await send('Ann', `Two ${word}`);
  const page = await openAsAdministrator(browser, `${linkTo('messages')}?q=${encodeURIComponent(word)}`);
  await expect(row(page, 'View Message')).toHaveCount(2);
  const { promise: whenOpen, resolve: answer } = Promise.withResolvers<undefined>();
  await page.route(/\/api\/messages\?.*q=/, async (route) => {
    await whenOpen;
    await route.continue();
  });
  const isAsked = page.waitForRequest(/\/api\/messages\?.*q=/);
  await search(page, `One ${word}`);
  await isAsked;
  await row(page, `One ${word}`).getByRole('link', { name: 'View Message' }).click();
  await expect(title(page)).toHaveText(`One ${word}`);
  await expect(page.getByLabel('Reply to Ann')).toBeVisible();
  answer(undefined);
  await expect(row(page, 'View Message')).toHaveCount(1);
  await expect(title(page)).toHaveText(`One ${word}`);
});

test('On a phone, a message has the screen to itself', async ({ browser }) => {
  const word = unique('phone');
  await send('Ann', `One ${word}`);
  await send('Ann', `Two ${word}`);
  const page = await openAsAdministrator(browser, `${linkTo('messages')}?q=${encodeURIComponent(word)}`);
  await page.setViewportSize({ width: 360, height: 780 });
  await row(page, `Two ${word}`).getByRole('link', { name: 'View Message' }).click();
  await expect(title(page)).toHaveText(`Two ${word}`);
  await expect(page.getByRole('table')).toHaveCount(0);
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(title(page)).toHaveText(`One ${word}`);
  await page.goBack();
  await page.goBack();
  await expect(row(page, 'View Message')).toHaveCount(2);
});

test('Two administrators share messages: one assigns, the other finds it, answers, and reads the emailed reply', async ({
  browser,
}) => {
  const { page, theirs, colleague } = await openBoth(browser);
  const message = await send('Mara Lind', unique('Two offices'));
  await page.goto(linkTo('message', message._id));
  await page.getByLabel('Assignee').selectOption(colleague.email);
  await expect(toast(page, `Assigned to ${colleague.email}`)).toBeVisible();
  await page.getByRole('button', { name: 'Manage saved replies' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'New reply' }).click();
  const answerTitle = unique('Offices');
  await dialog.getByLabel('Title').fill(answerTitle);
  await dialog.getByLabel('Text').fill('Dear {name}, one package covers all offices.');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Manage saved replies' }).click();
  await dialog.getByRole('button', { name: 'New reply' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue(answerTitle);
  await dialog.getByRole('button', { name: 'Save reply' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: answerTitle })).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();

  await theirs.goto(linkTo('messages'));
  await theirs.getByRole('button', { name: 'Mine', exact: true }).click();
  const mine = row(theirs, message.subject);
  await expect(mine).toContainText(colleague.email);
  await mine.getByRole('link', { name: 'View Message' }).click();
  const reply = theirs.getByLabel('Reply to Mara Lind');
  await reply.fill('Before. After.');
  await reply.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(8, 8));
  await theirs.getByLabel('Saved reply', { exact: true }).selectOption(answerTitle);
  await theirs.getByRole('button', { name: 'Insert' }).click();
  await expect(reply).toHaveValue('Before. Dear Mara Lind, one package covers all offices.After.');
  await theirs.getByRole('button', { name: 'Send reply' }).click();
  await expect(toast(theirs, `Reply sent to ${message.email}`)).toBeVisible();
  await expect(mine).toHaveCount(1);

  // The sender answers in the local mailbox.
  const mailbox = await (await browser.newContext({ baseURL: systemUrl })).newPage();
  const mail = mailbox.getByRole('article').filter({ hasText: `Re: ${message.subject}` });
  await expect(async () => {
    await mailbox.goto('/dev/mailbox');
    await expect(mail).toBeVisible({ timeout: 100 });
  }).toPass();
  await mail.getByText('Reply', { exact: true }).click();
  await mail.getByLabel('Your reply').fill('Thank you, that helps.');
  await mail.getByRole('button', { name: 'Send' }).click();
  await mailbox.waitForURL('**/dev/mailbox');

  await theirs.reload();
  const replies = panel(theirs, 'Replies');
  await expect(replies.getByRole('listitem').filter({ hasText: 'Thank you, that helps.' })).toContainText(
    'Mara Lind by email',
  );
  await replies.getByText('Quoted text and signature').click();
  await expect(replies.getByText(/> Before\. Dear Mara Lind/)).toBeVisible();
  await expectAccessible(theirs);
  await page.goto(`${linkTo('messages')}?show=replies`);
  await expect(row(page, message.subject)).toContainText('New reply');
  await theirs.getByRole('button', { name: 'Mark reply read' }).click();
  await expect(theirs.getByText('New reply')).toHaveCount(0);
});

test('An order that one administrator assigns to the other is on their list', async ({ browser }) => {
  const { page, theirs, colleague } = await openBoth(browser);
  const order = await placeOrder(await registerCustomer(systemUrl), 'Basic', unique('Assigned'));
  await page.goto(linkTo('order', order._id));
  await page.getByLabel('Assignee').selectOption(colleague.email);
  await expect(toast(page, `Assigned to ${colleague.email}`)).toBeVisible();
  await theirs.goto(linkTo('orders'));
  await theirs.getByRole('button', { name: 'Mine', exact: true }).click();
  await expect(theirs.getByRole('heading', { name: '1 order found' })).toBeVisible();
  await expect(row(theirs, order.customerName)).toContainText(colleague.email);
  await row(theirs, order.customerName)
    .getByRole('link', { name: /^Update order/ })
    .click();
  await theirs.getByLabel('Assignee').selectOption('Nobody');
  await expect(toast(theirs, 'Unassigned')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Assignee')).toHaveValue('');
});
