/** Rebranding the demo: the firm's name, color and pictures appear on every page, screen, email and receipt. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { RecordOf } from '#contract/sections/index.ts';
import { accentRules } from '#contract/colors.ts';
import { contentPages } from '#contract/screens.ts';
import { demoName } from '#dev/seed/demo-content.ts';
import { firstRecord, save } from '../support/content.ts';
import { openSystem } from '../support/in-process-system.ts';
import { readMailbox } from '../support/mailbox.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import { png, svg, uploadPicture } from '../support/pictures.ts';
import { sharedBuild } from '../support/system.ts';
import { fetchAlone, registerCustomer, signInAdministrator, Visitor } from '../support/visitor.ts';

const name = 'Ledger & Sons';
const nameInHtml = 'Ledger &amp; Sons';
const accentColor = '#1a4fd6';

const system = await openSystem();
const administrator = await signInAdministrator(system.url);
const customer = await registerCustomer(system.url, undefined, undefined, true);
afterAll(() => system.stop());

async function upload(bytes: Uint8Array<ArrayBuffer>, fileName: string): Promise<RecordOf<'media'>> {
  const answer = await uploadPicture(administrator, bytes, fileName);
  expect(answer.status, answer.text).toBe(201);
  return answer.json as RecordOf<'media'>;
}

const brandOf = (): Promise<{ readonly _id: string }> => firstRecord(administrator, '/brand');

/** Places an order, pays it, and waits until it is settled. */
async function buy() {
  const order = await placeOrder(customer);
  await confirmCard(customer, system.stripe.url, await clientSecretFor(customer, order));
  await customer.post(`/api/settle-payment/${order._id}`);
  await system.worker.tick();
  await system.worker.settle();
  return order;
}

test('After a rebrand, no page, screen, title, email or receipt contains the demo company’s name', async () => {
  const [logo, logoDark, icon, sharedPicture] = [
    await upload(png(960, 240), 'logo.png'),
    await upload(svg(), 'logo-dark.svg'),
    await upload(png(512, 512), 'icon.png'),
    await upload(png(1200, 630), 'shared.png'),
  ];
  await save(administrator, `/logo/${(await firstRecord(administrator, '/logo'))._id}`, { logo: logo.path });
  await save(administrator, `/brand/${(await brandOf())._id}`, {
    name,
    accentColor,
    logoDark: logoDark.path,
    icon: icon.path,
    sharedPicture: sharedPicture.path,
  });
  const order = await buy();

  const visitor = new Visitor(system.url);
  const pages = new Map<string, string>();
  for (const path of [
    ...contentPages.map(({ pattern }) => pattern),
    '/login',
    '/register',
    '/thanks',
    '/nowhere',
  ])
    pages.set(path, (await visitor.get(path)).text);
  for (const [path, reader] of [
    ['/admin', administrator],
    ['/edit-brand', administrator],
    ['/dashboard', customer],
    [`/order/${order._id}/receipt`, customer],
    [`/pay-now/${order._id}`, visitor],
    // For a customer: the page that denies access.
    ['/setting', customer],
  ] as const)
    pages.set(`${path} `, (await reader.get(path)).text);
  const styles = accentRules(accentColor);
  for (const [path, html] of pages) {
    expect(html.toLowerCase(), path).not.toContain(demoName.toLowerCase());
    expect(html, path).toContain(`<meta property="og:site_name" content="${nameInHtml}"`);
    expect(html.split(styles), path).toHaveLength(2);
    expect(html, path).toContain(`srcSet="${logoDark.path}"`);
    expect(html, path).toContain(icon.path.replace('.webp', '-48.png'));
    expect(html, path).not.toContain('demo-icon');
  }
  expect(pages.get('/')).toContain(`<title>${nameInHtml}: SEO packages for loan agencies</title>`);
  expect(pages.get('/')).toContain(`"name":"${name}"`);
  expect(pages.get('/privacy')).toContain(`<title>Privacy | ${nameInHtml}</title>`);
  expect(pages.get('/login')).toContain(`<title>Log in | ${nameInHtml}</title>`);
  expect(pages.get('/nowhere')).toContain(`<title>Page not found | ${nameInHtml}</title>`);
  expect(pages.get('/pricing/')).toContain(sharedPicture.path.replace('.webp', '.jpg'));

  const receipt = await customer.get(`/api/order/${order._id}/receipt`);
  expect(receipt.status, receipt.text).toBe(200);
  expect(receipt.json).toMatchObject({ seller: { legalName: `${name} Search LLC` } });
  expect(receipt.text.toLowerCase()).not.toContain(demoName.toLowerCase());

  const mails = await readMailbox(system.url);
  expect(mails.length).toBeGreaterThan(1);
  for (const mail of mails) {
    expect(JSON.stringify(mail).toLowerCase()).not.toContain(demoName.toLowerCase());
    expect(mail.from).toMatch(new RegExp(`^${name} <`));
    expect(mail.html).toContain(`alt="${nameInHtml}"`);
    expect(mail.html).toContain(accentColor);
  }
});

