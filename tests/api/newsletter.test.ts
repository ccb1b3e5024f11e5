/**
 * The newsletter's list. People join it by pressing the button behind the emailed link, and leave it with one press,
 * without signing in.
 */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import type { Subscriber } from '#contract/inbox.calls.ts';
import { subscribers, inboxCounts } from '#worker/inbox/schema.ts';
import { sweepInbox } from '#worker/inbox/sweep.ts';
import { mailedToken, newVerificationToken } from '../support/cast.ts';
import { mailsTo } from '../support/mailbox.ts';
import { fetchAlone, newEmail, signInAdministrator, Visitor } from '../support/visitor.ts';
import { openInbox, type Inbox } from './inbox-app.ts';

const url = sharedSystem.url;
const visitor = new Visitor(url);
const dayMs = 86_400_000;

/**
 * Asks for the newsletter.
 * @returns the secret of the emailed link
 */
async function ask(subemail: string): Promise<string> {
  expect((await visitor.post('/api/add-subscriber', { subemail })).status).toBe(201);
  return mailedToken(url, subemail, '/confirm-subscription');
}

async function rowOf(subemail: string): Promise<Subscriber | undefined> {
  const administrator = await signInAdministrator(url);
  const list = (await administrator.get('/api/subscribers')).json as readonly Subscriber[];
  return list.find((row) => row.subemail === subemail);
}

describe('Subscribing', () => {
  test('counts once the button behind the emailed link is pressed; opening the link, as mail scanners do, changes nothing', async () => {
    const subemail = newEmail();
    const token = await ask(subemail);
    const administrator = await signInAdministrator(url);
    const confirmed = async () => (await administrator.get('/api/subscribers.csv?state=Confirmed')).text;

    const browser = new Visitor(url);
    const page = await browser.get(`/confirm-subscription?token=${token}`);
    expect(page.text).toContain(`name="token" value="${token}"`);
    expect((await rowOf(subemail))?.state).toBe('Waiting');
    expect(await confirmed()).not.toContain(subemail);
    const pressed = await browser.postForm('/api/confirm-subscription', { token });
    expect([pressed.status, pressed.headers.get('Location')]).toEqual([303, '/confirm-subscription']);
    const told = (await browser.get('/confirm-subscription')).text;
    expect(told).toContain('You are on the list.');
    expect(told).not.toContain('action="/api/confirm-subscription"');
    const row = await rowOf(subemail);
    expect(row?.state).toBe('Confirmed');
    expect(await confirmed()).toContain(`${subemail},Confirmed,${url}/api/unsubscribe/${row?._id ?? ''}`);
    // A second press, here by a script, is not an error.
    expect((await visitor.post('/api/confirm-subscription', { token })).status).toBe(204);
  });

  test('is not confirmed by a link that is forged, altered, or another person’s', async () => {
    const subemail = newEmail();
    const [token, others] = [await ask(subemail), await ask(newEmail())];
    const { _id = '' } = (await rowOf(subemail)) ?? {};
    const signature = others.slice(others.indexOf('_') + 1);
    for (const wrong of [`${_id}_${signature}`, `${_id}_`, _id, `${token}x`, `${randomUUID()}_${signature}`])
      expect((await visitor.post('/api/confirm-subscription', { token: wrong })).status).toBe(422);
    const browser = new Visitor(url);
    expect((await browser.postForm('/api/confirm-subscription', { token: 'x' })).status).toBe(303);
    expect((await browser.get('/confirm-subscription')).text).toContain('role="alert"');
    expect((await rowOf(subemail))?.state).toBe('Waiting');
  });
});

