/** The calls for messages from the contact form and for subscribers. */
import * as z from 'zod';
import { token } from './account-schemas.ts';
import { deliverableEmail } from './accounts.ts';
import type { CallTable, Output } from './call.ts';
import { orderFile } from './conversations.calls.ts';
import { sides } from './conversations.ts';
import { isId } from './ids.ts';
import { honeypotField, maxReplyLength, messageStatuses, subscriberStates, turnstileField } from './inbox.ts';
import { maxPageSize } from './paging.ts';
import { flag, id, line, mine, moment, pageQuery, searched, source, staffMember, text } from './schemas.ts';

export const message = z.strictObject({
  _id: id,
  name: z.string(),
  email: z.string(),
  number: z.string(),
  subject: z.string(),
  message: z.string(),
  messageStatus: z.enum(messageStatuses),
  receivedAt: moment,
  /** When the staff last replied; null before that. */
  repliedAt: moment.nullable(),
  /** When the sender last answered our reply by email; null once the staff has read or answered it. */
  newReplyAt: moment.nullable(),
  /** Where the sender came from; null if unknown. */
  source: source.nullable(),
  /** The staff member who handles it; only in lists, and absent if there is none. */
  assignee: staffMember.optional(),
});
export type Message = Output<typeof message>;

export const messageReply = z.strictObject({
  _id: id,
  /** `customer`: the sender of the message answered by email. */
  side: z.enum(sides),
  text: z.string(),
  /** The quoted text and signature of an emailed reply. */
  quoted: z.string(),
  at: moment,
  /** Files attached to an emailed answer. */
  files: z.array(orderFile),
  /** Email of the author; empty for the sender, and once the author's account is deleted. */
  by: z.string(),
});
export type MessageReply = Output<typeof messageReply>;

const savedAnswer = z.strictObject({ _id: id, title: z.string(), text: z.string() });
export type SavedAnswer = Output<typeof savedAnswer>;

const subscriberState = z.enum(subscriberStates, { error: 'There is no such state.' });

const subscriber = z.strictObject({ _id: id, subemail: z.string(), state: subscriberState });
export type Subscriber = Output<typeof subscriber>;

const honeypot = { [honeypotField]: z.string().max(2_000).optional() };

/** A message from the contact form. A sent `messageStatus` is ignored, because a new message is always UnRead. */
const newMessage = z.strictObject({
  name: line('Please enter your name', 200),
  email: deliverableEmail,
  number: line('Please enter your phone number', 50),
  subject: line('Please enter a subject', 200),
  message: text('Please enter your message', 5_000),
  messageStatus: z.string().max(20).optional(),
  source: source.optional(),
  [turnstileField]: z.string().max(2_048).optional(),
  ...honeypot,
});
export type NewMessage = Output<typeof newMessage>;

const messageStatus = z.enum(messageStatuses, { error: 'There is no such status.' }).optional();

const messageFilters = {
  messageStatus,
  /** Part of a name, an email, a subject or a text. Only the newest messages are searched (`searchedMessages`). */
  q: searched.optional(),
  mine,
  /** Only messages whose sender has answered our reply. */
  newReply: flag('newReply'),
};

/** The ids of the messages before and after a message in the list; null at its ends. */
const neighbors = z.strictObject({ newer: id.nullable(), older: id.nullable() });
export type MessageNeighbors = Output<typeof neighbors>;

