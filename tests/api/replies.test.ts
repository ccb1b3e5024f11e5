/** Replies to messages of the contact form. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Message, MessageReply } from '#contract/inbox.calls.ts';
import { registerVerified } from '../support/cast.ts';
import { sharedSystem } from '../support/shared-system.ts';
import { newEmail, signInAdministrator, Visitor } from '../support/visitor.ts';

const url = sharedSystem.url;
let staff: Visitor;
beforeAll(async () => {
  staff = await signInAdministrator(url);
});

async function sendMessage(changes: Record<string, unknown> = {}): Promise<Message> {
  const answer = await new Visitor(url).post('/api/add-message', {
    name: 'Ann Example',
    email: newEmail('sender'),
    number: '+1 312 555 0100',
    subject: `Question ${randomUUID()}`,
    message: 'What does Basic include?\nAnd when?',
    ...changes,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Message;
}

const reply = ({ _id }: Message, text: string, key?: string) =>
  staff.post(
    `/api/message/${_id}/replies`,
    { text },
    key === undefined ? {} : { headers: { 'Idempotency-Key': key } },
  );
const readReplies = async ({ _id }: Message) => staff.get(`/api/message/${_id}/replies`);

interface Mail {
  readonly to: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text: string;
}

/** Waits for the mails to an address. */
async function mailsTo(email: string, count: number): Promise<readonly Mail[]> {
  for (;;) {
    const mails = (await new Visitor(url).get('/dev/mailbox')).json as readonly Mail[];
    const found = mails.filter(({ to }) => to === email);
    if (found.length >= count) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

test('A reply is mailed to the sender with the message quoted, is kept, and marks the message Read', async () => {
  const message = await sendMessage();
  const answer = await reply(message, 'Two pages.\n\nWithin 30 days.');
  expect(answer.status, answer.text).toBe(201);
  const [mail] = await mailsTo(message.email, 1);
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

test('A repeated reply is mailed once, and the same key with another text is refused', async () => {
  const message = await sendMessage();
  const key = randomUUID();
  const both = await Promise.all([reply(message, 'Yes.', key), reply(message, 'Yes.', key)]);
  expect(both.map(({ status }) => status)).toEqual([201, 201]);
  expect(both[0].json).toEqual(both[1].json);
  expect((await reply(message, 'No.', key)).status).toBe(422);
  expect((await reply(await sendMessage(), 'Yes.', key)).status).toBe(422);
  await reply(message, 'Something else.');
  const texts = (await mailsTo(message.email, 2)).map(({ text }) => text);
  expect(texts.filter((text) => text.includes('Yes.'))).toHaveLength(1);
});

test('Nobody replies to a deleted message, and its replies are deleted with it', async () => {
  const message = await sendMessage();
  await reply(message, 'Gone soon.');
  expect((await staff.delete(`/api/message/${message._id}`)).status).toBe(204);
  expect((await reply(message, 'Too late.')).status).toBe(404);
  expect((await readReplies(message)).status).toBe(404);
  expect((await reply(await sendMessage(), '   ')).status).toBe(422);
});

test('A person’s export contains the replies to their messages', async () => {
  const member = await registerVerified(url, 'asks');
  const message = await sendMessage({ email: member.email });
  await reply(message, 'An answer for the export.');
  const told = (await member.get('/api/auth/account')).text;
  expect(told).toContain('An answer for the export.');
});

test('The subject of a reply has only one “Re:”', async () => {
  const message = await sendMessage({ subject: `re: Re: Offer ${randomUUID()}` });
  await reply(message, 'Thank you.');
  const [mail] = await mailsTo(message.email, 1);
  expect(mail?.subject).toBe(message.subject.replace('re: Re:', 'Re:'));
});