describe('Unsubscribing', () => {
  test('takes one press of the button in a mail program, from anywhere and without signing in', async () => {
    const subemail = newEmail();
    const token = await ask(subemail);
    const [mail] = await mailsTo(url, subemail);
    const link = `${url}/api/unsubscribe/${(await rowOf(subemail))?._id ?? ''}`;
    const headers = {
      'List-Unsubscribe': `<${link}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    expect(mail).toMatchObject({ headers, text: expect.stringContaining(link) as string });
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    const oneClick = { method: 'POST', redirect: 'manual', body } as const;
    expect((await fetchAlone(link, oneClick)).status).toBe(204);
    expect(await rowOf(subemail)).toBeUndefined();
    const parts = new FormData();
    parts.set('List-Unsubscribe', 'One-Click');
    expect((await fetchAlone(link, { method: 'POST', body: parts })).status).toBe(204);
    // The link that would have confirmed the address no longer works.
    expect((await visitor.post('/api/confirm-subscription', { token })).status).toBe(422);
  });

  test('on its page gives the same answer for any link, and shows nothing that a link contains', async () => {
    const subemail = newEmail();
    await ask(subemail);
    const { _id = '' } = (await rowOf(subemail)) ?? {};
    const answers: string[] = [];
    for (const id of [_id, randomUUID()]) {
      const browser = new Visitor(url);
      const opened = await browser.get(`/api/unsubscribe/${id}`);
      expect(opened.headers.get('Location')).toBe(`/unsubscribe?token=${id}`);
      const page = await browser.get(`/unsubscribe?token=${id}`);
      expect(page.text).toContain(`action="/api/unsubscribe/${id}"`);
      const pressed = await browser.postForm(`/api/unsubscribe/${id}`);
      expect([pressed.status, pressed.headers.get('Location')]).toEqual([303, '/unsubscribe']);
      answers.push((await browser.get('/unsubscribe')).text);
    }
    expect(answers[0]).toContain('You are unsubscribed.');
    expect(answers[1]).toBe(answers[0]);
    expect(await rowOf(subemail)).toBeUndefined();
    const wrong = (await visitor.get('/unsubscribe?token="><script>')).text;
    expect(wrong).not.toContain('<script>"');
    expect(wrong).not.toContain('Press the button');
  });
});

test('A page that opens from an emailed link explains that to visitors without one, and asks for nothing', async () => {
  const byLink = ['/verify-email', '/reset-password', '/invitation', '/confirm-subscription', '/unsubscribe'];
  for (const path of byLink) {
    const { text } = await visitor.get(path);
    expect(text, path).toMatch(/ data-without-link="[^"]*">This page opens only from a link/);
    expect(text, path).not.toContain('data-account-form');
    const token = path === '/verify-email' ? await newVerificationToken(url) : randomUUID();
    expect((await visitor.get(`${path}?token=${token}`)).text, path).toContain('data-account-form');
  }
});

describe('The list', () => {
  let inbox: Inbox;
  beforeAll(async () => {
    inbox = await openInbox({});
  });
  afterAll(() => inbox.shop.close());
  const add = (subemail: string) => inbox.post('/add-subscriber', { subemail }, '203.0.113.1');

  test('emails an address at most three times a day, and never emails a confirmed one', async () => {
    const { shop } = inbox;
    const email = 'often@people.example';
    for (let count = 0; count < 5; count += 1) await add(email);
    expect(shop.sent.map(({ to }) => to)).toEqual([email, email, email]);
    const token = /token=([\w-]+)/.exec(shop.sent[0]?.text ?? '')?.[1];
    await inbox.post('/confirm-subscription', { token }, '203.0.113.1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + dayMs });
    const again = await add(email.toUpperCase());
    vi.useRealTimers();
    expect([again.status, again.json]).toEqual([201, { subemail: email }]);
    expect(shop.sent).toHaveLength(3);
    expect(await shop.db.$count(subscribers)).toBe(1);
    await shop.db.delete(subscribers);
    await shop.db.update(inboxCounts).set({ count: 0 });
  });

  test('forgets an address that nobody confirms within a week of the last request', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { shop } = inbox;
    const kept = async () => (await shop.db.select().from(subscribers)).map(({ subemail }) => subemail);
    const sweepAfter = async (days: number) => {
      vi.setSystemTime(Date.now() + days * dayMs);
      await sweepInbox(shop.env, () => undefined, shop.db);
    };
    for (const name of ['never', 'again', 'confirmed']) await add(`${name}@people.example`);
    await shop.db
      .update(subscribers)
      .set({ confirmedAt: Date.now() })
      .where(eq(subscribers.subemail, 'confirmed@people.example'));
    await sweepAfter(6);
    await add('again@people.example');
    await sweepAfter(2);
    expect(await kept()).toEqual(['again@people.example', 'confirmed@people.example']);
    await sweepAfter(800);
    expect(await kept()).toEqual(['confirmed@people.example']);
    const counts = await shop.db.select().from(inboxCounts).where(eq(inboxCounts.name, 'subscribers'));
    expect(counts).toEqual([{ name: 'subscribers', count: 1 }]);
  });
});
