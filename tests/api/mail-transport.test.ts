/** What becomes of a mail that a service does not take: Cloudflare Email Service, and Resend in its place. */
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { newId } from '#contract/ids.ts';
import { settingsErrors, type Env } from '#worker/env.ts';
import { runMs } from '#worker/http/clock.ts';
import { writeBatch } from '#worker/db/client.ts';
import { draftMessage, receiveMessage } from '#worker/inbox/messages.ts';
import { writeMail } from '#worker/mail/layout.ts';
import { deliverMail, maxTries, queueMail, retryDelayMs, sendAgain } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { markSeen, readAttention } from '#worker/payments/attention.ts';
import { startResend, type ResendServer } from '../support/resend.ts';
import { newEmail, signInAdministrator, signUp, Visitor } from '../support/visitor.ts';
import { openShop, type Shop } from './orders-shop.ts';

const apiKey = 're_of_the_tests';
const hour = 3_600_000;
const dayMs = 24 * hour;

let shop: Shop;
let service: ResendServer;
let byResend: Env;
beforeAll(async () => {
  shop = await openShop();
  service = await startResend(apiKey, 'site.test');
  byResend = {
    ...shop.env,
    MAIL_TRANSPORT: 'resend',
    RESEND_API_KEY: apiKey,
    RESEND_API_URL: service.url,
    MAIL_FROM: 'The Agency <site@site.test>',
  };
});
beforeEach(async () => {
  await shop.db.delete(mails);
  shop.sent.length = 0;
  service.sent.length = 0;
  service.requests.count = 0;
});
afterAll(async () => {
  await service.close();
  await shop.close();
});

const silent = () => undefined;
const content = writeMail({ subject: 'Hello', paragraphs: ['Good news.'] });
const queue = (to = 'ann@customers.example') =>
  writeBatch(shop.db, [queueMail(shop.db, shop.env, { to, kind: 'test', ...content })]);
const letTimePass = () => shop.db.update(mails).set({ dueAt: Date.now() - 1 });
const isWaiting = async () => (await shop.db.select().from(mails)).map(({ dueAt }) => dueAt !== null);

/** The binding as it refuses: an error with a code. */
function refusing(code: string): Env & { readonly tries: { count: number } } {
  const tries = { count: 0 };
  const send = () => {
    tries.count += 1;
    return Promise.reject(Object.assign(new Error('ann@customers.example: no'), { code }));
  };
  return { ...shop.env, EMAIL: { send }, tries };
}

test('A mail is tried for three days before it waits for a person', () => {
  const waits = Array.from({ length: maxTries - 1 }, (_, index) => retryDelayMs(index + 1));
  const all = waits.reduce((sum, wait) => sum + wait, 0);
  expect(all).toBeGreaterThanOrEqual(3 * dayMs);
  expect(all).toBeLessThan(3 * dayMs + 2 * hour);
});

test('Beside an answer no mail is begun that Cloudflare would cut off; the cron sends what is left', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (let count = 0; count < 8; count += 1) await queue();
  // The slowest mail takes twenty seconds, and what is begun beside an answer has thirty.
  const mailMs = 5_000;
  const slow: Env['EMAIL'] = {
    send: (mail) => {
      vi.setSystemTime(Date.now() + mailMs);
      return shop.env.EMAIL.send(mail);
    },
  };
  const begunAt = Date.now();
  await deliverMail({ ...shop.env, EMAIL: slow }, silent, shop.db);
  expect(shop.sent).toHaveLength(2);
  expect(Date.now() - mailMs - begunAt).toBeLessThanOrEqual(10_000);
  await deliverMail({ ...shop.env, EMAIL: slow }, silent, shop.db, runMs);
  expect(shop.sent).toHaveLength(8);
});

