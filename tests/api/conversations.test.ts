/** The conversation on an order and its files: between its customer and the staff, and for nobody else. */
import { request as openRequest } from 'node:http';
import { beforeAll, expect, inject, test } from 'vitest';
import type {
  Conversation,
  ConversationMessage,
  OrderFile,
  UnreadConversation,
} from '#contract/conversations.ts';
import { newId } from '#contract/ids.ts';
import type { Order } from '#contract/orders.ts';
import { registerVerified, type Member } from '../support/cast.ts';
import { placeOrder, sendFile } from '../support/orders.ts';
import { png } from '../support/pictures.ts';
import {
  fetchAlone,
  registerCustomer,
  signInAdministrator,
  Visitor,
  type Answer,
} from '../support/visitor.ts';

const url = inject('systemUrl');
let customer: Member;
let other: Member;
let staff: Visitor;
let order: Order;
beforeAll(async () => {
  [customer, other, staff] = await Promise.all([
    registerVerified(url),
    registerVerified(url),
    signInAdministrator(url),
  ]);
  order = await placeOrder(customer);
});

const pathOf = (id: string) => `/api/order/${id}/messages`;
const read = async (reader: Visitor, id: string, query = ''): Promise<Conversation> =>
  (await reader.get(pathOf(id) + query)).json as Conversation;
const write = async (writer: Visitor, id: string, body: object, key?: string): Promise<Answer> =>
  writer.post(pathOf(id), body, key === undefined ? {} : { headers: { 'Idempotency-Key': key } });
const said = ({ messages }: Conversation) => messages.map(({ side, text }) => [side, text]);
const unreadOf = async (reader: Visitor, id: string, query = '') =>
  ((await reader.get(`/api/unread-messages${query}`)).json as readonly UnreadConversation[]).find(
    ({ orderId }) => orderId === id,
  );
async function newFile(sender: Visitor, id: string, content: Parameters<typeof sendFile>[2], name?: string) {
  const answer = await sendFile(sender, id, content, name === undefined ? {} : { name });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as OrderFile;
}

test('Customer and staff write to each other, the newest last, and what one has not read is marked', async () => {
  const { _id } = await placeOrder(customer);
  expect(await read(customer, _id)).toEqual({
    side: 'customer',
    messages: [],
    hasEarlier: false,
    readTo: 0,
    unread: 0,
    isEnded: false,
    unsentFiles: [],
  });
  expect((await write(customer, _id, { text: ' Which keywords?\nAll? ' })).status).toBe(201);
  expect((await write(staff, _id, { text: 'Yours.' })).status).toBe(201);
  expect((await write(staff, _id, { text: 'And theirs.' })).status).toBe(201);
  const seen = await read(customer, _id);
  expect(said(seen)).toEqual([
    ['customer', 'Which keywords?\nAll?'],
    ['staff', 'Yours.'],
    ['staff', 'And theirs.'],
  ]);
  expect([seen.unread, seen.readTo, seen.messages.map(({ sequence }) => sequence)]).toEqual([
    2,
    0,
    [1, 2, 3],
  ]);
  // Who of the staff wrote is told to the staff alone.
  expect(seen.messages.map(({ by }) => by)).toEqual(['', '', '']);
  expect((await read(staff, _id)).messages[1]?.by).toContain('@');
  expect((await read(staff, _id)).unread).toBe(1);
  expect(await unreadOf(staff, _id)).toMatchObject({ unread: 1, customerName: 'Ada Broker' });
  expect(await unreadOf(customer, _id)).toMatchObject({ unread: 2 });
  expect(await unreadOf(other, _id)).toBeUndefined();

  expect((await customer.put(pathOf(_id), { readTo: 2 })).status).toBe(204);
  expect((await read(customer, _id)).unread).toBe(1);
  await customer.put(pathOf(_id), { readTo: 99 });
  await staff.put(pathOf(_id), { readTo: 1 });
  expect(await read(customer, _id)).toMatchObject({ unread: 0, readTo: 3 });
  expect([await unreadOf(staff, _id), await unreadOf(customer, _id)]).toEqual([undefined, undefined]);
  // Reading does not go backwards, and what comes later is unread again.
  await customer.put(pathOf(_id), { readTo: 1 });
  await write(staff, _id, { text: 'One more.' });
  expect(await read(customer, _id)).toMatchObject({ unread: 1, readTo: 3 });
});