export const inboxCalls = {
  'GET /turnstile': {
    about: 'Returns the key with which the contact form opens the Turnstile widget, or null.',
    who: 'anyone',
    answer: z.strictObject({ siteKey: z.string().nullable() }),
  },
  'POST /add-message': {
    about: 'Sends a message to the business.',
    who: 'anyone',
    accepts: 'form',
    headers: ['Idempotency-Key'],
    body: newMessage,
    answer: message,
    status: 201,
    problems: [403, 409, 429],
  },
  'GET /messages': {
    about: 'Lists messages, newest first.',
    who: 'messages',
    query: pageQuery.extend(messageFilters),
    answer: z.array(message),
  },
  'GET /message/:id': { about: 'Returns one message.', who: 'messages', answer: message },
  'PUT /message/:id': {
    about: 'Marks a message and the new replies to it Read. A message cannot become UnRead again.',
    who: 'messages',
    body: z.strictObject({
      messageStatus: z.literal('Read', { error: 'A message can only be marked Read.' }),
    }),
    answer: message,
  },
  'GET /message/:id/neighbors': {
    about: 'Returns the messages before and after one in a list.',
    who: 'messages',
    query: z.strictObject(messageFilters),
    answer: neighbors,
  },
  'GET /message/:id/replies': {
    about: 'Lists the replies to a message and the emailed answers of its sender, oldest first.',
    who: 'messages',
    answer: z.array(messageReply),
  },
  'POST /message/:id/replies': {
    about: 'Emails a reply to the sender of a message, and marks the message Read.',
    who: 'messages',
    body: z.strictObject({ text: text('Please enter a reply.', maxReplyLength) }),
    answer: messageReply,
    status: 201,
    headers: ['Idempotency-Key'],
  },
  'GET /reply-file/:id': {
    about: 'Downloads a file that came with an emailed answer, as an attachment.',
    who: 'messages',
    answer: 'application/octet-stream',
  },
  'GET /saved-answers': {
    about: 'Lists the texts that the staff inserts into replies, by title.',
    who: 'messages',
    answer: z.array(savedAnswer),
  },
  'PUT /saved-answer/:id': {
    about:
      'Adds a saved answer, or changes the one with this id. `{name}` in its text is the name of the customer.',
    who: 'administrator',
    body: z.strictObject({
      title: line('Please enter a title.', 100),
      text: text('Please enter a reply.', maxReplyLength),
    }),
    answer: savedAnswer,
    problems: [409],
  },
  'DELETE /saved-answer/:id': {
    about: 'Deletes a saved answer.',
    who: 'administrator',
    audited: 'setting',
  },
  'DELETE /message/:id': { about: 'Deletes a message.', who: 'messages', audited: 'removal' },
  'DELETE /messages': {
    about: 'Deletes several messages. Messages that no longer exist are ignored.',
    who: 'messages',
    body: z.strictObject({
      ids: z
        .array(z.string().refine(isId), { error: 'Give the ids of the messages.' })
        .min(1, 'Choose at least one message.')
        .max(maxPageSize, `At most ${maxPageSize} messages at once.`),
    }),
    answer: z.strictObject({ deleted: z.int() }),
  },
  'GET /messages.csv': {
    about: 'Exports all matching messages, newest first.',
    who: 'messages',
    audited: 'export',
    confirmed: true,
    query: z.strictObject({ messageStatus }),
    answer: 'text/csv',
  },
  'POST /add-subscriber': {
    about:
      'Emails a link that confirms the subscription to the address. The response is the same if the address is already on the list.',
    who: 'anyone',
    accepts: 'form',
    headers: ['Idempotency-Key'],
    body: z.strictObject({ subemail: deliverableEmail, ...honeypot }),
    answer: z.strictObject({ subemail: z.string() }),
    status: 201,
    problems: [429],
  },
  'POST /confirm-subscription': {
    about: 'Confirms a subscription with the emailed link.',
    who: 'anyone',
    accepts: 'form',
    body: z.strictObject({ token }),
    problems: [429],
  },
  'GET /unsubscribe/:id': {
    about: 'Redirects from the unsubscribe link to the page with the button.',
    who: 'anyone',
    answer: 'page',
  },
  'POST /unsubscribe/:id': {
    about:
      'Removes an address from the list with its unsubscribe link (RFC 8058). The response is the same for every link.',
    who: 'anyone',
    accepts: 'one-click',
    problems: [429],
  },
  'GET /subscribers': {
    about: 'Lists subscribers, newest first.',
    who: 'customers',
    query: pageQuery,
    answer: z.array(subscriber),
  },
  'DELETE /subscriber/:id': { about: 'Removes a subscriber.', who: 'customers', audited: 'removal' },
  'GET /subscribers.csv': {
    about: 'Exports all subscribers, or those with a state, with the unsubscribe link of each.',
    who: 'customers',
    audited: 'export',
    confirmed: true,
    query: z.strictObject({ state: subscriberState.optional() }),
    answer: 'text/csv',
  },
} as const satisfies CallTable;
