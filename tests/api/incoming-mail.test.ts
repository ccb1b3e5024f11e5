/** Incoming email: answers to our emails, and what is rejected with a reason to the sender. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Conversation } from '#contract/conversations.calls.ts';
import type { Message, MessageReply } from '#contract/inbox.calls.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { Mail } from '#dev/mailbox/worker.ts';
import { registerCustomer, signInAdministrator, newEmail, Visitor, type Member } from '../support/visitor.ts';
import { registerVerified } from '../support/cast.ts';
import { mailsTo } from '../support/mailbox.ts';
import { sendMessage } from '../support/messages.ts';
import { placeOrder } from '../support/orders.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { administrator } from '../support/system.ts';

const url = sharedSystem.url;
const staff = await signInAdministrator(url);

interface Incoming {
  readonly from: string;
  readonly to: string;
  /** The sender of the envelope; by default `from`. */
  readonly envelope?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Delivers an email. @returns why it was rejected; null if it was accepted */
async function deliver({ from, to, envelope = from, headers = {}, body = 'Yes, please.' }: Incoming) {
  const all = {
    From: `Somebody <${from}>`,
    To: to,
    'Message-ID': `<${randomUUID()}@people.example>`,
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const address = `/dev/mailbox?${new URLSearchParams({ from: envelope, to }).toString()}`;
  const mail = [...head, '', body].join('\r\n');
  const answer = await new Visitor(url).post(address, mail, {
    headers: { 'Content-Type': 'message/rfc822' },
  });
  if (answer.status !== 200) return `failed: ${answer.status}`;
  return (answer.json as { refusal: string | null }).refusal;
}

async function repliedMessage(email = newEmail('sender')): Promise<{ message: Message; replyTo: string }> {
  const message = await sendMessage(new Visitor(url), { email });
  await staff.post(`/api/message/${message._id}/replies`, { text: 'Two pages.' });
  const [mail] = await mailsTo(url, message.email, ({ subject }) => subject.includes(message.subject));
  return { message, replyTo: mail?.replyTo ?? '' };
}

const repliesTo = async ({ _id }: Message) =>
  (await staff.get(`/api/message/${_id}/replies`)).json as MessageReply[];
const readMessage = async ({ _id }: Message) => (await staff.get(`/api/message/${_id}`)).json as Message;
const conversationOf = async ({ _id }: Order) =>
  (await staff.get(`/api/order/${_id}/messages`)).json as Conversation;

async function orderWithMail(): Promise<{ customer: Member; order: Order; replyTo: string }> {
  const customer = await registerVerified(url, 'answers');
  const order = await placeOrder(customer);
  const [mail] = await mailsTo(url, customer.email, ({ text }) => text.includes(order._id));
  return { customer, order, replyTo: mail?.replyTo ?? '' };
}

test('An emailed answer to a reply appears below its message, with the quoted text separate, and the business gets an email', async () => {
  const { message, replyTo } = await repliedMessage();
  expect(replyTo).toMatch(/^reply\+[a-z0-9]+@firm\.example$/);
  const body = 'Two are enough.\r\n\r\nOn Mon, Nov 2, 2026 Acme wrote:\r\n> Two pages.';
  expect(await deliver({ from: message.email, to: replyTo, body })).toBeNull();
  expect(await repliesTo(message)).toMatchObject([
    { side: 'staff', text: 'Two pages.', quoted: '' },
    {
      side: 'customer',
      text: 'Two are enough.',
      quoted: 'On Mon, Nov 2, 2026 Acme wrote:\n> Two pages.',
      by: '',
    },
  ]);
  const answered = await readMessage(message);
  expect(answered.messageStatus).toBe('Read');
  expect(answered.newReplyAt).not.toBeNull();
  const { json } = await staff.get('/api/messages?newReply=true');
  expect((json as Message[]).map(({ _id }) => _id)).toContain(message._id);
  const notice = (mail: Mail) => mail.subject === `New reply: ${message.subject}`;
  const [told] = await mailsTo(url, administrator.email, notice);
  expect(told?.text).toContain('Two are enough.');

  await staff.put(`/api/message/${message._id}`, { messageStatus: 'Read' });
  expect((await readMessage(message)).newReplyAt).toBeNull();
});

test('One email that answers two messages is kept with both, and so is another text with the same message id', async () => {
  const first = await repliedMessage();
  const second = await repliedMessage(first.message.email);
  const headers = { 'Message-ID': '<both@people.example>' };
  for (const { replyTo } of [first, second])
    expect(await deliver({ from: first.message.email, to: replyTo, headers })).toBeNull();
  const more = { from: first.message.email, to: second.replyTo, headers, body: 'One more thing.' };
  expect(await deliver(more)).toBeNull();
  expect(await repliesTo(first.message)).toHaveLength(2);
  expect(await repliesTo(second.message)).toHaveLength(3);
});

test('An HTML email becomes text', async () => {
  const { message, replyTo } = await repliedMessage();
  const html = '<div>Yes &amp; <b>soon</b>.<br>Ann<script>alert(1)</script></div>';
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  expect(await deliver({ from: message.email, to: replyTo, headers, body: html })).toBeNull();
  expect((await repliesTo(message)).at(-1)?.text).toBe('Yes & soon.\nAnn');
});

/** The headers and the body of an email with a text and a PDF. */
const withFile = (text: string, name: string) => ({
  headers: {
    'Content-Type': 'multipart/mixed; boundary=part',
    'Message-ID': `<${randomUUID()}@people.example>`,
  },
  body: [
    ...['--part', 'Content-Type: text/plain; charset=utf-8', '', text],
    ...['--part', 'Content-Type: application/pdf', `Content-Disposition: attachment; filename="${name}"`],
    ...['Content-Transfer-Encoding: base64', '', btoa('%PDF-1.7 logo'), '--part--', ''],
  ].join('\r\n'),
});

test('An emailed answer to an email about an order is added to its conversation, with its files', async () => {
  const { customer, order, replyTo } = await orderWithMail();
  const mail = {
    from: customer.email.toUpperCase(),
    to: replyTo,
    ...withFile('Our logo is attached.\r\n\r\n-- \r\nAnn', 'logo.pdf'),
  };
  expect([await deliver(mail), await deliver(mail)]).toEqual([null, null]);
  const { messages, unread } = await conversationOf(order);
  expect(unread).toBe(1);
  expect(messages).toMatchObject([
    {
      side: 'customer',
      text: 'Our logo is attached.',
      quoted: '-- \nAnn',
      files: [{ name: 'logo.pdf', type: 'application/pdf', bytes: 13 }],
    },
  ]);
  const [file] = messages[0]?.files ?? [];
  expect((await staff.get(`/api/order-file/${file?._id ?? ''}`)).text).toBe('%PDF-1.7 logo');
});

test('Another sender, a changed address and an unknown one are refused, and nothing is stored', async () => {
  const { customer, order, replyTo } = await orderWithMail();
  const stranger = newEmail('stranger');
  const changed = replyTo.replace(/.(?=@)/, (last) => (last === '0' ? '1' : '0'));
  for (const mail of [
    { from: stranger, to: replyTo },
    // The envelope of a forwarder does not say who wrote the email.
    { from: stranger, envelope: customer.email, to: replyTo },
    { from: customer.email, to: changed },
    { from: customer.email, to: 'reply@firm.example' },
    {
      from: customer.email,
      to: replyTo,
      headers: { From: `<${customer.email}>, <${stranger}>\r\nFrom: <x@y.example>` },
    },
  ])
    expect(await deliver(mail)).toContain('only accepts replies to our emails');
  expect((await conversationOf(order)).messages).toEqual([]);
});

test('Automatic email is refused, so that no loop begins', async () => {
  const { message, replyTo } = await repliedMessage();
  const from = message.email;
  for (const headers of [
    { 'Auto-Submitted': 'auto-replied' },
    { 'Auto-Submitted': 'auto-generated; owner-email="a@b.example"' },
    { Precedence: 'bulk' },
    { 'List-Id': '<list.people.example>' },
    { 'X-Autoreply': 'yes' },
  ])
    expect(await deliver({ from, to: replyTo, headers }), JSON.stringify(headers)).toContain('automatic');
  expect(await deliver({ from, to: replyTo, envelope: '' })).toContain('automatic');
  expect(await deliver({ from, to: replyTo, headers: { 'Auto-Submitted': 'no' } })).toBeNull();
  expect(await repliesTo(message)).toHaveLength(2);
});

test('An emailed answer to a reply is kept with its files, which the staff can download', async () => {
  const { message, replyTo } = await repliedMessage();
  const mail = { from: message.email, to: replyTo, ...withFile('Here is our list.', 'list <1>.pdf') };
  expect(await Promise.all([deliver(mail), deliver(mail)])).toEqual([null, null]);
  expect(await deliver(mail)).toBeNull();
  const answers = (await repliesTo(message)).filter(({ side }) => side === 'customer');
  expect(answers).toMatchObject([
    { text: 'Here is our list.', files: [{ name: 'list <1>.pdf', type: 'application/pdf', bytes: 13 }] },
  ]);
  const notice = ({ subject }: Mail) => subject === `New reply: ${message.subject}`;
  const [told] = await mailsTo(url, administrator.email, notice);
  expect(told?.text).toContain('Attachments: list <1>.pdf');
  const address = `/api/reply-file/${answers[0]?.files[0]?._id ?? ''}`;
  const file = await staff.get(address);
  expect(file.text).toBe('%PDF-1.7 logo');
  expect(file.headers.get('Content-Disposition')).toContain('attachment');
  expect((await (await registerCustomer(url)).get(address)).status).toBe(403);
  await staff.delete(`/api/message/${message._id}`);
  expect((await staff.get(address)).status).toBe(404);
});

test('An email that cannot be stored whole is refused with the reason', async () => {
  const { message, replyTo } = await repliedMessage();
  const from = message.email;
  expect(await deliver({ from, to: replyTo, body: '' })).toContain('empty');
  expect(await deliver({ from, to: replyTo, body: 'x'.repeat(10_001) })).toContain('10,000 characters');
  expect(await deliver({ from, to: replyTo, body: 'x'.repeat(16 * 1024 * 1024) })).toContain('15 MB');
  await staff.delete(`/api/message/${message._id}`);
  expect(await deliver({ from, to: replyTo })).toContain('only accepts replies');
});

test('An address that is not verified gets no way into the conversation of the account', async () => {
  const customer = await registerCustomer(url, newEmail('unverified'));
  const order = await placeOrder(customer);
  const [mail] = await mailsTo(url, customer.email, ({ text }) => text.includes(order._id));
  expect(mail?.replyTo).toBeUndefined();
});
