/** The inbox as browser and server agree on it: messages of the contact form, and subscribers. */

export const messageStatuses = ['UnRead', 'Read'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

/** `Waiting`: nobody has confirmed yet, by the mailed link, that the address is theirs and wants the newsletter. */
export const subscriberStates = ['Waiting', 'Confirmed'] as const;
export type SubscriberState = (typeof subscriberStates)[number];

/** The name of the hidden field that bots fill in, and some password managers for people; such a message is marked. */
export const honeypotField = 'website';

/** Name of the field in which Cloudflare's widget puts its token (worker/limits/turnstile.ts). */
export const turnstileField = 'cf-turnstile-response';

/** What the pages of the newsletter's links say once their form was taken. */
export const subscriptionTexts = {
  confirmed: 'You are on the list. Every newsletter has a link that takes you off it again.',
  unsubscribed:
    'You are unsubscribed. We will send no more newsletters to the address that this link came to.',
} as const;

/** Where a plain subscribe form leads: back to its page, at this fragment, whose element says thank you. */
export const subscribedFragment = 'subscribed';