test('No script or style of the site contains the demo company’s name', async () => {
  const folder = join(sharedBuild, 'dist/_astro');
  const names = await readdir(folder);
  expect(names.length).toBeGreaterThan(0);
  for (const fileName of names)
    expect((await readFile(join(folder, fileName), 'latin1')).toLowerCase(), fileName).not.toContain(
      demoName.toLowerCase(),
    );
});

test('The policy of pages and screens allows the brand’s inline style and no other', async () => {
  for (const [path, reader] of [
    ['/', new Visitor(system.url)],
    ['/admin', administrator],
  ] as const) {
    const { text, headers } = await reader.get(path);
    const [, style = ''] = /<style data-brand[^>]*>(.*?)<\/style>/.exec(text) ?? [];
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
    const policy = headers.get('Content-Security-Policy') ?? '';
    expect(style, path).not.toBe('');
    expect(policy, path).toContain(`'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`);
    expect(policy, path).not.toContain('unsafe');
  }
});

test('The site icon is served as a PNG in the sizes of tabs and home screens, and in no others', async () => {
  const { path } = await upload(png(400, 400), 'square.png');
  for (const size of [48, 180]) {
    const answer = await fetchAlone(new URL(path.replace('.webp', `-${String(size)}.png`), system.url));
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/png']);
    const view = new DataView(await answer.arrayBuffer());
    expect([view.getUint32(16), view.getUint32(20)]).toEqual([size, size]);
  }
  const other = await fetchAlone(new URL(path.replace('.webp', '-64.png'), system.url));
  expect(other.status).toBe(404);
});

test('A brand that would be hard to read is refused with advice', async () => {
  const { _id } = await brandOf();
  const [wide, small, drawing] = [
    await upload(png(400, 300), 'wide.png'),
    await upload(png(100, 100), 'small.png'),
    await upload(svg(), 'drawing.svg'),
  ];
  for (const [values, sentence] of [
    [{ accentColor: '#ffcc00' }, /The nearest color that works is #8c6f02\./],
    [{ accentColor: 'blue' }, /six-digit color/],
    [{ name: '' }, /Name is required/],
    [{ icon: wide.path }, /400 × 300 pixels\. An icon must be square/],
    [{ icon: small.path }, /at least 180 pixels/],
    [{ icon: drawing.path }, /Use a square PNG, JPEG or WebP/],
    [{ sharedPicture: drawing.path }, /Use a PNG, JPEG or WebP/],
  ] as const) {
    const answer = await administrator.put(`/api/brand/${_id}`, values);
    expect(answer.status, JSON.stringify(values)).toBe(422);
    const { errors } = answer.json as { errors: Record<string, string> };
    expect(errors[Object.keys(values)[0] ?? '']).toMatch(sentence);
  }
});
