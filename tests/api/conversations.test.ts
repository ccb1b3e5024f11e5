/** The conversation on an order and its files, which only its customer and the staff can see. */
import { expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import type {
  Conversation,
  ConversationMessage,
  OrderFile,
  UnreadConversation,
} from '#contract/conversations.calls.ts';
import { newId } from '#contract/ids.ts';
import { registerVerified } from '../support/cast.ts';
import { placeOrder, sendFile } from '../support/orders.ts';
import { png } from '../support/pictures.ts';
import { fetchAlone, signInAdministrator, type Answer, type Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;
const [customer, other, staff] = await Promise.all([
  registerVerified(url),
  registerVerified(url),
  signInAdministrator(url),
]);
const order = await placeOrder(customer);

const pathOf = (id: string) => `/api/order/${id}/messages`;
const read = async (reader: Visitor, id: string, query = ''): Promise<Conversation> =>
  (await reader.get(pathOf(id) + query)).json as Conversation;
const write = async (writer: Visitor, id: string, body: object, key?: string): Promise<Answer> =>
  writer.post(pathOf(id), body, key === undefined ? {} : { headers: { 'Idempotency-Key': key } });
const unreadOf = async (reader: Visitor, id: string, query = '') =>
  ((await reader.get(`/api/unread-messages${query}`)).json as readonly UnreadConversation[]).find(
    ({ orderId }) => orderId === id,
  );
async function newFile(sender: Visitor, id: string, content: Parameters<typeof sendFile>[2], name?: string) {
  const answer = await sendFile(sender, id, content, name === undefined ? {} : { name });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as OrderFile;
}

test('Customer and staff write to each other, and each sees what they have not read', async () => {
  const { _id } = await placeOrder(customer);
  const nothing = {
    side: 'customer',
    messages: [],
    hasEarlier: false,
    readTo: 0,
    unread: 0,
    keptDays: 730,
  };
  expect(await read(customer, _id)).toEqual({ ...nothing, unsentFiles: [] });
  expect((await write(customer, _id, { text: ' Which keywords?\nAll? ' })).status).toBe(201);
  for (const text of ['Yours.', 'And theirs.']) expect((await write(staff, _id, { text })).status).toBe(201);
  const seen = await read(customer, _id);
  // Only the staff see which of them wrote a message.
  expect(seen).toMatchObject({ unread: 2, readTo: 0 });
  expect(seen.messages).toMatchObject([
    { side: 'customer', text: 'Which keywords?\nAll?', sequence: 1, by: '' },
    { side: 'staff', text: 'Yours.', sequence: 2, by: '' },
    { side: 'staff', text: 'And theirs.', sequence: 3, by: '' },
  ]);
  const ofStaff = await read(staff, _id);
  expect([ofStaff.unread, ofStaff.messages[1]?.by]).toEqual([1, expect.stringContaining('@')]);
  expect(await unreadOf(staff, _id)).toMatchObject({ unread: 1, customerName: 'Ada Broker' });
  expect(await unreadOf(customer, _id)).toMatchObject({ unread: 2 });
  expect(await unreadOf(other, _id)).toBeUndefined();

  expect((await customer.put(pathOf(_id), { readTo: 2 })).status).toBe(204);
  expect((await read(customer, _id)).unread).toBe(1);
  await customer.put(pathOf(_id), { readTo: 99 });
  await staff.put(pathOf(_id), { readTo: 1 });
  expect([await unreadOf(staff, _id), await unreadOf(customer, _id)]).toEqual([undefined, undefined]);
  // The read position never goes back, and later messages are unread again.
  await customer.put(pathOf(_id), { readTo: 1 });
  await write(staff, _id, { text: 'One more.' });
  expect(await read(customer, _id)).toMatchObject({ unread: 1, readTo: 3 });
});

test('A message that is sent again is stored once, and messages sent at the same time are numbered in order', async () => {
  const { _id } = await placeOrder(customer);
  const answers = await Promise.all(
    [1, 2, 3].map(() => write(customer, _id, { text: 'Once' }, 'the-same-submit')),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(answers.map(({ json }) => (json as ConversationMessage)._id)).size).toBe(1);
  await Promise.all(
    [1, 2, 3, 4].map((count) => write(count % 2 ? staff : customer, _id, { text: String(count) })),
  );
  expect((await read(staff, _id)).messages.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
});

test('A file belongs to its sender until it is sent, and then to its customer and the staff', async () => {
  const file = await newFile(customer, order._id, 'private words');
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

test('A file is served as an attachment that runs nowhere, and its bytes decide its type', async () => {
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

test('Only characters that cannot be displayed are removed from a message and a file name', async () => {
  const { _id } = await placeOrder(customer);
  const text = 'First\u000bsecond\u0000, third \ud83d end 😀';
  await write(customer, _id, { text });
  const [message] = (await read(staff, _id)).messages;
  expect(message?.text).toBe('First\nsecond, third \ufffd end 😀');
  expect((await write(customer, _id, { text: '\u0000 \u0001' })).status).toBe(422);
  // It keeps the last 200 characters and splits none of them.
  const long = await newFile(customer, _id, 'x', `${'😀'.repeat(140)}, my site.txt`);
  expect(long.name).toBe(`${'😀'.repeat(140)}, my site.txt`);
  const longer = await newFile(customer, _id, 'x', `${'a'.repeat(250)}😀.jpeg`);
  expect(longer.name).toBe(`${'a'.repeat(194)}😀.jpeg`);
  expect((await read(customer, _id)).unsentFiles.map(({ name }) => name)).toEqual([long.name, longer.name]);
});

test('An empty file and one without a name are refused', async () => {
  const { _id } = await placeOrder(customer);
  const refused = await Promise.all([
    sendFile(customer, _id, ''),
    sendFile(customer, _id, 'x', { name: '' }),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([422, 422]);
  expect((await read(customer, _id)).unsentFiles).toEqual([]);
});

test('A delivery brings a note and files, and happens once', async () => {
  const { _id } = await placeOrder(customer);
  const report = await newFile(staff, _id, '%PDF-1.7 report', 'report.pdf');
  const deliver = (changes: object) =>
    staff.put(`/api/order-status/${_id}`, { orderStatus: 'Delivered', ...changes });
  const [note, files] = ['Twelve pages and a report.', [report._id]];
  expect((await deliver({ orderStatus: 'Pending', note })).status).toBe(422);
  // A repeated delivery succeeds. One with other content is refused, because its customer would not be notified.
  for (const same of [{ note, files }, { note, files }, { note }, {}])
    expect((await deliver(same)).status).toBe(200);
  for (const other of [{ note: 'And one more thing.' }, { note, files: [newId()] }]) {
    const refused = await deliver(other);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Send them as a message')]);
  }
  expect((await customer.get(`/api/order-file/${report._id}`)).text).toContain('report');
  expect(await read(customer, _id)).toMatchObject({
    unread: 1,
    delivery: { kind: 'delivery', text: note, files: [{ name: 'report.pdf' }], answer: null },
  });
  const receipt = () => customer.get(`/api/order/${_id}/receipt`);
  expect((await receipt()).status).toBe(409);
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  expect((await receipt()).json).toMatchObject({ delivery: { note, files: ['report.pdf'] } });
  await deliver({ orderStatus: 'Pending' });
  expect((await receipt()).json).not.toHaveProperty('delivery');
  expect(await read(customer, _id)).not.toHaveProperty('delivery');
});

test('A customer answers their newest delivery with thanks, or with what is missing, and thanks do not hide what is missing', async () => {
  const { _id } = await placeOrder(customer);
  const setStatus = (orderStatus: string) => staff.put(`/api/order-status/${_id}`, { orderStatus });
  const reply = (kind: string, delivery?: string, text?: string) =>
    write(customer, _id, { kind, delivery, ...(text !== undefined && { text }) });
  expect((await reply('thanks', newId())).status).toBe(409);
  await setStatus('Delivered');
  const delivery = (await read(customer, _id)).delivery?._id;
  expect((await write(staff, _id, { kind: 'thanks', delivery })).status).toBe(422);
  expect((await reply('thanks')).status).toBe(422);
  expect((await reply('missing', delivery)).status).toBe(422);
  expect((await reply('thanks', delivery)).status).toBe(201);
  expect(await read(staff, _id)).toMatchObject({ delivery: { answer: 'thanks' } });
  // A question needs no complaint.
  expect((await write(customer, _id, { text: 'Where do I find page four?' })).status).toBe(201);
  expect((await reply('missing', delivery, 'Page five.')).status).toBe(201);
  expect(await read(customer, _id)).toMatchObject({ delivery: { answer: 'missing' } });
  const late = await reply('thanks', delivery);
  expect([late.status, late.text]).toEqual([409, expect.stringContaining('something is missing')]);
  await setStatus('Pending');
  expect((await write(customer, _id, { text: 'One more thing.' })).status).toBe(201);
  await setStatus('Delivered');
  expect(await read(customer, _id)).toMatchObject({ delivery: { text: '', answer: null } });
  for (const kind of ['thanks', 'missing']) {
    const stale = await reply(kind, delivery, 'Page five.');
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('newer delivery')]);
  }
  expect((await read(staff, _id)).delivery?.answer).toBeNull();
});

test('An order that was delivered and then refunded stays delivered', async () => {
  const { _id } = await placeOrder(customer);
  const status = `/api/order-status/${_id}`;
  await staff.put(status, { orderStatus: 'Delivered', note: 'All twelve pages.' });
  await staff.put(`/api/order/${_id}`, { paymentStatus: 'Paid' });
  expect((await staff.post(`/api/order/${_id}/refunds`, {})).status).toBe(201);
  const answer = await staff.put(status, { orderStatus: 'Pending' });
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('stays delivered')]);
  expect((await read(customer, _id)).delivery?.text).toBe('All twelve pages.');
});
