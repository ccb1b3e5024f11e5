/**
 * The contact form with Cloudflare's Turnstile: with a script, with a late script and without one. Stand-ins replace
 * Cloudflare.
 */
import { expect, type Page } from 'playwright/test';
import { expectHeard, listen, test, untilFormIsAlive } from '../support/browser.ts';
import { startSiteverify, type Siteverify } from '../support/siteverify.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';

/** Stands in for Cloudflare's script: renders a widget and puts a token into the form. */
const widgetScript = `
  const widgets = new Map();
  const pass = (id) => {
    const { input, options } = widgets.get(id);
    input.value = 'token-' + crypto.randomUUID();
    options.callback?.(input.value);
  };
  window.turnstile = {
    render(place, options) {
      const id = 'widget-' + widgets.size;
      const input = document.createElement('input');
      input.type = 'hidden';
      input.name = 'cf-turnstile-response';
      place.dataset.rendered = options.sitekey;
      place.append(input);
      widgets.set(id, { input, options });
      setTimeout(pass, 50, id);
      return id;
    },
    reset(id) {
      widgets.get(id).input.value = '';
      setTimeout(pass, 50, id);
    },
  };
  if (!document.currentScript.src.includes('render=explicit'))
    addEventListener('load', () => {
      for (const place of document.querySelectorAll('.cf-turnstile'))
        window.turnstile.render(place, place.dataset);
    });
`;
const cloudflare = 'https://challenges.cloudflare.com/**';
const answerAsCloudflare = (page: Page) =>
  page.route(cloudflare, (route) => route.fulfill({ contentType: 'text/javascript', body: widgetScript }));

/** Whether Cloudflare considers a visitor a person. */
let isPerson = true;
let siteverify: Siteverify;
let system: TestSystem;
test.beforeAll(async () => {
  siteverify = await startSiteverify('widget-secret', () => isPerson);
  system = await startTestSystem({
    vars: {
      TURNSTILE_SITE_KEY: 'widget-key',
      TURNSTILE_SECRET_KEY: 'widget-secret',
      TURNSTILE_VERIFY_URL: siteverify.url,
      LIMIT_INBOX_ADDRESS: '5',
    },
  });
});
test.afterAll(async () => {
  await system.stop();
  await siteverify.close();
});

const message = {
  Name: 'Ann "Annie" Lee',
  Email: 'ann@lender.example',
  'Phone number': '+1 312 555 0100',
  Subject: 'Packages <b>',
  Message: 'Which package\nsuits "two" offices & more?</textarea>',
};
const form = (page: Page) => page.locator('form[action="/api/add-message"]');
const send = (page: Page) => form(page).getByRole('button', { name: 'Send message' }).click();
async function write(page: Page) {
  for (const [label, value] of Object.entries(message)) await form(page).getByLabel(label).fill(value);
}
async function expectTyped(page: Page) {
  for (const [label, value] of Object.entries(message))
    await expect(form(page).getByLabel(label)).toHaveValue(value);
}

test('The check loads when the form is used, lets a person send, and is repeated after a refusal', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: system.url });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (line) => {
    if (/Content.Security.Policy/i.test(line.text())) complaints.push(line.text());
  });
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith('https://challenges.')) loaded.push(request.url());
  });
  await page.route(cloudflare, (route) => route.abort());
  await listen(page);
  await page.goto('/contact', { waitUntil: 'networkidle' });
  expect(loaded).toEqual([]);
  await write(page);
  await untilFormIsAlive(page);
  await send(page);
  const alert = form(page).getByRole('alert').filter({ hasText: 'Your message was not sent' });
  await expect(alert).toContainText('allow challenges.cloudflare.com if you block scripts');
  expect(loaded.length).toBeGreaterThan(0);
  expect(siteverify.asked).toEqual([]);

  await page.unroute(cloudflare);
  await answerAsCloudflare(page);
  isPerson = false;
  await send(page);
  await expect(alert).toContainText('We could not verify that you are human.');
  await expectTyped(page);
  isPerson = true;
  await send(page);
  await expectHeard(page, /Message is Send/);
  await page.waitForURL('**/thanks');
  const tokens = siteverify.asked.map(({ response }) => response);
  expect(new Set(tokens).size).toBe(2);
  expect(complaints).toEqual([]);
});
