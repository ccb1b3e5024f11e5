/** Messages from the contact form, for tests that start with one. */
import { randomUUID } from 'node:crypto';
import type { Message } from '#contract/inbox.calls.ts';
import { newEmail, type Visitor } from './visitor.ts';

/** What the form sends, with a unique sender and subject. */
export const newMessage = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Ann Example',
  email: newEmail('sender'),
  number: '+1 312 555 0100',
  subject: `Question ${randomUUID()}`,
  message: 'What does <b>Basic</b> include?',
  messageStatus: 'UnRead',
  ...changes,
});

/** Sends a message as a person. */
export async function sendMessage(
  sender: Visitor,
  changes?: Readonly<Record<string, unknown>>,
): Promise<Message> {
  const answer = await sender.post('/api/add-message', newMessage(changes));
  if (answer.status !== 201)
    throw new Error(`Sending a message answered ${String(answer.status)}: ${answer.text}`);
  return answer.json as Message;
}
