/**
 * The work on an order: questions, plan, approval, delivery and a partial refund, by its customer and the staff.
 */
import { expect, type Page } from 'playwright/test';
import { linkTo } from '#contract/screens.ts';
import { expectAccessible, test } from '../support/browser.ts';
import { addFile, openAsAdministrator, openWithPaidOrder, panel, unfold } from './journey.ts';

const stepOf = (page: Page, title: string) =>
  panel(page, 'Plan').getByRole('listitem').filter({ hasText: title });

/** Marks a step as done, with a note. */
async function tickOff(
  page: Page,
  title: string,
  note: string,
  button = 'Mark as done',
  files: readonly string[] = [],
): Promise<void> {
  const step = stepOf(page, title);
  await unfold(step, button);
  await step.getByLabel('Note to the customer').fill(note);
  for (const file of files) await addFile(step, 'Add files to the step', file);
  await expect(step.getByText(/, ready$/)).toHaveCount(files.length);
  await step.getByRole('button', { name: button }).click();
  await expect(
    step.getByText(button === 'Mark as done' ? 'Done' : 'Waiting for approval', { exact: true }),
  ).toBeVisible();
  await expect(step.locator('summary').first()).toBeFocused();
}

test('A customer answers the questions, asks for a change, approves, gets the delivery and a partial refund', async ({
  browser,
}) => {
  const { page, order } = await openWithPaidOrder(browser);
  const main = page.getByRole('main');
  await page.goto(linkTo('dashboard'));
  await expect(main.getByText('Please tell us about your business')).toBeVisible();
  await expect(main.getByText('Your turn')).toBeVisible();
  await page.getByRole('link', { name: 'Answer our questions' }).click();

  // After a reload, the answers are still there, and a missing answer is named next to its field.
  await page.getByLabel('What is the address of your website?').fill('lopezlending.example');
  await page
    .getByLabel('Which loans should we bring you borrowers for?')
    .fill('FHA purchase loans\nVA refinancing');
  await expect(page.getByText('Everything you typed is saved.')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('What is the address of your website?')).toHaveValue('lopezlending.example');
  await page.getByRole('button', { name: 'Send answers' }).click();
  await expect(page.getByLabel('Which towns or counties do you serve?')).toBeFocused();
  await page.getByLabel('Which towns or counties do you serve?').fill('Cook County');
  await page.getByLabel('Which license numbers must appear on your pages?').fill('NMLS 1234567');
  await page.getByLabel('Who approves what we write, and how do we reach them?').fill('Maria Lopez');
  await page.getByLabel('What is your website built with?').selectOption('WordPress');
  await page.getByRole('button', { name: 'Send answers' }).click();
  await expect(page.getByText('We have your answers')).toBeVisible();

  const firm = await openAsAdministrator(browser, linkTo('order', order._id));
  const brief = panel(firm, 'Brief');
  await expect(brief.getByText('Cook County')).toBeVisible();
  await expect(brief.getByRole('link', { name: 'lopezlending.example' })).toHaveAttribute(
    'href',
    'https://lopezlending.example/',
  );
  await tickOff(firm, 'Site review', 'We found twelve things to repair.');
  await tickOff(firm, 'Interview with a loan officer', '');
  await tickOff(firm, 'Drafts of your loan pages', 'Two drafts for you.', 'Ask for approval', [
    'home.txt',
    'offices.txt',
  ]);

  // The customer sees what is done and when the rest is due, and asks for a change.
  await page.goto(linkTo('myOrder', order._id));
  const timeline = page.getByRole('list').filter({ hasText: 'Order placed' });
  await expect(timeline.getByText('We found twelve things to repair.')).toBeVisible();
  await expect(timeline.getByText('Finished: Interview with a loan officer')).toBeVisible();
  await expect(timeline.getByRole('listitem').filter({ hasText: 'Your report' })).toContainText(
    /Due \w+ \d+, \d{4}/,
  );
  const answer = page.getByRole('form', { name: 'Your answer: Drafts of your loan pages' });
  await expect(answer.getByText('Two drafts for you.')).toBeVisible();
  await expect(answer.getByRole('link', { name: 'home.txt' })).toBeVisible();
  await answer.getByRole('button', { name: 'Ask for a change' }).click();
  await answer.getByRole('button', { name: 'Send the request' }).click();
  await expect(answer.getByText('Please say what we should change.')).toBeVisible();
  await answer.getByLabel('What should we change?').fill('Our rate is 6.1%, not 6.4%.');
  await answer.getByLabel('offices.txt').check();
  await addFile(answer, 'Add files', 'rates.txt');
  await expect(answer.getByText(/, ready$/)).toBeVisible();
  await expectAccessible(page);
  await answer.getByRole('button', { name: 'Send the request' }).click();
  await expect(answer).toHaveCount(0);

  await firm.reload();
  await expect(stepOf(firm, 'Drafts of your loan pages')).toContainText(
    /offices\.txt:\s*Our rate is 6\.1%, not 6\.4%\./,
  );
  await expect(panel(firm, 'Messages and files').getByRole('link', { name: 'rates.txt' })).toBeVisible();
  await tickOff(firm, 'Drafts of your loan pages', 'Now with your rate.', 'Ask for approval');
  await page.reload();
  // A half-typed request survives a reload.
  await answer.getByRole('button', { name: 'Ask for a change' }).click();
  await answer.getByLabel('What should we change?').fill('Our logo');
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(answer.getByLabel('What should we change?')).toHaveValue('Our logo');
  await answer.getByRole('button', { name: 'Back' }).click();
  await answer.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByRole('alert').getByText('Approval recorded')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeFocused();
  await expect(page.getByText('You approved: Drafts of your loan pages')).toBeVisible();
  await page.goto(linkTo('dashboard'));
  await expect(main.getByText('3 of 6 steps done')).toBeVisible();
  await expect(main.getByText(/Our turn, by \w+ \d+, \d{4}/)).toBeVisible();

  // A half-typed delivery is kept when its dialog closes, and its file is not attached to any message.
  await firm.reload();
  const deliver = firm.getByRole('button', { name: /^Mark delivered and tell/ });
  const dialog = firm.getByRole('dialog', { name: /^Mark delivered and tell/ });
  await deliver.click();
  await expect(dialog).toContainText('3 steps are still open. Deliver anyway?');
  await addFile(dialog, 'Add files to the delivery', 'guide.txt');
  await expect(dialog.getByText(/, ready$/)).toBeVisible();
  await firm.keyboard.press('Escape');
  await firm.reload();
  await expect(firm.getByRole('button', { name: 'Send message' })).toBeVisible();
  await expect(panel(firm, 'Messages and files').getByText('guide.txt')).toHaveCount(0);
  await deliver.click();
  await dialog.getByLabel('Note to the customer').fill('All is live. Thank you!');
  await firm.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await deliver.click();
  await expect(dialog.getByLabel('Note to the customer')).toHaveValue('All is live. Thank you!');
  await expect(dialog.getByText('guide.txt')).toBeVisible();

  // The order is delivered, whatever is left of the plan, and is partly refunded.
  await dialog.getByRole('button', { name: 'Mark delivered' }).click();
  await expect(panel(firm, 'Delivered').getByText('All is live. Thank you!')).toBeVisible();
  await firm.getByText('More', { exact: true }).click();
  await firm.getByRole('listitem').getByRole('button', { name: 'Refund part or all' }).click();
  await firm.getByLabel('Amount in dollars').fill('100');
  await firm.getByRole('button', { name: 'Refund $100', exact: true }).click();
  await expect(panel(firm, 'Refunds').getByText('$100', { exact: true })).toBeVisible();
  await page.goto(linkTo('myOrder', order._id));
  await expect(page.getByRole('heading', { name: 'Refunds', exact: true })).toBeVisible();
  await expect(panel(page, 'Delivered').getByText('All is live. Thank you!')).toBeVisible();
  await expect(panel(page, 'Delivered').getByRole('link', { name: 'guide.txt' })).toBeVisible();
  await expect(page.getByText('Your order is paid and delivered.')).toBeVisible();
  await page.getByRole('button', { name: 'Thank you' }).click();
  await expect(page.getByRole('alert').getByText('Thank-you sent')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Delivered' })).toBeFocused();
});
