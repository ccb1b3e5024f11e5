/** Pictures of the mails that an order, an account and a message bring about, as the local mailbox has them. */
import { join } from 'node:path';
import type { Browser } from 'playwright';
import * as z from 'zod';
import { registerVerified } from '../support/cast.ts';
import { untilMs } from '../support/limits.ts';
import { clientSecretFor, confirmCard, placeOrder } from '../support/orders.ts';
import type { TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const mails = z.array(z.object({ to: z.string(), subject: z.string(), html: z.string() }));
const work = z.object({ steps: z.array(z.object({ _id: z.string(), title: z.string() })) });

/** The subject of the mail that is brought about last. */
const lastSubject = 'Your order is delivered';

/** An order from its placing to its delivery, one that is cancelled, a message and a reset. */
async function bringAbout({ url, stripe }: TestSystem): Promise<void> {
  const customer = await registerVerified(url, 'maria');
  const administrator = await signInAdministrator(url);
  const order = await placeOrder(customer, 'Standard', 'Maria Lopez');
  const path = `/api/order/${order._id}`;
  await confirmCard(customer, stripe?.url ?? '', await clientSecretFor(customer, order));
  await customer.put(path, { paymentStatus: 'Paid' });
  const { steps } = work.parse((await customer.get(`${path}/work`)).json);
  for (const { _id } of steps.slice(0, 3))
    await administrator.put(`/api/order-step/${_id}`, {
      state: 'done',
      note: 'Fourteen findings, worst first.',
    });
  await administrator.post(`${path}/messages`, { text: 'Which of your two phone lines should we count?' });
  const cancelled = await placeOrder(customer, 'Basic', 'Maria Lopez');
  await customer.put(`/api/order-cancelled/${cancelled._id}`, { paymentStatus: 'Cancelled' });
  const visitor = new Visitor(url);
  await visitor.post('/api/auth/reset', { email: customer.email });
  await visitor.post('/api/add-message', {
    name: 'Maria Lopez',
    email: customer.email,
    number: '(312) 555-0199',
    subject: 'A package for two offices',
    message: 'We lend in Joliet and Aurora. Which package fits us?',
  });
  await administrator.put(`/api/order-status/${order._id}`, { orderStatus: 'Delivered' });
}

async function readMails(url: string): Promise<z.output<typeof mails>> {
  const answer = await fetch(`${url}/dev/mailbox`, { headers: { Accept: 'application/json' } });
  return mails.parse(await answer.json());
}

/** What a mail is called: its subject without what differs from one to the next. */
const nameOf = (subject: string) =>
  `mail-${subject
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '')}`;

/** @param widths of the windows; mails have one scheme, and are pictured in both */
export async function pictureMails(
  browser: Browser,
  system: TestSystem,
  {
    folder,
    widths,
    schemes,
  }: { folder: string; widths: readonly number[]; schemes: readonly ('light' | 'dark')[] },
): Promise<void> {
  await bringAbout(system);
  const deadline = Date.now() + untilMs;
  let sent = await readMails(system.url);
  while (!sent.some(({ subject }) => subject.startsWith(lastSubject)) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    sent = await readMails(system.url);
  }
  const page = await browser.newPage();
  for (const [name, { html }] of new Map(sent.map((mail) => [nameOf(mail.subject), mail])))
    for (const width of widths)
      for (const colorScheme of schemes) {
        await page.setViewportSize({ width, height: 600 });
        await page.emulateMedia({ colorScheme });
        await page.setContent(html);
        await page.screenshot({
          path: join(folder, `${name}.${String(width)}.${colorScheme}.png`),
          fullPage: true,
        });
      }
  await page.close();
}
