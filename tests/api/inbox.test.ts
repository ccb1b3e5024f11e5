import { randomUUID } from 'node:crypto';
import { createClient } from '@libsql/client';
import { expect, inject, test, vi } from 'vitest';
import type { Message, Subscriber } from '#contract/messages.ts';
import { untilMs } from '../support/limits.ts';
import { newEmail, registerCustomer, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

const url = inject('systemUrl');
const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };

const messageOf = (answer: Answer) => answer.json as Message;
const messagesOf = (answer: Answer) => answer.json as Message[];
const subscribersOf = (answer: Answer) => answer.json as Subscriber[];
const totalOf = (answer: Answer) => Number(answer.headers.get('X-Total-Count'));

const newMessage = (changes: Record<string, unknown> = {}) => ({
  name: 'Ann Example',
  email: newEmail(),
  number: '+33 1 23 45',
  subject: `Question ${randomUUID()}`,
  message: 'What does <b>Basic</b> include?',
  messageStatus: 'UnRead',
  ...changes,
});

const send = (visitor: Visitor, changes: Record<string, unknown> = {}) =>
  visitor.post('/api/add-message', newMessage(changes));

/** A plain form, as a browser without JavaScript posts it. */
const postForm = (visitor: Visitor, path: string, fields: Record<string, string>, headers = {}) =>
  visitor.send('POST', path, new URLSearchParams(fields).toString(), {
    headers: { ...formHeaders, ...headers },
  });

async function findMessage(administrator: Visitor, subject: string): Promise<Message | undefined> {
  return messagesOf(await administrator.get('/api/messages')).find((message) => message.subject === subject);
}

/** Which running counts differ from what there is. Both are read in one moment, because other tests send messages too. */
async function readMiscounted(): Promise<readonly unknown[]> {
  const database = createClient({ url: inject('databaseUrl'), authToken: inject('databaseToken') });
  const { rows } = await database.execute(
    `SELECT name, count, (SELECT count(*) FROM messages WHERE "messageStatus" = inbox_counts.name) AS found
     FROM inbox_counts WHERE name IN ('UnRead', 'Read') AND count <> found`,
  );
  database.close();
  return rows;
}

test('A message arrives UnRead even when another status is sent, and administrators alone read it', async () => {
  const [visitor, administrator] = [new Visitor(url), await signInAdministrator(url)];
  const answer = await send(visitor, { messageStatus: 'Read' });
  expect(answer.status).toBe(201);
  const message = messageOf(answer);
  expect(message.messageStatus).toBe('UnRead');
  expect(messageOf(await administrator.get(`/api/message/${message._id}`))).toEqual(message);
  const customer = await registerCustomer(url);
  for (const path of [
    '/api/messages',
    `/api/message/${message._id}`,
    '/api/messages.csv',
    '/api/subscribers',
    '/api/subscribers.csv',
  ]) {
    expect([path, (await visitor.get(path)).status]).toEqual([path, 401]);
    expect([path, (await customer.get(path)).status]).toEqual([path, 403]);
  }
});

test('A message whose answer was lost is sent again, and arrives once', async () => {
  const [visitor, administrator] = [new Visitor(url), await signInAdministrator(url)];
  const subject = `Lost ${randomUUID()}`;
  const key = { 'Idempotency-Key': randomUUID() };
  const typed = { name: 'Jo', email: 'jo@hp.io', number: '1', subject, message: 'Hello' };
  const sendOnce = () => visitor.post('/api/add-message', typed, { headers: key });
  const answers = await Promise.all([sendOnce(), sendOnce(), sendOnce()]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const [_id, ...others] = new Set(answers.map((answer) => messageOf(answer)._id));
  expect(others).toEqual([]);
  const found = messagesOf(await administrator.get('/api/messages')).filter(
    (message) => message.subject === subject,
  );
  expect(found.map((message) => message._id)).toEqual([_id]);
  expect(await readMiscounted()).toEqual([]);
  // The same words under another key are another message.
  expect(
    (await visitor.post('/api/add-message', typed, { headers: { 'Idempotency-Key': randomUUID() } })).status,
  ).toBe(201);
});

test('A message is marked Read once, and there is no way back', async () => {
  const administrator = await signInAdministrator(url);
  const { _id } = messageOf(await send(new Visitor(url)));
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => administrator.put(`/api/message/${_id}`, { messageStatus: 'Read' })),
  );
  for (const answer of answers)
    expect([answer.status, messageOf(answer).messageStatus]).toEqual([200, 'Read']);
  expect(await readMiscounted()).toEqual([]);
  expect((await administrator.put(`/api/message/${_id}`, { messageStatus: 'UnRead' })).status).toBe(422);
  expect((await administrator.put(`/api/message/${randomUUID()}`, { messageStatus: 'Read' })).status).toBe(
    404,
  );
});

