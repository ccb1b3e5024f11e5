import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { chromiumArgs, ensureChromium } from '#dev/chromium.ts';
import { publishableKey, startTestEmulator } from '../testing.ts';

let browser: Browser;
let pageScript: string;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumArgs });
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('./test-page.tsx', import.meta.url))],
    bundle: true,
    // React's strict mode, which mounts everything twice, needs its development build.
    define: { 'process.env.NODE_ENV': '"development"' },
    jsx: 'automatic',
    write: false,
  });
  pageScript = outputFiles[0]?.text ?? '';
});
afterAll(() => browser.close());

/** A page of a shop whose policy allows the script's origin and no inline style; any complaint fails the test. */
async function openShop() {
  const { emulator, stripe } = await startTestEmulator();
  const intent = await stripe.paymentIntents.create({ amount: 49_900, currency: 'usd' });
  const shop = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, {
      'Content-Type': isScript ? 'text/javascript' : 'text/html',
      'Content-Security-Policy': `default-src 'none'; script-src 'self' ${emulator.url}; frame-src ${emulator.url}; connect-src ${emulator.url}`,
    });
    const html = `<!doctype html><html lang="en"><title>Shop</title><main></main><script src="${emulator.scriptUrl}"></script><script src="/page.js"></script>`;
    response.end(isScript ? pageScript : html);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port } = z.object({ port: z.number() }).parse(shop.address());
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refused or lost call is an error of the network panel alone.
    const isAnswer = message.text().startsWith('Failed to load resource:');
    if (['error', 'warning'].includes(message.type()) && !isAnswer) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  onTestFinished(async () => {
    await page.close();
    shop.closeAllConnections();
    shop.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(`http://localhost:${port}/?key=${publishableKey}&secret=${intent.client_secret ?? ''}`);
  return { page, stripe, emulator, intent };
}

const cardFrame = (page: Page) => page.frameLocator('iframe[title="Secure card payment input frame"]');

async function fillCard(page: Page, number: string, cvc = '123') {
  const frame = cardFrame(page);
  await frame.getByPlaceholder('Card number').fill(number);
  await frame.getByPlaceholder('MM / YY').fill('12 / 34');
  await frame.getByPlaceholder('CVC').fill(cvc);
}

const submit = (page: Page) => page.getByRole('button', { name: 'Pay' }).click();
const resultOf = (page: Page) => page.locator('output');
const challengeFrame = (page: Page) =>
  page.frameLocator('body > div > iframe[name^="__privateStripeFrame"]').frameLocator('#challengeFrame');

async function expectResult(page: Page, text: string) {
  await expect.poll(() => resultOf(page).textContent()).toBe(text);
}

test('A customer types a card without leaving the keyboard, and submits with Enter', async () => {
  const { page } = await openShop();
  await cardFrame(page).getByPlaceholder('Card number').click();
  await page.keyboard.type('42424242424242421234123');
  expect(await cardFrame(page).getByPlaceholder('Card number').inputValue()).toBe('4242 4242 4242 4242');
  expect(await cardFrame(page).getByPlaceholder('MM / YY').inputValue()).toBe('12 / 34');
  await page.keyboard.press('Enter');
  await expectResult(page, 'succeeded');
});

test('A customer who fails the challenge reads that the payment failed', async () => {
  const { page, stripe, intent } = await openShop();
  await fillCard(page, '4000002500003155');
  await submit(page);
  await challengeFrame(page).locator('#test-source-fail-3ds').click();
  await expectResult(
    page,
    'payment_intent_authentication_failure: We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  );
  expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe('requires_payment_method');
});

test('A customer reads that a card is incomplete before anything is sent', async () => {
  const { page, stripe } = await openShop();
  const number = cardFrame(page).getByPlaceholder('Card number');
  const alert = page.getByRole('alert');
  await number.fill('4242 4242 4242 4241');
  await expect.poll(() => alert.textContent()).toBe('Your card number is invalid.');
  await number.fill('4242');
  await number.blur();
  await expect.poll(() => alert.textContent()).toBe('Your card number is incomplete.');
  await number.fill('4242424242424242');
  await cardFrame(page).getByPlaceholder('MM / YY').fill('01 / 20');
  await expect.poll(() => alert.textContent()).toBe("Your card's expiration year is in the past.");
  await cardFrame(page).getByPlaceholder('MM / YY').fill('12 / 34');
  await submit(page);
  await expectResult(page, "incomplete_cvc: Your card's security code is incomplete.");
  expect((await stripe.charges.list()).data).toHaveLength(0);
});

test('A customer whose connection is lost reads the message that Stripe shows', async () => {
  const { page, emulator } = await openShop();
  await fillCard(page, '4242424242424242');
  // More than once, because a browser asks again when a connection that it kept open is cut.
  emulator.controls.planFault({ kind: 'disconnect-after', count: 10, path: '/v1/payment_methods' });
  await submit(page);
  await expectResult(
    page,
    ': We are experiencing issues connecting to our payments provider. Please check your internet connection and try again.',
  );
  emulator.controls.clearFaults();
  await submit(page);
  await expectResult(page, 'succeeded');
});
