/** What happens to an email that a service refuses: Cloudflare Email Service, or Resend in its place. */
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Env } from '#worker/env.ts';
import { jobLimitMs } from '#worker/http/clock.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { writeBatch } from '#worker/db/client.ts';
import { toMessageRecord, receiveMessage } from '#worker/inbox/messages.ts';
import { deliverMail, queueMail, retryMail } from '#worker/mail/outbox.ts';
import { mails } from '#worker/mail/schema.ts';
import { markSeen, readAttention } from '#worker/attention/attention.ts';
import { startResend } from '../support/resend.ts';
import { openShop } from './orders-shop.ts';

const apiKey = 're_of_the_tests';

const shop = await openShop();
const service = await startResend(apiKey, 'site.test');
const byResend = {
  ...shop.env,
  MAIL_TRANSPORT: 'resend',
  RESEND_API_KEY: apiKey,
  RESEND_API_URL: service.url,
  MAIL_FROM: 'site@site.test',
};
beforeEach(async () => {
  await shop.db.delete(contentTables.brand);
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
const content = { subject: 'Hello', paragraphs: ['Good news.'] };
const queue = (to = 'ann@customers.example') =>
  writeBatch(shop.db, [queueMail(shop.db, shop.env, { to, kind: 'test', content })]);
const deliver = (env: Env, log: Parameters<typeof deliverMail>[1] = silent) => deliverMail(env, log, shop.db);
/** Gives the firm another name. */
async function nameFirm(name: string) {
  await shop.db.delete(contentTables.brand);
  await shop.db.insert(contentTables.brand).values({ _id: newId(), name });
}
const letTimePass = () => shop.db.update(mails).set({ dueAt: Date.now() - 1 });
const areWaiting = async () => (await shop.db.select().from(mails)).map(({ dueAt }) => dueAt !== null);
const attention = async () => (await readAttention(shop.db, shop.env)).rows;

interface Faulty {
  /** Settings with which every email is refused. */
  readonly env: Env;
  readonly tries: () => number;
}

/** Cloudflare's binding, which refuses with an error code. */
function refusing(code: string): Faulty {
  const send = vi.fn(() => Promise.reject(Object.assign(new Error('ann@customers.example: no'), { code })));
  return { env: { ...shop.env, EMAIL: { send } }, tries: () => send.mock.calls.length };
}

/** A Resend that refuses the next emails. */
function answering(status: number, name: string): Faulty {
  const fault = [status, name] as const;
  service.faults.push(fault, fault, fault);
  onTestFinished(() => void service.faults.splice(0));
  return { env: byResend, tries: () => service.requests.count };
}

test('A domain in another script is sent as ASCII, to both services', async () => {
  await queue('jo@bücher.example');
  await deliver(shop.env);
  expect(shop.sent.at(-1)).toMatchObject({ to: 'jo@xn--bcher-kva.example' });
  await queue('jo@bücher.example');
  await deliver(byResend);
  expect(service.sent.at(-1)).toMatchObject({ to: ['jo@xn--bcher-kva.example'] });
});

test('Background work starts sending no email that Cloudflare would cut off; the cron sends the rest', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  for (let count = 0; count < 8; count += 1) await queue();
  // The slowest email takes twenty seconds, and background work has thirty.
  const mailMs = 5_000;
  const slow: Env['EMAIL'] = {
    send: (mail) => {
      vi.setSystemTime(Date.now() + mailMs);
      return shop.env.EMAIL.send(mail);
    },
  };
  const begunAt = Date.now();
  await deliver({ ...shop.env, EMAIL: slow });
  expect(shop.sent).toHaveLength(2);
  expect(Date.now() - mailMs - begunAt).toBeLessThanOrEqual(10_000);
  await deliverMail({ ...shop.env, EMAIL: slow }, silent, shop.db, jobLimitMs);
  expect(shop.sent).toHaveLength(8);
});

test.each([
  ['E_RECIPIENT_SUPPRESSED', () => refusing('E_RECIPIENT_SUPPRESSED'), 'The address has bounced our emails'],
  ['422 of Resend', () => answering(422, 'missing_required_field'), '422 missing_required_field'],
] as const)(
  'An email that is permanently refused (%s) is tried once, and needs attention immediately',
  async (_, fail, words) => {
    await queue();
    const { env, tries } = fail();
    for (let run = 0; run < 2; run += 1) await deliver(env);
    expect([await areWaiting(), tries()]).toEqual([[false], 1]);
    const [item] = await attention();
    expect(item?.text).toMatch(
      /could not be sent after 1 attempt\. .+ Send it again when the cause is fixed\.$/,
    );
    expect(item?.text).toContain(words);
  },
);

test.each([
  ['E_RATE_LIMIT_EXCEEDED', () => refusing('E_RATE_LIMIT_EXCEEDED')],
  ['429 of Resend', () => answering(429, 'daily_quota_exceeded')],
] as const)(
  'While the quota is used up (%s), one email is tried for all, and all are sent when it is renewed',
  async (_, fail) => {
    await queue();
    await queue();
    const { env, tries } = fail();
    await deliver(env);
    expect([tries(), await areWaiting()]).toEqual([1, [true, true]]);
    await letTimePass();
    await deliver(shop.env);
    expect(shop.sent).toHaveLength(2);
  },
);

test.each([
  ['a code that is new', () => refusing('E_SOMETHING_NEW')],
  ['403 of Resend', () => answering(403, 'validation_error')],
  ['500 of Resend', () => answering(500, 'internal_server_error')],
] as const)('An email that may succeed later (%s) is retried and delays no other', async (_, fail) => {
  await queue();
  await queue();
  const { env, tries } = fail();
  await deliver(env);
  expect([tries(), await areWaiting()]).toEqual([2, [true, true]]);
});

test('The service’s error is stored without the address that it names', async () => {
  await queue();
  const lines: unknown[] = [];
  await deliver(refusing('E_RECIPIENT_SUPPRESSED').env, (...line) => void lines.push(line));
  expect(JSON.stringify(lines)).toContain('E_RECIPIENT_SUPPRESSED');
  expect(JSON.stringify(lines)).not.toContain('ann@');
});

test('A person can dismiss an email that the site has given up on, but not one that it still retries', async () => {
  await queue('gone@customers.example');
  await deliver(refusing('E_RECIPIENT_SUPPRESSED').env);
  await queue();
  await deliver(refusing('E_DELIVERY_FAILED').env);
  await shop.db.update(mails).set({ tries: 3 });
  const [gone, tried] = await attention();
  expect([gone?.isGivenUp, tried?.isGivenUp]).toEqual([true, undefined]);
  const dismiss = (id = '') => markSeen(shop.db, id, newId());
  await expect(dismiss(tried?._id)).rejects.toMatchObject({ status: 404 });
  await dismiss(gone?._id);
  expect(await attention()).toMatchObject([{ _id: tried?._id }]);
  await expect(dismiss(gone?._id)).rejects.toMatchObject({ status: 404 });
  expect(await retryMail(shop.db, gone?._id ?? '')).toBe(false);
});

describe('The sender of an email, and the address for replies', () => {
  const message = { name: 'Ben', number: '1', subject: 'Hi', message: 'A word' };
  const receive = (email: string) =>
    receiveMessage(shop.db, shop.env, toMessageRecord({ ...message, email }));

  test('An email’s sender is the brand’s name, or the site’s domain if there is no brand name', async () => {
    for (const name of ['Ann & Co.', 'Ann\nBcc: x@site.test', '']) {
      await nameFirm(name);
      await queue();
      await deliver({ ...shop.env, MAIL_FROM: 'Another Name <site@site.test>' });
    }
    expect(shop.sent.map(({ from }) => from)).toEqual(
      ['Ann & Co.', 'Ann Bcc: x@site.test', 'site.test'].map((name) => ({ name, email: 'site@site.test' })),
    );
  });

  test('The firm replies to the person who wrote a message, if mail services accept the address', async () => {
    await receive('ben@people.example');
    await receive('ben@bücher.example');
    await deliver(shop.env);
    const answers = shop.sent.map(({ to, replyTo }) => ({ to, replyTo }));
    for (const replyTo of ['ben@people.example', 'ben@xn--bcher-kva.example'])
      expect(answers).toContainEqual({ to: shop.env.NOTIFY_EMAIL, replyTo });
    expect(shop.sent.map(({ text }) => text).join('')).toContain('ben@bücher.example');
  });

  test('No reply to an email to a customer goes to an address that a person entered', async () => {
    await shop.newOrder();
    await deliver(shop.env);
    expect(shop.sent.length).toBeGreaterThan(0);
    for (const mail of shop.sent) expect(mail).not.toHaveProperty('replyTo');
  });
});

describe('Resend', () => {
  test('With Resend in the settings, an email is sent with Resend, and none with Cloudflare', async () => {
    const typed = { name: 'Ben', email: 'ben@people.example', number: '1', subject: 'Hi', message: 'A word' };
    await receiveMessage(shop.db, shop.env, toMessageRecord(typed));
    await deliver(byResend);
    expect(service.sent).toMatchObject([
      {
        from: 'site.test <site@site.test>',
        to: [shop.env.NOTIFY_EMAIL],
        reply_to: 'ben@people.example',
        subject: 'New message: Hi',
        text: expect.stringContaining('A word') as string,
        html: expect.stringContaining('A word') as string,
      },
    ]);
    expect(shop.sent).toEqual([]);
    expect(await shop.db.$count(mails)).toBe(0);
  });

  test('An email whose answer was lost is sent once, and again if the firm has changed its name since', async () => {
    const [before, after] = ['The Agency', 'The "Other" Agency, LLC'];
    const [sender, renamed] = [
      'The Agency <site@site.test>',
      '"The \\"Other\\" Agency, LLC" <site@site.test>',
    ];
    for (const [name, senders] of [
      [before, [sender]],
      [after, [sender, renamed]],
    ] as const) {
      await nameFirm(before);
      service.sent.length = service.requests.count = 0;
      await queue();
      service.faults.push('cut');
      await deliver(byResend);
      expect(await areWaiting()).toEqual([true]);
      await letTimePass();
      await nameFirm(name);
      await deliver(byResend);
      expect([service.requests.count, await areWaiting()]).toEqual([2, []]);
      expect(service.sent.map(({ from }) => from)).toEqual(senders);
    }
  });
});
