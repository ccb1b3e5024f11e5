/** The inbox as browser and server agree on it: messages of the contact form, and subscribers. */
import { z } from 'zod';
import { deliverableEmail } from './accounts.ts';
import { isId } from './ids.ts';
import { maxPageSize, pageQuery } from './paging.ts';

export const messageStatuses = ['UnRead', 'Read'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export interface Message {
  readonly _id: string;
  readonly name: string;
  readonly email: string;
  readonly number: string;
  readonly subject: string;
  readonly message: string;
  readonly messageStatus: MessageStatus;
  /** ISO 8601, UTC */
  readonly receivedAt: string;
}

export interface Subscriber {
  readonly _id: string;
  readonly subemail: string;
}

/** Name of the field that people do not see and bots fill in; what comes with it is dropped in silence. */
export const honeypotField = 'website';

const honeypot = { [honeypotField]: z.string().max(2_000).optional() };

/** Name of the field in which Cloudflare's widget puts its token (worker/inbox/turnstile.ts). */
export const turnstileField = 'cf-turnstile-response';

/** Answer of `GET /turnstile`: the key with which the contact form opens the widget; null where there is none. */
export interface TurnstileAnswer {
  readonly siteKey: string | null;
}

const line = (required: string, most: number) =>
  z.string({ error: required }).trim().min(1, required).max(most, `At most ${most} characters.`);

/** Body of `POST /add-message`, as JSON or as a plain form; `messageStatus` is always UnRead whatever is sent. */
export const newMessage = z.strictObject({
  name: line('Please enter your name', 200),
  email: deliverableEmail,
  number: line('Please enter your phone number', 50),
  subject: line('Please enter a subject', 200),
  message: line('Please enter your message', 5_000),
  messageStatus: z.string().max(20).optional(),
  [turnstileField]: z.string().max(2_048).optional(),
  ...honeypot,
});
export type NewMessage = z.output<typeof newMessage>;

/** Body of `POST /add-subscriber`, as JSON or as a plain form. */
export const newSubscriber = z.strictObject({ subemail: deliverableEmail, ...honeypot });

/** Answer of `POST /add-subscriber`, the same for an address that is already on the list. */
export type SubscribeAnswer = Pick<Subscriber, 'subemail'>;

/** Where a plain subscribe form leads: back to its page, at this fragment, whose element says thank you. */
export const subscribedFragment = 'subscribed';

/** Body of `PUT /message/{id}`: there is no way back to UnRead. */
export const messageChange = z.strictObject({
  messageStatus: z.literal('Read', { error: 'A message can only be marked Read.' }),
});

/** Body of `DELETE /messages`: messages to delete together; those that are gone already do not matter. */
export const messagesToDelete = z.strictObject({
  ids: z
    .array(z.string().refine(isId), { error: 'Give the ids of the messages.' })
    .min(1, 'Choose at least one message.')
    .max(maxPageSize, `At most ${maxPageSize} messages at once.`),
});

/** Answer of `DELETE /messages`. */
export interface DeletedMessages {
  /** How many there were. */
  readonly deleted: number;
}

const messageStatusFilter = z.enum(messageStatuses, { error: 'There is no such status.' }).optional();

/** Query of `GET /messages`, newest first. */
export const messagesQuery = z.strictObject({ ...pageQuery.shape, messageStatus: messageStatusFilter });

/** Query of `GET /messages.csv`: all that match, newest first. */
export const messagesExportQuery = z.strictObject({ messageStatus: messageStatusFilter });