describe('Cloudflare Email Service', () => {
  test.each([
    ...['E_VALIDATION_ERROR', 'E_FIELD_MISSING', 'E_TOO_MANY_RECIPIENTS', 'E_RECIPIENT_NOT_ALLOWED'],
    ...['E_RECIPIENT_SUPPRESSED', 'E_CONTENT_TOO_LARGE', 'E_HEADER_NOT_ALLOWED', 'E_HEADER_USE_API_FIELD'],
    ...['E_HEADER_VALUE_INVALID', 'E_HEADER_VALUE_TOO_LONG', 'E_HEADER_NAME_INVALID', 'E_HEADERS_TOO_LARGE'],
    'E_HEADERS_TOO_MANY',
  ])('A mail refused for good (%s) is tried once, and a person sees it at once', async (code) => {
    await queue();
    const env = refusing(code);
    await deliverMail(env, silent, shop.db);
    expect(await isWaiting()).toEqual([false]);
    const [item] = (await readAttention(shop.db, shop.env)).rows;
    expect(item?.text).toMatch(/could not be sent after 1 try\. .+ Send it again once the cause is gone\.$/);
    await deliverMail(env, silent, shop.db);
    expect(env.tries.count).toBe(1);
  });

  test.each(['E_RATE_LIMIT_EXCEEDED', 'E_DAILY_LIMIT_EXCEEDED'])(
    'Over quota (%s) one mail asks for all, and each goes out when the quota is renewed',
    async (code) => {
      for (let count = 0; count < 3; count += 1) await queue();
      const env = refusing(code);
      await deliverMail(env, silent, shop.db);
      expect(env.tries.count).toBe(1);
      for (let run = 0; run < 30; run += 1) {
        await letTimePass();
        await deliverMail(env, silent, shop.db);
      }
      expect(await isWaiting()).toEqual([true, true, true]);
      await letTimePass();
      await deliverMail(shop.env, silent, shop.db);
      expect(shop.sent).toHaveLength(3);
    },
  );

  test.each(['E_DELIVERY_FAILED', 'E_INTERNAL_SERVER_ERROR', 'E_SENDER_NOT_VERIFIED', 'E_SOMETHING_NEW'])(
    'A mail that may go through later (%s) is tried again and holds up no other',
    async (code) => {
      await queue();
      await queue();
      const env = refusing(code);
      await deliverMail(env, silent, shop.db);
      expect(env.tries.count).toBe(2);
      expect(await isWaiting()).toEqual([true, true]);
      const [mail] = await shop.db.select().from(mails);
      expect(mail?.failure).toBe(code);
    },
  );

  test('What the service says is kept without the address that it names', async () => {
    await queue();
    const lines: unknown[] = [];
    await deliverMail(refusing('E_RECIPIENT_SUPPRESSED'), (...line) => void lines.push(line), shop.db);
    expect(JSON.stringify(lines)).toContain('E_RECIPIENT_SUPPRESSED');
    expect(JSON.stringify(lines)).not.toContain('ann@');
  });

  test('A customer whose address takes no mail is shown to the administrator at once', async () => {
    const url = inject('systemUrl');
    const bouncing = `${newEmail('bouncing').split('@')[0] ?? ''}@bounce.invalid`;
    await signUp(url, bouncing);
    const administrator = await signInAdministrator(url);
    await expect
      .poll(async () => (await administrator.get('/api/needs-attention')).text)
      .toContain(`to ${bouncing} could not be sent after 1 try. The address has bounced our emails`);
  });

  test('A mail that was given up is put away by a person, and one that is still tried is not', async () => {
    await queue('gone@customers.example');
    await deliverMail(refusing('E_RECIPIENT_SUPPRESSED'), silent, shop.db);
    await queue();
    await deliverMail(refusing('E_DELIVERY_FAILED'), silent, shop.db);
    await shop.db.update(mails).set({ tries: 3 });
    const listed = async () => (await readAttention(shop.db, shop.env)).rows;
    const [gone, tried] = await listed();
    expect([gone?.isGivenUp, tried?.isGivenUp]).toEqual([true, undefined]);
    const putAway = (id = '') => markSeen(shop.db, id, newId());
    await expect(putAway(tried?._id)).rejects.toMatchObject({ status: 404 });
    await putAway(gone?._id);
    expect(await listed()).toMatchObject([{ _id: tried?._id }]);
    await expect(putAway(gone?._id)).rejects.toMatchObject({ status: 404 });
    expect(await sendAgain(shop.db, gone?._id ?? '')).toBe(false);
  });
});

describe('Who a mail is from, and where an answer goes', () => {
  const message = { name: 'Ben', number: '1', subject: 'Hi', message: 'A word' };
  const receive = (email: string) => receiveMessage(shop.db, shop.env, draftMessage({ ...message, email }));

  test('A mail comes from the firm by its name, where it has one', async () => {
    await queue();
    await deliverMail({ ...shop.env, MAIL_FROM: 'Ann & Co. <site@site.test>' }, silent, shop.db);
    await queue();
    await deliverMail(shop.env, silent, shop.db);
    expect(shop.sent.map(({ from }) => from)).toEqual([
      { name: 'Ann & Co.', email: 'site@site.test' },
      'site@site.test',
    ]);
  });

  test.each([
    'Ann',
    'Ann <ann@site.test',
    '"Ann" <a@site.test>',
    'A\r\nBcc: x <a@site.test>',
    'a@b.test, c@d.test',
  ])('The site does not start with a sender that is no address: %j', (MAIL_FROM) => {
    expect(settingsErrors({ ...shop.env, MAIL_FROM })).toEqual([expect.stringMatching(/^MAIL_FROM must be/)]);
  });

  test('The firm answers a message to the person who wrote it', async () => {
    await receive('ben@people.example');
    await deliverMail(shop.env, silent, shop.db);
    expect(shop.sent).toMatchObject([{ to: shop.env.NOTIFY_EMAIL, replyTo: 'ben@people.example' }]);
  });

  test('A message from an address that no mail service takes for an answer is told all the same', async () => {
    await receive('ben@bücher.example');
    await deliverMail(shop.env, silent, shop.db);
    expect(shop.sent).toHaveLength(1);
    expect(shop.sent[0]).not.toHaveProperty('replyTo');
    expect(shop.sent[0]?.text).toContain('ben@bücher.example');
  });

  test('No mail to a customer has an answer go to an address that somebody typed', async () => {
    await shop.newOrder();
    await deliverMail(shop.env, silent, shop.db);
    expect(shop.sent.length).toBeGreaterThan(0);
    for (const mail of shop.sent) expect(mail).not.toHaveProperty('replyTo');
  });

  test('Who it is from and where an answer goes are shown in the local mailbox', async () => {
    const url = inject('systemUrl');
    const email = newEmail('writer');
    const sent = await new Visitor(url).send('POST', '/api/add-message', { ...message, email });
    expect(sent.status).toBe(201);
    const mailbox = z.array(z.object({ replyTo: z.string().optional() }));
    await expect
      .poll(async () => {
        const answer = await fetch(`${url}/dev/mailbox`, { headers: { Accept: 'application/json' } });
        return mailbox.parse(await answer.json()).filter(({ replyTo }) => replyTo === email);
      })
      .toHaveLength(1);
  });
});

