/** The inbox as browser and server agree on it: messages of the contact form, and subscribers. */
import type { Shape } from './call.ts';
import type * as calls from './calls/inbox.ts';

export const messageStatuses = ['UnRead', 'Read'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export type Message = Shape<typeof calls.message>;
export type NewMessage = Shape<typeof calls.newMessage>;
export type Subscriber = Shape<typeof calls.subscriber>;

/** Name of the field that people do not see and bots fill in; what comes with it is dropped in silence. */
export const honeypotField = 'website';

/** Name of the field in which Cloudflare's widget puts its token (worker/limits/turnstile.ts). */
export const turnstileField = 'cf-turnstile-response';

/** Where a plain subscribe form leads: back to its page, at this fragment, whose element says thank you. */
export const subscribedFragment = 'subscribed';
