/** The calls on an order's conversation, its files and its delivery. */
import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import {
  fileTypes,
  maxMessageFiles,
  maxMessageLength,
  messageKinds,
  sides,
  type FileType,
} from './conversations.ts';
import { isId } from './ids.ts';
import { orderStatuses } from './orders.ts';
import { order } from './orders.calls.ts';
import { id, moment, optionalLine } from './schemas.ts';

export const orderFile = z.strictObject({
  _id: id,
  name: z.string(),
  /** Found in the bytes, whatever its name says. */
  type: z.enum(Object.keys(fileTypes) as [FileType, ...FileType[]]),
  /** Size. */
  bytes: z.int(),
});
export type OrderFile = Output<typeof orderFile>;

export const conversationMessage = z.strictObject({
  _id: id,
  /** Place in the conversation, from 1. */
  sequence: z.int(),
  side: z.enum(sides),
  /** Email of the staff member, for administrators; otherwise empty. */
  by: z.string(),
  kind: z.enum(messageKinds),
  text: z.string(),
  at: moment,
  files: z.array(orderFile),
});
export type ConversationMessage = Output<typeof conversationMessage>;

export const conversation = z.strictObject({
  /** Which side the caller is on. */
  side: z.enum(sides),
  /** Oldest first, the newest last. */
  messages: z.array(conversationMessage),
  /** Whether there are messages before these. */
  hasEarlier: z.boolean(),
  /** The last message that the caller's side has read, by its place; those of the other side after it are unread. */
  readTo: z.int(),
  /** How many are unread. */
  unread: z.int(),
  /** The last delivery, and what the customer has said to it; absent while nothing was delivered. */
  delivery: conversationMessage.extend({ answer: z.enum(['thanks', 'missing']).nullable() }).optional(),
  /** Whether the delivery has ended it for the customer, until they say that something is missing or we write again. */
  isEnded: z.boolean(),
  /** For how many days the words of messages are kept; deliveries and files stay as long as the order does. */
  keptDays: z.int(),
  /** Files that the caller has sent up and not put into a message yet. */
  unsentFiles: z.array(
    orderFile.extend({
      /** The idempotency key that it was sent up with; empty without one. */
      key: z.string(),
    }),
  ),
});
export type Conversation = Output<typeof conversation>;

const text = (what: string) => optionalLine(maxMessageLength, `Type ${what} as text.`);

const files = z
  .array(z.string().refine(isId), { error: 'Give the ids of the files.' })
  .max(maxMessageFiles, `At most ${maxMessageFiles} files with one message.`)
  .default([]);

/** `thanks` and `missing` are what a customer says to the last delivery. */
export const newConversationMessage = z
  .strictObject({
    text: text('your message').default(''),
    files,
    kind: z
      .enum(['message', 'thanks', 'missing'], { error: 'There is no such kind of message.' })
      .default('message'),
    /** With `thanks` and `missing`: the delivery that was seen, so that no newer one is answered by them. */
    delivery: id.optional(),
  })
  .refine(({ kind, delivery }) => (kind === 'message') === (delivery === undefined), {
    path: ['delivery'],
    error: 'Send the id of the delivery with thanks and missing, and with nothing else.',
  })
  .refine(
    ({ kind, text: typed, files: given }) =>
      kind === 'thanks' || typed !== '' || (kind === 'message' && given.length > 0),
    { path: ['text'], error: 'Please type your message.' },
  );
export type NewConversationMessage = Output<typeof newConversationMessage>;

export const unreadConversation = z.strictObject({
  orderId: id,
  orderNumber: z.int(),
  customerName: z.string(),
  unread: z.int(),
  /** When the last of them came. */
  at: moment,
});
export type UnreadConversation = Output<typeof unreadConversation>;

const orderStatusChange = z
  .strictObject({
    orderStatus: z.enum(orderStatuses, { error: 'Choose Pending or Delivered.' }),
    /** For the customer, with the delivery. */
    note: text('the note').default(''),
    files,
  })
  .refine(
    ({ orderStatus, note, files: given }) =>
      orderStatus === 'Delivered' || (note === '' && given.length === 0),
    { path: ['note'], error: 'Only a delivery takes a note and files.' },
  );

/** Where somebody reads on: before the earliest message that they have. */
const conversationQuery = z.strictObject({
  before: z.coerce.number({ error: 'Give a whole number.' }).int('Give a whole number.').min(1).optional(),
});

export const conversationCalls = {
  'GET /order/:id/messages': {
    about: 'The conversation on an order, for its customer and administrators: the newest messages last.',
    who: 'account',
    query: conversationQuery,
    answer: conversation,
  },
  'POST /order/:id/messages': {
    about: 'Writes to the other side, with files that were sent up before.',
    who: 'account',
    body: newConversationMessage,
    answer: conversationMessage,
    status: 201,
    problems: [409, 429],
    headers: ['Idempotency-Key'],
  },
  'PUT /order/:id/messages': {
    about: "Marks the other side's messages read, up to a place.",
    who: 'account',
    body: z.strictObject({ readTo: z.int('Give the place of a message.').min(0) }),
  },
  'GET /unread-messages': {
    about:
      "Conversations with unread messages, the newest first, at most 100: the caller's own; everybody else's for an administrator, unless `own` is asked for.",
    who: 'account',
    query: z.strictObject({
      own: z.literal('true', { error: 'Send own=true or leave it out.' }).optional(),
    }),
    answer: z.array(unreadConversation),
  },
  'POST /order/:id/files': {
    about:
      'Takes a file as raw bytes, at most 25 MiB and 100 an order; a message or a delivery then sends it.',
    who: 'account',
    accepts: 'bytes',
    query: z.strictObject({
      name: z
        .string({ error: 'Send the name of the file.' })
        .trim()
        .min(1, 'Send the name of the file.')
        .max(300, 'This name is too long: at most 300 characters.'),
    }),
    answer: orderFile,
    status: 201,
    problems: [409, 429],
    headers: ['Idempotency-Key'],
  },
  'GET /order-file/:id': {
    about: 'A file, as an attachment.',
    who: 'account',
    answer: 'application/octet-stream',
  },
  'DELETE /order-file/:id': {
    about: "Takes back a file of the caller's that no message has sent yet.",
    who: 'account',
    audited: 'removal',
    problems: [409],
  },
  'PUT /order-status/:id': {
    about: 'Marks an order Delivered, which mails its customer with a note and files, or Pending again.',
    who: 'orders',
    body: orderStatusChange,
    answer: order,
    problems: [409],
  },
} as const satisfies CallTable;