describe('Resend', () => {
  test('A mail goes out by Resend when the settings say so, and nothing by Cloudflare', async () => {
    await receiveMessage(
      shop.db,
      shop.env,
      draftMessage({
        name: 'Ben',
        email: 'ben@people.example',
        number: '1',
        subject: 'Hi',
        message: 'A word',
      }),
    );
    await deliverMail(byResend, silent, shop.db);
    expect(service.sent).toMatchObject([
      {
        from: 'The Agency <site@site.test>',
        to: [shop.env.NOTIFY_EMAIL],
        reply_to: 'ben@people.example',
        subject: 'New message: Hi',
      },
    ]);
    expect(service.sent[0]?.text).toContain('A word');
    expect(service.sent[0]?.html).toContain('A word');
    expect(shop.sent).toEqual([]);
    expect(await shop.db.select().from(mails)).toEqual([]);
  });

  test('A mail whose answer was lost is sent once', async () => {
    await queue();
    service.faults.push('cut');
    await deliverMail(byResend, silent, shop.db);
    expect(await isWaiting()).toEqual([true]);
    await letTimePass();
    await deliverMail(byResend, silent, shop.db);
    expect(service.requests.count).toBe(2);
    expect(service.sent).toHaveLength(1);
    expect(await isWaiting()).toEqual([]);
  });

  test('A mail goes out although the firm has changed its name since a try whose answer was lost', async () => {
    await queue();
    service.faults.push('cut');
    await deliverMail(byResend, silent, shop.db);
    await letTimePass();
    await deliverMail({ ...byResend, MAIL_FROM: 'The Other Agency <site@site.test>' }, silent, shop.db);
    expect(await isWaiting()).toEqual([]);
    expect(service.sent.map(({ from }) => from)).toEqual([
      'The Agency <site@site.test>',
      'The Other Agency <site@site.test>',
    ]);
  });

  test.each([
    [400, 'validation_error'],
    [422, 'missing_required_field'],
    [422, 'invalid_parameter'],
    [451, 'security_error'],
  ] as const)('A mail refused for good (%i %s) is tried once', async (status, name) => {
    await queue();
    service.faults.push([status, name]);
    await deliverMail(byResend, silent, shop.db);
    expect(await isWaiting()).toEqual([false]);
    expect((await readAttention(shop.db, shop.env)).rows[0]?.text).toContain(`${status} ${name}`);
  });

  test.each(['daily_quota_exceeded', 'monthly_quota_exceeded', 'rate_limit_exceeded'])(
    'Over quota (%s) one mail asks for all',
    async (name) => {
      await queue();
      await queue();
      service.faults.push([429, name]);
      await deliverMail(byResend, silent, shop.db);
      expect(service.requests.count).toBe(1);
      expect(await isWaiting()).toEqual([true, true]);
    },
  );

  test.each([
    [403, 'validation_error'],
    [409, 'concurrent_idempotent_requests'],
    [422, 'invalid_from_address'],
    [500, 'internal_server_error'],
  ] as const)('A mail that may go through later (%i %s) is tried again', async (status, name) => {
    await queue();
    service.faults.push([status, name]);
    await deliverMail(byResend, silent, shop.db);
    expect(await isWaiting()).toEqual([true]);
    await letTimePass();
    await deliverMail(byResend, silent, shop.db);
    expect(service.sent).toHaveLength(1);
  });

  test('A wrong key and a domain that is not verified lose no mail', async () => {
    await queue();
    await deliverMail({ ...byResend, RESEND_API_KEY: 're_other' }, silent, shop.db);
    await letTimePass();
    await deliverMail({ ...byResend, MAIL_FROM: 'site@elsewhere.test' }, silent, shop.db);
    expect(service.sent).toEqual([]);
    expect(await isWaiting()).toEqual([true]);
  });

  test('The site does not start with Resend and no key for it', () => {
    expect(settingsErrors({ ...byResend })).toEqual([]);
    expect(settingsErrors({ ...byResend, RESEND_API_KEY: '' })).toEqual([
      'MAIL_TRANSPORT is resend, which needs RESEND_API_KEY.',
    ]);
  });
});
