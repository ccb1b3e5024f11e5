import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { newId } from '#contract/ids.ts';
import type { Message, Subscriber } from '#contract/inbox.calls.ts';
import type { MessageStatus } from '#contract/inbox.ts';
import { toMessageRecord, listMessages, markRead, receiveMessage } from '#worker/inbox/messages.ts';
import { messages, subscribers } from '#worker/inbox/schema.ts';
import { newMessage, sendMessage } from '../support/messages.ts';
import { newEmail, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';
import { message, openInbox } from './inbox-app.ts';

const url = sharedSystem.url;

const messageOf = (answer: Answer) => answer.json as Message;
const messagesOf = (answer: Answer) => answer.json as Message[];
const subscribersOf = (answer: Answer) => answer.json as Subscriber[];

async function findMessage(administrator: Visitor, subject: string): Promise<Message | undefined> {
  return messagesOf(await administrator.get('/api/messages')).find((message) => message.subject === subject);
}

const query = async (sql: string, ...args: string[]) =>
  (await sharedSystem.db.$client.execute({ sql, args })).rows;

/**
 * Which running counts differ from the actual ones. Both are read at the same moment, because other tests also send
 * messages.
 */
const readMiscounted = () =>
  query(
    `SELECT name, count, (SELECT count(*) FROM messages WHERE "messageStatus" = inbox_counts.name) AS found
     FROM inbox_counts WHERE name IN ('UnRead', 'Read') AND count <> found`,
  );

test('A message arrives UnRead even if another status is sent', async () => {
  const message = await sendMessage(new Visitor(url), { messageStatus: 'Read' });
  expect(message.messageStatus).toBe('UnRead');
  const administrator = await signInAdministrator(url);
  expect(messageOf(await administrator.get(`/api/message/${message._id}`))).toEqual(message);
});

test('A message is marked Read once, and never UnRead again', async () => {
  const administrator = await signInAdministrator(url);
  const { _id } = await sendMessage(new Visitor(url));
  const mark = (id: string, messageStatus = 'Read') =>
    administrator.put(`/api/message/${id}`, { messageStatus });
  const answers = await Promise.all([1, 2, 3].map(() => mark(_id)));
  for (const answer of answers)
    expect([answer.status, messageOf(answer).messageStatus]).toEqual([200, 'Read']);
  expect(await readMiscounted()).toEqual([]);
  expect((await mark(_id, 'UnRead')).status).toBe(422);
  expect((await mark(randomUUID())).status).toBe(404);
});

test('An administrator deletes messages, one or several together, and the counts follow', async () => {
  const administrator = await signInAdministrator(url);
  const subject = `To delete ${randomUUID()}`;
  const sent = await Promise.all([1, 2, 3, 4].map(() => sendMessage(new Visitor(url), { subject })));
  const [first = '', second = '', third = '', kept = ''] = sent.map(({ _id }) => _id);
  await administrator.put(`/api/message/${second}`, { messageStatus: 'Read' });
  const remaining = async () => {
    const list = messagesOf(await administrator.get('/api/messages'));
    return list.filter((message) => message.subject === subject).map(({ _id }) => _id);
  };
  // Each deletion is sent twice at the same time, as from two windows.
  const one = await Promise.all([1, 2].map(() => administrator.delete(`/api/message/${first}`)));
  expect(one.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  const ids = [second, third];
  const several = await Promise.all([1, 2].map(() => administrator.delete('/api/messages', { ids })));
  expect(several.map(({ json }) => (json as { deleted: number }).deleted).toSorted()).toEqual([0, 2]);
  expect([await remaining(), await readMiscounted()]).toEqual([[kept], []]);
  expect((await administrator.get(`/api/message/${third}`)).status).toBe(404);
  for (const [body, sentence] of [
    [{}, 'Give the ids of the messages.'],
    [{ ids: [] }, 'Choose at least one message.'],
    [{ ids: Array.from({ length: 101 }, () => kept) }, 'At most 100 messages at once.'],
  ] as const) {
    const answer = await administrator.delete('/api/messages', body);
    expect([answer.status, answer.json]).toMatchObject([422, { errors: { ids: sentence } }]);
  }
  expect(await remaining()).toEqual([kept]);
});

test('A deletion is logged with who did it, and without what the sender wrote', async () => {
  const administrator = await signInAdministrator(url);
  const { _id, email } = await sendMessage(new Visitor(url));
  await administrator.delete('/api/messages', { ids: [_id] });
  const rows = await query('SELECT "accountId", before, after FROM inbox_events WHERE "recordId" = ?', _id);
  expect(rows).toHaveLength(1);
  expect(rows[0]?.['accountId']).toMatch(/^[0-9a-f-]{36}$/);
  const before = { email: email.replace(/^(.).*@/, '$1…@'), messageStatus: 'UnRead' };
  expect(rows[0]).toMatchObject({ before: JSON.stringify(before), after: '{}' });
});

test('Messages come newest first, in pages by status', async () => {
  const { shop } = await openInbox({});
  onTestFinished(() => shop.close());
  const rows = Array.from({ length: 5 }, (_, index) => ({
    ...toMessageRecord(message),
    _id: newId(index + 1),
  }));
  for (const row of rows) await receiveMessage(shop.db, shop.env, row);
  const [oldest = '', second, third, fourth, newest] = rows.map(({ _id }) => _id);
  await markRead(shop.db, oldest, newId());
  const page = async (number: number, status?: MessageStatus) => {
    const found = await listMessages(shop.db, { messageStatus: status }, { page: number, pageSize: 3 });
    return [found.rows.map(({ _id }) => _id), found.total];
  };
  expect(await page(1)).toEqual([[newest, fourth, third], 5]);
  expect(await page(2)).toEqual([[second, oldest], 5]);
  expect(await page(3)).toEqual([[], 5]);
  expect(await page(2, 'UnRead')).toEqual([[second], 4]);
  expect(await page(1, 'Read')).toEqual([[oldest], 1]);
});

test('The form works without JavaScript, even under a short address, and leads to the thank-you page', async () => {
  const administrator = await signInAdministrator(url);
  const fields = newMessage({ email: 'jo@hp.io' });
  const answer = await new Visitor(url).postForm('/api/add-message', { ...fields, website: '' });
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/thanks']);
  expect(await findMessage(administrator, fields.subject)).toMatchObject({
    email: 'jo@hp.io',
    messageStatus: 'UnRead',
  });
});

test('A plain form with a mistake comes back as a page that says so and keeps everything that was entered', async () => {
  const fields = newMessage({
    name: 'Ann "Annie" <b>',
    email: 'nobody',
    message: 'One\n</textarea><script>',
  });
  const answer = await new Visitor(url).postForm('/api/add-message', fields);
  expect(answer.status).toBe(422);
  expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('Content-Security-Policy')).not.toContain('cloudflare');
  expect(answer.text).toContain('Provide a Valid Email.');
  expect(answer.text).toContain('value="Ann &quot;Annie&quot; <b>"');
  expect(answer.text).toContain('One\n&lt;/textarea&gt;&lt;script&gt;</textarea>');
  expect(answer.text).toMatch(/<input[^>]* name="email"[^>]* aria-invalid="true"/);
  expect(answer.text).toMatch(/<footer[^]*©/);
  const subscribing = await new Visitor(url).postForm('/api/add-subscriber', { subemail: 'nobody' });
  expect(subscribing.status).toBe(422);
  // The footer also has the form, and it is empty.
  expect(subscribing.text.match(/value="nobody"/g)).toHaveLength(1);
  expect(subscribing.text).toMatch(/<footer[^]*©/);
});

test('Every missing field is named, and unknown fields and invisible characters are refused', async () => {
  const visitor = new Visitor(url);
  const answer = await visitor.post('/api/add-message', { email: 'jo\u200b@hp.io', role: 'Admin' });
  expect(answer.status).toBe(422);
  expect(answer.json).toMatchObject({
    errors: {
      name: 'Please enter your name',
      email: 'Provide a Valid Email',
      number: 'Please enter your phone number',
      subject: 'Please enter a subject',
      message: 'Please enter your message',
      role: 'There is no such field.',
    },
  });
});

test('A message whose hidden field was filled in, as some password managers do, is stored and marked for the staff only', async () => {
  const administrator = await signInAdministrator(url);
  const visitor = new Visitor(url);
  const body = newMessage({ website: 'https://spam.example' });
  const answer = await visitor.post('/api/add-message', body);
  expect(answer.status).toBe(201);
  expect(Object.keys(messageOf(answer)).sort()).toEqual(Object.keys(await sendMessage(visitor)).sort());
  expect(messageOf(answer).subject).toBe(body.subject);
  expect(await findMessage(administrator, `[Possible spam] ${body.subject}`)).toMatchObject({
    message: body.message,
  });
  const subemail = newEmail();
  expect((await visitor.post('/api/add-subscriber', { subemail, website: 'x' })).status).toBe(201);
  const list = subscribersOf(await administrator.get('/api/subscribers'));
  expect(list).toContainEqual(expect.objectContaining({ subemail, state: 'Waiting' }));
});

test('Subscribing gives the same answer whether or not the address is on the list, and stores it once', async () => {
  const [visitor, administrator] = [new Visitor(url), await signInAdministrator(url)];
  const subemail = newEmail();
  const add = (email = subemail) => visitor.post('/api/add-subscriber', { subemail: email });
  const answers = [...(await Promise.all([add(), add(), add()])), await add()];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.json).toEqual({ subemail });
  expect((await add(subemail.toUpperCase())).status).toBe(201);
  expect((await add('no')).status).toBe(422);
  const idsOnList = async () =>
    subscribersOf(await administrator.get('/api/subscribers'))
      .filter((entry) => entry.subemail.toLowerCase() === subemail)
      .map(({ _id }) => _id);
  const [_id = '', ...more] = await idsOnList();
  expect(more).toEqual([]);
  const removals = await Promise.all([1, 2].map(() => administrator.delete(`/api/subscriber/${_id}`)));
  expect(removals.map(({ status }) => status)).toContain(204);
  expect((await administrator.delete(`/api/subscriber/${_id}`)).status).toBe(404);
  expect(await idsOnList()).toEqual([]);
});