test('A message that is sent again is one message, and fifty at once keep their places', async () => {
  const { _id } = await placeOrder(customer);
  const key = 'the-same-submit';
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => write(customer, _id, { text: 'Once' }, key)),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  expect(new Set(answers.map(({ json }) => (json as ConversationMessage)._id)).size).toBe(1);
  await Promise.all(
    Array.from({ length: 54 }, (_, index) =>
      write(index % 2 ? staff : customer, _id, { text: String(index) }),
    ),
  );
  const newest = await read(staff, _id);
  expect([newest.messages.length, newest.hasEarlier]).toEqual([50, true]);
  expect(newest.messages.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 50 }, (_, i) => i + 6),
  );
  const earlier = await read(staff, _id, `?before=${String(newest.messages[0]?.sequence)}`);
  expect([earlier.messages.map(({ sequence }) => sequence), earlier.hasEarlier]).toEqual([
    [1, 2, 3, 4, 5],
    false,
  ]);
});

test("A conversation and its files are nobody's but its customer's and the staff's", async () => {
  const file = await newFile(customer, order._id, 'private words');
  const anonymous = new Visitor(url);
  for (const [stranger, status] of [
    [other, 404],
    [anonymous, 401],
  ] as const) {
    const answers = await Promise.all([
      stranger.get(pathOf(order._id)),
      write(stranger, order._id, { text: 'Let me in' }),
      stranger.put(pathOf(order._id), { readTo: 1 }),
      sendFile(stranger, order._id, 'x'),
      stranger.get(`/api/order-file/${file._id}`),
      stranger.delete(`/api/order-file/${file._id}`),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(status));
    expect(answers.map(({ text }) => text).join()).not.toContain('private');
  }
  // Before it is sent, a file is its sender's alone; another's cannot be put into a message.
  expect((await staff.get(`/api/order-file/${file._id}`)).status).toBe(404);
  expect((await read(staff, order._id)).unsentFiles).toEqual([]);
  expect((await write(staff, order._id, { text: 'Look', files: [file._id] })).status).toBe(422);
  const elsewhere = await placeOrder(customer);
  expect((await write(customer, elsewhere._id, { text: 'Look', files: [file._id] })).status).toBe(422);

  expect((await write(customer, order._id, { files: [file._id] })).status).toBe(201);
  expect((await staff.get(`/api/order-file/${file._id}`)).text).toBe('private words');
  expect((await other.get(`/api/order-file/${file._id}`)).status).toBe(404);
  expect((await customer.delete(`/api/order-file/${file._id}`)).status).toBe(409);
  expect((await write(customer, order._id, { text: 'Again', files: [file._id] })).status).toBe(422);
});

test('A file is served as an attachment that runs nowhere, and its type is what its bytes say', async () => {
  const page = '<html><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg></html>';
  const hostile = await newFile(customer, order._id, page, '../..\\r\u{202E}fdp."exe\u0000.pdf');
  expect(hostile).toMatchObject({ name: '.._.._rfdp."exe.pdf', type: 'text/plain', bytes: page.length });
  const picture = png(4, 4);
  const named = await newFile(customer, order._id, picture, 'Größe — 大.doc');
  expect(named).toMatchObject({ name: 'Größe — 大.doc', type: 'image/png', bytes: picture.length });

  const answer = await customer.get(`/api/order-file/${hostile._id}`);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': expect.stringMatching(
      /^attachment; filename="\.\._\.\._rfdp\._exe\.pdf"; filename\*=UTF-8''/,
    ) as string,
    'content-security-policy': expect.stringContaining('sandbox') as string,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'cross-origin-resource-policy': 'same-origin',
  });
  const bytes = await fetchAlone(new URL(`/api/order-file/${named._id}`, url), {
    headers: customer.cookies.header,
  });
  expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(picture);
  await Promise.all([hostile, named].map(({ _id }) => customer.delete(`/api/order-file/${_id}`)));
  expect((await customer.get(`/api/order-file/${hostile._id}`)).status).toBe(404);
  expect((await read(customer, order._id)).unsentFiles).toEqual([]);
});

test('What cannot be shown is left out of a message, a note and a name, and loses nothing else', async () => {
  const { _id } = await placeOrder(customer);
  const text = 'First\u000bsecond\u0000, third \ud83d end 😀';
  await write(customer, _id, { text });
  const [message] = (await read(staff, _id)).messages;
  expect(message?.text).toBe('First\nsecond, third \ufffd end 😀');
  expect((await write(customer, _id, { text: '\u0000 \u0001' })).status).toBe(422);
  // 200 characters of it are kept, the last ones, and none is cut in two.
  const long = await newFile(customer, _id, 'x', `${'😀'.repeat(140)}, my site.txt`);
  expect(long.name).toBe(`${'😀'.repeat(140)}, my site.txt`);
  const longer = await newFile(customer, _id, 'x', `${'a'.repeat(250)}😀.jpeg`);
  expect(longer.name).toBe(`${'a'.repeat(194)}😀.jpeg`);
  expect((await read(customer, _id)).unsentFiles.map(({ name }) => name)).toEqual([long.name, longer.name]);
});

