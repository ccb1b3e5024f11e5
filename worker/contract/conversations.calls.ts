/** The calls for an order's conversation, files and delivery. */
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
import { id, moment, optionalText, own } from './schemas.ts';

export const orderFile = z.strictObject({
  _id: id,
  name: z.string(),
  /** Detected from the bytes, not from the name. */
  type: z.enum(Object.keys(fileTypes) as [FileType, ...FileType[]]),
  /** Size in bytes. */
  bytes: z.int(),
});
export type OrderFile = Output<typeof orderFile>;

export const conversationMessage = z.strictObject({
  _id: id,
  /** Position in the conversation, from 1. */
  sequence: z.int(),
  side: z.enum(sides),
  /** For staff, the email of the staff member; otherwise empty. */
  by: z.string(),
  kind: z.enum(messageKinds),
  text: z.string(),
  /** The quoted text and signature of an emailed message; empty for a message typed on the site. */
  quoted: z.string(),
  at: moment,
  files: z.array(orderFile),
});
export type ConversationMessage = Output<typeof conversationMessage>;

const conversation = z.strictObject({
  side: z.enum(sides),
  /** Oldest first. */
  messages: z.array(conversationMessage),
  hasEarlier: z.boolean(),
  /**
   * The `sequence` of the last message that the caller's side has read. Later messages of the other side are unread.
   */
  readTo: z.int(),
  unread: z.int(),
  /** The last delivery and the customer's answer; absent before the first delivery. */
  delivery: conversationMessage.extend({ answer: z.enum(['thanks', 'missing']).nullable() }).optional(),
  /** How many days message texts are kept. Deliveries and files are kept as long as the order. */
  keptDays: z.int(),
  /** Files that the caller uploaded but has not sent with a message. */
  unsentFiles: z.array(
    orderFile.extend({
      /** The idempotency key of the upload; empty without one. */
      key: z.string(),
    }),
  ),
});
export type Conversation = Output<typeof conversation>;

const text = (what: string) => optionalText(maxMessageLength, `Send ${what} as text.`);

const files = z
  .array(z.string().refine(isId), { error: 'Give the ids of the files.' })
  .max(maxMessageFiles, `A message can have at most ${maxMessageFiles} files.`)
  .default([]);

/** A new message. `thanks` and `missing` are a customer's answers to the last delivery. */
const newConversationMessage = z
  .strictObject({
    text: text('your message').default(''),
    files,
    kind: z
      .enum(['message', 'thanks', 'missing'], { error: 'There is no such kind of message.' })
      .default('message'),
    /**
     * With `thanks` and `missing`: the delivery that the customer saw, so that the answer never applies to a newer
     * one.
     */
    delivery: id.optional(),
  })
  .refine(({ kind, delivery }) => (kind === 'message') === (delivery === undefined), {
    path: ['delivery'],
    error: 'Send the id of the delivery with thanks and missing, and with nothing else.',
  })
  .refine(
    ({ kind, text: typed, files: given }) =>
      kind === 'thanks' || typed !== '' || (kind === 'message' && given.length > 0),
    { path: ['text'], error: 'Please enter your message.' },
  );
export type NewConversationMessage = Output<typeof newConversationMessage>;

const unreadConversation = z.strictObject({
  orderId: id,
  orderNumber: z.int(),
  customerName: z.string(),
  unread: z.int(),
  /** When the last unread message arrived. */
  at: moment,
});
export type UnreadConversation = Output<typeof unreadConversation>;

const orderStatusChange = z
  .strictObject({
    orderStatus: z.enum(orderStatuses, { error: 'Choose Pending or Delivered.' }),
    /** A note to the customer about the delivery. */
    note: text('the note').default(''),
    files,
  })
  .refine(
    ({ orderStatus, note, files: given }) =>
      orderStatus === 'Delivered' || (note === '' && given.length === 0),
    { path: ['note'], error: 'Only a delivery takes a note and files.' },
  );

/** Reads the messages before the message with this `sequence`. */
const conversationQuery = z.strictObject({
  before: z.coerce.number({ error: 'Give a whole number.' }).int('Give a whole number.').min(1).optional(),
});

export const conversationCalls = {
  'GET /order/:id/messages': {
    about: 'Returns the conversation about an order, for its customer and the staff, newest message last.',
    who: 'account',
    query: conversationQuery,
    answer: conversation,
  },
  'POST /order/:id/messages': {
    about: 'Writes a message to the other side, with files that were uploaded before.',
    who: 'account',
    body: newConversationMessage,
    answer: conversationMessage,
    status: 201,
    problems: [409, 429],
    headers: ['Idempotency-Key'],
  },
  'PUT /order/:id/messages': {
    about: "Marks the other side's messages as read, up to `readTo`.",
    who: 'account',
    body: z.strictObject({ readTo: z.int('Give the place of a message.').min(0) }),
  },
  'GET /unread-messages': {
    about:
      "Lists at most 100 conversations with unread messages, newest first: the caller's own, or everybody else's for staff who do not send `own`.",
    who: 'account',
    query: z.strictObject({ own }),
    answer: z.array(unreadConversation),
  },
  'POST /order/:id/files': {
    about:
      'Uploads a file as raw bytes. A file has at most 25 MiB, an order at most 100 files. A message or a delivery then sends the file.',
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
    about: 'Downloads a file as an attachment.',
    who: 'account',
    answer: 'application/octet-stream',
  },
  'DELETE /order-file/:id': {
    about: 'Deletes a file of the caller that no message has sent yet.',
    who: 'account',
    audited: 'removal',
    problems: [409],
  },
  'PUT /order-status/:id': {
    about:
      'Marks an order Delivered and emails the customer a note and the names of files, or marks it Pending again.',
    who: 'orders',
    body: orderStatusChange,
    answer: order,
    problems: [409],
  },
} as const satisfies CallTable;