test.each([
  [`${url}/pricing/`, '/pricing/#subscribed'],
  [`${url}/login?next=/order-now/1`, '/login?next=%2Forder-now%2F1#subscribed'],
  ['https://elsewhere.example/x', '/#subscribed'],
  [`${url}/.//evil.example/x`, '/#subscribed'],
])('A plain subscribe form on %s leads back to a page of this site: %s', async (Referer, place) => {
  const fields = { subemail: newEmail() };
  const answer = await new Visitor(url).postForm('/api/add-subscriber', fields, { Referer });
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, place]);
});

test('The exports contain every message and subscriber, safe to open in a spreadsheet', async () => {
  const [visitor, administrator] = [new Visitor(url), await signInAdministrator(url)];
  const { subject } = await sendMessage(visitor, { name: '=1+1', message: 'Two\nlines, "quoted"' });
  const subemail = newEmail();
  await visitor.post('/api/add-subscriber', { subemail });
  const messages = await administrator.get('/api/messages.csv?messageStatus=UnRead');
  expect(messages.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
  expect(messages.text).toContain(`"'=1+1"`);
  expect(messages.text).toContain(`${subject},"Two\nlines, ""quoted""",UnRead`);
  expect((await administrator.get('/api/subscribers.csv')).text).toContain(
    `${subemail},Waiting,${url}/api/unsubscribe/`,
  );
});

test('An address may send a limited number of messages and subscriptions; mistakes do not count', async () => {
  const { shop, ...inbox } = await openInbox({ LIMIT_INBOX_ADDRESS: '3' });
  const post = (...request: Parameters<typeof inbox.post>) => inbox.post(...request);
  onTestFinished(() => shop.close());
  for (let count = 0; count < 5; count += 1)
    expect((await post('/add-message', { ...message, email: 'x' }, '203.0.113.1')).status).toBe(422);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      index % 2 === 0
        ? post('/add-message', message, '203.0.113.1')
        : post('/add-subscriber', { subemail: `person${index}@people.example` }, '203.0.113.1'),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await post('/add-message', message, '203.0.113.2')).status).toBe(201);
  expect((await shop.db.$count(messages)) + (await shop.db.$count(subscribers))).toBe(4);
});