/** Sends a request whose body ends before it should. @returns once the connection is gone */
async function sendCut(sender: Visitor, orderId: string): Promise<void> {
  const request = openRequest(new URL(`/api/order/${orderId}/files?name=cut.bin`, url), {
    method: 'POST',
    headers: {
      ...sender.cookies.header,
      Origin: url,
      'Content-Type': 'application/octet-stream',
      'Content-Length': '4000000',
    },
  });
  // Being cut is an error too, which `once` of node:events would throw.
  request.on('error', () => undefined);
  const closed = new Promise((resolve) => request.once('close', resolve));
  await new Promise<void>((resolve) => request.write(new Uint8Array(1_000_000), () => resolve()));
  request.destroy();
  await closed;
}

test('A file is taken whole or not at all', async () => {
  const { _id } = await placeOrder(customer);
  const refused = async (send: Promise<Answer>) => (await send).status;
  expect(await refused(sendFile(customer, _id, ''))).toBe(422);
  expect(await refused(sendFile(customer, _id, 'x', { name: '' }))).toBe(422);
  expect(await refused(sendFile(customer, _id, 'x', { headers: { 'Content-Type': 'text/plain' } }))).toBe(
    403,
  );
  const unannounced = await fetchAlone(new URL(`/api/order/${_id}/files?name=x`, url), {
    method: 'POST',
    headers: { ...customer.cookies.header, Origin: url, 'Content-Type': 'application/octet-stream' },
    body: new Blob(['streamed']).stream(),
    duplex: 'half',
  } as RequestInit);
  expect(unannounced.status).toBe(411);
  await sendCut(customer, _id);
  expect((await read(customer, _id)).unsentFiles).toEqual([]);
  // What an answer was lost of is sent again, and is there once.
  const headers = { 'Idempotency-Key': 'the-same-file' };
  const [first, second] = [
    await sendFile(customer, _id, 'words', { headers }),
    await sendFile(customer, _id, 'words', { headers }),
  ];
  expect(second.json).toEqual(first.json);
  expect((await read(customer, _id)).unsentFiles).toHaveLength(1);
});

test('25 MiB are taken, more are refused', async () => {
  const { _id } = await placeOrder(customer);
  const largest = new Uint8Array(25 * 1024 * 1024).fill(7);
  const file = await newFile(customer, _id, largest, 'film.bin');
  expect(file).toMatchObject({ bytes: largest.length, type: 'application/octet-stream' });
  const back = await fetchAlone(new URL(`/api/order-file/${file._id}`, url), {
    headers: customer.cookies.header,
  });
  expect((await back.arrayBuffer()).byteLength).toBe(largest.length);
  const answer = await sendFile(customer, _id, new Uint8Array(largest.length + 1)).catch(() => undefined);
  // The connection may be gone before everything was sent.
  expect([413, undefined]).toContain(answer?.status);
  expect((await read(customer, _id)).unsentFiles).toHaveLength(1);
});

test('An order takes 100 files, however many are sent at once', async () => {
  const { _id } = await placeOrder(customer);
  const answers = await Promise.all(
    Array.from({ length: 104 }, (_, index) => sendFile(customer, _id, `File ${String(index)}`)),
  );
  const counts = Map.groupBy(answers, ({ status }) => status);
  expect([counts.get(201)?.length, counts.get(409)?.length]).toEqual([100, 4]);
  expect((await read(customer, _id)).unsentFiles).toHaveLength(100);
});

