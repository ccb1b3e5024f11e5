/** A monthly package, from its order to its end. */
import { expect } from 'playwright/test';
import { contextOf, expectAccessible, listen, test } from '../support/browser.ts';
import { startMonthlySystem } from '../support/monthly.ts';
import { registerCustomer } from '../support/visitor.ts';
import { bankQuestion, cards, expectCharged, fillOrderForm, payWith } from './journey.ts';

test('A customer buys a monthly package, changes the card, pauses, resumes, cancels and takes that back', async ({
  browser,
}) => {
  const system = await startMonthlySystem();
  try {
    const customer = await registerCustomer(system.url);
    const page = await (await contextOf(browser, customer, { baseURL: system.url })).newPage();
    await listen(page);
    await page.goto('/pricing/');
    await page.getByRole('link', { name: 'Order Premium' }).first().click();
    await expect(page.getByText('$1,499 per month, until you cancel')).toBeVisible();
    await fillOrderForm(page);
    await page.getByRole('button', { name: 'Place Order' }).click();
    await page.getByRole('link', { name: 'Pay Now' }).click();
    const terms = page.getByText(
      /^You pay \$1,499 today\. The next payment of \$1,499 is charged to the same/,
    );
    await expect(terms).toContainText(
      /card on \d\d\/\d\d\/\d{4}, and then every month\. You can cancel at any time/,
    );
    await payWith(page, cards.challenged);
    await bankQuestion(page).getByRole('button', { name: 'Complete' }).click();
    await expectCharged(page);

    await page.getByRole('link', { name: 'Monthly care package, every month' }).click();
    await expect(
      page.getByText(/^The next payment of \$1,499 is due on .* Visa ending in 3184\.$/),
    ).toBeVisible();
    await expect(page.getByRole('link', { name: /^Receipt #/ })).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Change the card' }).click();
    await page.getByLabel('Card').selectOption('Mastercard ending in 4444, which pays');
    await page.getByRole('button', { name: 'Change the card' }).click();
    await page.waitForURL(`${system.url}/subscription/**`);
    await expect(async () => {
      await page.reload();
      await expect(page.getByText('Mastercard ending in 4444', { exact: true })).toBeVisible();
    }).toPass();

    await page.getByLabel('Skip payments').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByText(/^The subscription is paused\. Nothing is charged/)).toBeVisible();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(page.getByText(/^The next payment of \$1,499 is due on/)).toBeVisible();

    const cancel = page.getByRole('button', { name: 'Cancel the subscription' });
    await cancel.click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText(/The subscription ends on \d\d\/\d\d\/\d{4}/);
    await question.getByRole('button', { name: 'Cancel the subscription' }).click();
    await expect(page.getByText(/^The subscription ends on .* Nothing more is charged\.$/)).toBeVisible();
    await page.getByRole('button', { name: 'Keep the subscription' }).click();
    await expect(cancel).toBeVisible();
    await expect(page.getByText(/^The next payment of \$1,499 is due on/)).toBeVisible();
  } finally {
    await system.stop();
  }
});