test('An administrator deletes messages, one and several at once, and the counts follow', async () => {
  const administrator = await signInAdministrator(url);
  const subject = `To delete ${randomUUID()}`;
  const sent = await Promise.all(
    Array.from({ length: 5 }, async () => messageOf(await send(new Visitor(url), { subject }))),
  );
  const [first = '', second = '', third = '', fourth = '', kept = ''] = sent.map(({ _id }) => _id);
  await administrator.put(`/api/message/${second}`, { messageStatus: 'Read' });
  const remaining = async () => {
    const lists = await Promise.all(
      ['UnRead', 'Read'].map((status) => administrator.get(`/api/messages?messageStatus=${status}`)),
    );
    return lists
      .flatMap(messagesOf)
      .filter((message) => message.subject === subject)
      .map(({ _id }) => _id);
  };

  // Sent twice at once, as by two windows: counted once.
  const answers = await Promise.all([1, 2].map(() => administrator.delete(`/api/message/${first}`)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404]);
  expect(await readMiscounted()).toEqual([]);

  const ids = [second, third, fourth];
  const several = await Promise.all([1, 2].map(() => administrator.delete('/api/messages', { ids })));
  expect(several.map(({ status }) => status)).toEqual([200, 200]);
  expect(several.map(({ json }) => (json as { deleted: number }).deleted).toSorted()).toEqual([0, 3]);
  expect(await remaining()).toEqual([kept]);
  expect(await readMiscounted()).toEqual([]);
  expect((await administrator.get(`/api/message/${third}`)).status).toBe(404);

  for (const [body, sentence] of [
    [{}, 'Give the ids of the messages.'],
    [{ ids: [] }, 'Choose at least one message.'],
    [{ ids: Array.from({ length: 101 }, () => kept) }, 'At most 100 messages at once.'],
  ] as const) {
    const answer = await administrator.delete('/api/messages', body);
    expect([answer.status, answer.json]).toEqual([
      422,
      expect.objectContaining({ errors: { ids: sentence } }),
    ]);
  }
  expect(await remaining()).toEqual([kept]);
});

test('What was deleted is recorded with who did it, and without what its sender wrote', async () => {
  const administrator = await signInAdministrator(url);
  const { _id, email } = messageOf(await send(new Visitor(url)));
  await administrator.delete('/api/messages', { ids: [_id] });
  const database = createClient({ url: inject('databaseUrl'), authToken: inject('databaseToken') });
  const { rows } = await database.execute({
    sql: 'SELECT "accountId", before, after FROM inbox_events WHERE "recordId" = ?',
    args: [_id],
  });
  database.close();
  expect(rows).toHaveLength(1);
  expect(rows[0]?.['accountId']).toMatch(/^[0-9a-f-]{36}$/);
  const before = { email: email.replace(/^(.).*@/, '$1…@'), messageStatus: 'UnRead' };
  expect(rows[0]).toMatchObject({ before: JSON.stringify(before), after: '{}' });
});

test('Messages come newest first, in pages by status', async () => {
  const administrator = await signInAdministrator(url);
  const sent: string[] = [];
  for (let count = 0; count < 4; count += 1) sent.unshift(messageOf(await send(new Visitor(url)))._id);
  const page = (number: number, pageSize: number) =>
    administrator.get(`/api/messages?messageStatus=UnRead&page=${number}&pageSize=${pageSize}`);
  const idsOf = (answer: Answer) => messagesOf(answer).map(({ _id }) => _id);
  // Other tests' messages may come between two pages, and then it is tried again.
  await vi.waitFor(
    async () => {
      const newest = idsOf(await page(1, 100));
      const [first, second] = [await page(1, 3), await page(2, 3)];
      expect([...idsOf(first), ...idsOf(second)]).toEqual(newest.slice(0, 6));
      expect(newest.filter((id) => sent.includes(id))).toEqual(sent);
      const last = Math.ceil(totalOf(first) / 3);
      expect(idsOf(await page(last, 3)).length).toBeGreaterThan(0);
      expect(idsOf(await page(last + 1, 3))).toEqual([]);
    },
    { timeout: untilMs, interval: 50 },
  );
});

test('Without JavaScript the form posts and leads to the thank-you page', async () => {
  const administrator = await signInAdministrator(url);
  const fields = newMessage();
  const answer = await postForm(new Visitor(url), '/api/add-message', { ...fields, website: '' });
  expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/thanks']);
  expect(await findMessage(administrator, fields.subject)).toMatchObject({
    email: fields.email,
    messageStatus: 'UnRead',
  });
});

test('A plain form that does not hold comes back as a page, with what is wrong and all that was typed', async () => {
  const fields = newMessage({
    name: 'Ann "Annie" <b>',
    email: 'nobody',
    message: 'One\n</textarea><script>',
  });
  const answer = await postForm(new Visitor(url), '/api/add-message', fields);
  expect(answer.status).toBe(422);
  expect(answer.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('Content-Security-Policy')).not.toContain('cloudflare');
  expect(answer.text).toContain('Provide a Valid Email.');
  expect(answer.text).toContain('value="Ann &quot;Annie&quot; <b>"');
  expect(answer.text).toContain('One\n&lt;/textarea&gt;&lt;script&gt;</textarea>');
  expect(answer.text).toMatch(/<input[^>]* name="email"[^>]* aria-invalid="true"/);
  const subscribing = await postForm(new Visitor(url), '/api/add-subscriber', { subemail: 'nobody' });
  expect([subscribing.status, subscribing.text.includes('value="nobody"')]).toEqual([422, true]);
});