test('A delivery brings a note and files, and its customer says thank you, or what is missing', async () => {
  const delivered = await placeOrder(customer);
  const { _id } = delivered;
  expect((await write(customer, _id, { kind: 'thanks', delivery: newId() })).status).toBe(409);
  const report = await newFile(staff, _id, '%PDF-1.7 report', 'report.pdf');
  const status = `/api/order-status/${_id}`;
  expect((await staff.put(status, { orderStatus: 'Pending', note: 'No' })).status).toBe(422);
  const note = 'Twelve pages and a report.';
  const answer = await staff.put(status, { orderStatus: 'Delivered', note, files: [report._id] });
  expect([answer.status, (answer.json as Order).orderStatus]).toEqual([200, 'Delivered']);
  // Sent again it is one delivery; with something else in it, it is refused: nobody would be told of that.
  for (const again of [{ note, files: [report._id] }, { note }, {}])
    expect((await staff.put(status, { orderStatus: 'Delivered', ...again })).status).toBe(200);
  for (const other of [{ note: 'And one more thing.' }, { note, files: [newId()] }]) {
    const refused = await staff.put(status, { orderStatus: 'Delivered', ...other });
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('write it as a message')]);
  }
  expect((await customer.get(`/api/order-file/${report._id}`)).text).toContain('report');
  const seen = await read(customer, _id);
  expect(seen).toMatchObject({
    unread: 1,
    delivery: { kind: 'delivery', text: note, files: [{ name: 'report.pdf' }], answer: null },
  });
  const receipt = `/api/order/${_id}/receipt`;
  expect((await customer.get(receipt)).status).toBe(409);
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  expect((await customer.get(receipt)).json).toMatchObject({ delivery: { note, files: ['report.pdf'] } });

  const delivery = seen.delivery?._id;
  expect((await write(staff, _id, { kind: 'thanks', delivery })).status).toBe(422);
  expect((await write(customer, _id, { kind: 'thanks' })).status).toBe(422);
  expect((await write(customer, _id, { kind: 'missing', delivery })).status).toBe(422);
  expect((await write(customer, _id, { kind: 'thanks', delivery })).status).toBe(201);
  expect(await read(staff, _id)).toMatchObject({ isEnded: true, delivery: { answer: 'thanks' } });
  await write(customer, _id, { kind: 'missing', text: 'Page five.', delivery });
  expect((await read(staff, _id)).delivery?.answer).toBe('missing');
  expect(await unreadOf(staff, _id)).toMatchObject({ unread: 2 });
  expect((await read(customer, _id)).isEnded).toBe(false);
  // A window that was opened before says thank you, and covers nothing by it.
  const late = await write(customer, _id, { kind: 'thanks', delivery });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('something is missing')]);
  expect((await read(staff, _id)).delivery?.answer).toBe('missing');
  // Delivered anew, it is asked anew.
  await staff.put(status, { orderStatus: 'Pending' });
  expect((await customer.get(receipt)).json).not.toHaveProperty('delivery');
  expect(await read(customer, _id)).not.toHaveProperty('delivery');
  expect((await write(customer, _id, { text: 'One more thing.' })).status).toBe(201);
  await staff.put(status, { orderStatus: 'Delivered' });
  expect(await read(customer, _id)).toMatchObject({
    isEnded: true,
    delivery: { text: '', files: [], answer: null },
  });
  for (const kind of ['thanks', 'missing']) {
    const stale = await write(customer, _id, { kind, text: 'Page five.', delivery });
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('newer delivery')]);
  }
  expect((await read(staff, _id)).delivery?.answer).toBeNull();
  // What we write after a delivery can be answered.
  await write(staff, _id, { text: 'Shall we continue next month?' });
  expect((await read(customer, _id)).isEnded).toBe(false);
  expect((await write(customer, _id, { text: 'Yes, please.' })).status).toBe(201);
});

test('An order that was delivered, then refunded, stays delivered', async () => {
  const { _id } = await placeOrder(customer);
  const status = `/api/order-status/${_id}`;
  await staff.put(status, { orderStatus: 'Delivered', note: 'All twelve pages.' });
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  expect((await staff.post(`/api/order/${_id}/refunds`, {})).status).toBe(201);
  const answer = await staff.put(status, { orderStatus: 'Pending' });
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('stays delivered')]);
  expect((await read(customer, _id)).delivery?.text).toBe('All twelve pages.');
});

test('Until an email is verified, orders that are not paid take few files, also when many come at once', async () => {
  const stranger = await registerCustomer(url);
  const [first, second] = [await placeOrder(stranger), await placeOrder(stranger)];
  const large = 'x'.repeat(12.5 * 1024 * 1024 - 10);
  const contents = [large, large, 'small', 'more than what is left'];
  const sent: Answer[] = [];
  for (const [index, content] of contents.entries())
    sent.push(await sendFile(stranger, (index % 2 ? first : second)._id, content));
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 409]);
  expect(sent.at(-1)?.text).toContain(
    'Until your email is verified, orders that are not paid take at most 10 files',
  );
  const rest = await Promise.all(
    Array.from({ length: 12 }, (_, index) => sendFile(stranger, (index % 2 ? first : second)._id, 'x')),
  );
  expect(rest.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(rest.filter(({ status }) => status === 409)).toHaveLength(5);
  // What is paid for takes files whoever sends them.
  expect((await staff.put(`/api/order/${first._id}`, { paymentStatus: 'Paid' })).status).toBe(200);
  await newFile(stranger, first._id, large);
  expect((await sendFile(stranger, second._id, 'small')).status).toBe(201);
});
