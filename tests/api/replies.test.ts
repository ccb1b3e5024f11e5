/** Replies to messages from the contact form. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Message, MessageReply } from '#contract/inbox.calls.ts';
import { registerVerified } from '../support/cast.ts';
import { mailsTo } from '../support/mailbox.ts';
import { sendMessage } from '../support/messages.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { signInAdministrator, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;
const staff = await signInAdministrator(url);

const send = (changes: Record<string, unknown> = {}) =>
  sendMessage(new Visitor(url), { message: 'What does Basic include?\nAnd when?', ...changes });
const reply = ({ _id }: Message, text: string, key?: string) =>
  staff.post(
    `/api/message/${_id}/replies`,
    { text },
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );
const readReplies = async ({ _id }: Message) => staff.get(`/api/message/${_id}/replies`);

test('A reply is emailed to the sender with the message quoted, is kept, and marks the message Read', async () => {
  const message = await send();
  const answer = await reply(message, 'Two pages.\n\nWithin 30 days.');
  expect(answer.status, answer.text).toBe(201);
  const [mail] = await mailsTo(url, message.email);
  expect(mail).toMatchObject({ subject: `Re: ${message.subject}` });
  expect(mail?.text).toContain('Two pages.\n\nWithin 30 days.');
  expect(mail?.text).toMatch(/On \d\d\/\d\d\/\d{4} you wrote:\n\n> What does Basic include\?\n> And when\?/);
  const kept = (await readReplies(message)).json as MessageReply[];
  expect(kept).toEqual([answer.json]);
  expect(kept[0]).toMatchObject({ by: expect.stringContaining('@') as string });
  expect((await staff.get(`/api/message/${message._id}`)).json).toMatchObject({
    messageStatus: 'Read',
    repliedAt: kept[0]?.at,
  });
});

test('A repeated reply is emailed once, and the same key with another text is refused', async () => {
  const message = await send();
  const key = randomUUID();
  const both = await Promise.all([reply(message, 'Yes.', key), reply(message, 'Yes.', key)]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(both[0].json).toEqual(both[1].json);
  expect((await reply(message, 'No.', key)).status).toBe(422);
  expect((await reply(await send(), 'Yes.', key)).status).toBe(422);
  await reply(message, 'Something else.');
  const texts = (await mailsTo(url, message.email, () => true, 2)).map(({ text }) => text);
  expect(texts.filter((text) => text.includes('Yes.'))).toHaveLength(1);
});

test('Nobody replies to a deleted message, and its replies are deleted with it', async () => {
  const message = await send();
  await reply(message, 'Gone soon.');
  expect((await staff.delete(`/api/message/${message._id}`)).status).toBe(204);
  expect((await reply(message, 'Too late.')).status).toBe(404);
  expect((await readReplies(message)).status).toBe(404);
  expect((await reply(await send(), '   ')).status).toBe(422);
});

test('A person’s export contains the replies to their messages', async () => {
  const member = await registerVerified(url, 'asks');
  const message = await send({ email: member.email });
  await reply(message, 'An answer for the export.');
  const told = (await member.get('/api/auth/account')).text;
  expect(told).toContain('An answer for the export.');
});

test('The subject of a reply has only one “Re:”', async () => {
  const message = await send({ subject: `re: Re: Offer ${randomUUID()}` });
  await reply(message, 'Thank you.');
  const [mail] = await mailsTo(url, message.email);
  expect(mail?.subject).toBe(message.subject.replace('re: Re:', 'Re:'));
});