test('Anyone who has a short address can write and subscribe', async () => {
  const [visitor, administrator] = [new Visitor(url), await signInAdministrator(url)];
  const sent = await send(visitor, { email: 'jo@hp.io' });
  expect([sent.status, messageOf(sent).email]).toEqual([201, 'jo@hp.io']);
  const form = await postForm(visitor, '/api/add-message', { ...newMessage(), email: 'jo@hp.io' });
  expect([form.status, form.headers.get('Location')]).toEqual([303, '/thanks']);
  expect((await visitor.post('/api/add-subscriber', { subemail: 'jo@hp.io' })).status).toBe(201);
  const list = subscribersOf(await administrator.get('/api/subscribers'));
  expect(list.map(({ subemail }) => subemail)).toContain('jo@hp.io');
  expect((await send(visitor, { email: 'jo\u200b@hp.io' })).status).toBe(422);
});

test('Every field is asked for in words, and unknown ones are refused', async () => {
  const answer = await new Visitor(url).post('/api/add-message', { email: 'x', role: 'Admin' });
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

test('What fills in the hidden field is thanked like everybody, and nothing is kept', async () => {
  const administrator = await signInAdministrator(url);
  const visitor = new Visitor(url);
  const body = newMessage({ website: 'https://spam.example' });
  const answer = await visitor.post('/api/add-message', body);
  expect(answer.status).toBe(201);
  expect(Object.keys(messageOf(answer)).sort()).toEqual(Object.keys(messageOf(await send(visitor))).sort());
  expect(await findMessage(administrator, body.subject)).toBeUndefined();
  const subemail = newEmail();
  expect((await visitor.post('/api/add-subscriber', { subemail, website: 'x' })).status).toBe(201);
  expect(
    subscribersOf(await administrator.get('/api/subscribers')).map((entry) => entry.subemail),
  ).not.toContain(subemail);
});

test('Subscribing answers alike whether the address is on the list or not, and keeps it once', async () => {
  const [visitor, administrator] = [new Visitor(url), await signInAdministrator(url)];
  const subemail = newEmail();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => visitor.post('/api/add-subscriber', { subemail })),
  );
  answers.push(await visitor.post('/api/add-subscriber', { subemail }));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.json).toEqual({ subemail });
  expect((await visitor.post('/api/add-subscriber', { subemail: subemail.toUpperCase() })).status).toBe(201);

  const list = await administrator.get('/api/subscribers');
  const found = subscribersOf(list).filter((entry) => entry.subemail.toLowerCase() === subemail);
  expect(found).toHaveLength(1);
  const removals = await Promise.all(
    Array.from({ length: 3 }, () => administrator.delete(`/api/subscriber/${found[0]?._id ?? ''}`)),
  );
  expect(removals.map(({ status }) => status)).toContain(204);
  expect((await administrator.delete(`/api/subscriber/${found[0]?._id ?? ''}`)).status).toBe(404);
  const after = await administrator.get('/api/subscribers');
  expect(subscribersOf(after).map(({ _id }) => _id)).not.toContain(found[0]?._id);
  expect((await visitor.post('/api/add-subscriber', { subemail: 'no' })).status).toBe(422);
});

test('A plain subscribe form leads back to its page and its word of thanks', async () => {
  const visitor = new Visitor(url);
  const post = (referrer?: string) =>
    postForm(visitor, '/api/add-subscriber', { subemail: newEmail() }, referrer ? { Referer: referrer } : {});
  const places = await Promise.all([
    post(`${url}/pricing/`),
    post('https://elsewhere.example/x'),
    post(),
    post(`${url}//evil.example/x`),
    post(`${url}/.//evil.example/x`),
    post(`${url}/\\evil.example/x`),
    post(`${url}/api/add-subscriber`),
    post(`${url}/login?next=/order-now/1`),
  ]);
  expect(places.map(({ status, headers }) => [status, headers.get('Location')])).toEqual([
    [303, '/pricing/#subscribed'],
    [303, '/#subscribed'],
    [303, '/#subscribed'],
    [303, '/#subscribed'],
    [303, '/#subscribed'],
    [303, '/#subscribed'],
    [303, '/#subscribed'],
    [303, '/login?next=%2Forder-now%2F1#subscribed'],
  ]);
});

test('The exports hold every message and subscriber, safe to open in a spreadsheet', async () => {
  const [visitor, administrator] = [new Visitor(url), await signInAdministrator(url)];
  const { subject } = messageOf(await send(visitor, { name: '=1+1', message: 'Two\nlines, "quoted"' }));
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
