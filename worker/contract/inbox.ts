/** Words of the inbox: messages from the contact form, and subscribers. */

export const messageStatuses = ['UnRead', 'Read'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** `Waiting`: the owner of the address has not confirmed the subscription with the emailed link yet. */
export const subscriberStates = ['Waiting', 'Confirmed'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/**
 * The name of the hidden field that bots fill in. Some password managers also fill it in, so the message is only
 * marked.
 */
export const honeypotField = 'website';

/** The prefix of a suspected message's subject, in the list, the email and the export. */
export const suspectedMark = '[Possible spam] ';

/** The name of the field that Cloudflare's widget puts its token into (worker/limits/turnstile.ts). */
export const turnstileField = 'cf-turnstile-response';

/** The texts of the newsletter's linked pages, after their form was submitted. */
export const subscriptionTexts = {
  confirmed: 'You are on the list. Every newsletter has a link to unsubscribe.',
  unsubscribed:
    'You are unsubscribed. We will not send any more newsletters to the address that received this link.',
} as const;

/** The URL fragment that a plain subscribe form returns to. The element with this id says thank you. */
export const subscribedFragment = 'subscribed';

/** The maximum length of a reply to a message, in characters. */
export const maxReplyLength = 10_000;

/** How many of the newest messages a search covers. */
export const searchedMessages = 10_000;
