import { counted } from '#contract/counted.ts';
import { linkTo } from '#contract/screens.ts';
import type { MailContent } from '../mail/layout.ts';
import type { MessageRecord } from './schema.ts';

/** Notifies the business of a new message. */
export const newMessageMail = (
  siteUrl: string,
  message: Pick<MessageRecord, '_id' | 'name' | 'email' | 'number' | 'subject' | 'message'>,
): MailContent => ({
  subject: `New message: ${message.subject}`,
  paragraphs: ['Someone sent a message through the contact form.'],
  facts: [
    ['Name', message.name],
    ['Email', message.email],
    ['Phone', message.number],
    ['Subject', message.subject],
    ['Message', message.message],
  ],
  action: { label: 'Open the message', href: siteUrl + linkTo('message', message._id) },
});

/** The staff's reply to a message, with the message quoted below. */
export const messageReplyMail = (
  text: string,
  { subject, message, receivedOn }: { subject: string; message: string; receivedOn: string },
): MailContent => ({
  subject: `Re: ${subject}`,
  paragraphs: text.split(/\n{2,}/),
  closing: [`On ${receivedOn} you wrote:`],
  quote: message.replace(/^/gm, '> '),
});

/** Notifies the business that the sender of a message has answered a reply by email. */
export const answeredReplyMail = (
  siteUrl: string,
  { _id, name, email, subject }: Pick<MessageRecord, '_id' | 'name' | 'email' | 'subject'>,
  { text, files }: { readonly text: string; readonly files: readonly { readonly name: string }[] },
): MailContent => ({
  subject: `New reply: ${subject}`,
  paragraphs: ['The sender replied by email.'],
  facts: [
    ['Name', name],
    ['Email', email],
    ['Subject', subject],
    ['Reply', text],
    ['Attachments', files.map(({ name }) => name).join(', ')],
  ],
  action: { label: 'Read and reply', href: siteUrl + linkTo('message', _id) },
});

/** Asks an address to confirm its newsletter subscription. Contains no text that a person typed. */
export const confirmSubscriptionMail = ({
  link,
  unsubscribe,
  days,
}: {
  readonly link: string;
  readonly unsubscribe: string;
  readonly days: number;
}): MailContent => ({
  subject: 'Please confirm your subscription',
  paragraphs: [
    'Someone, probably you, subscribed this address to our newsletter.',
    `Open the link and press the button to join the list. The link is valid for ${counted(days, 'day')}.`,
  ],
  action: { label: 'Confirm the subscription', href: link },
  closing: [
    'If this was not you, you can ignore this email. You will get no newsletter unless you confirm.',
    `No longer interested? Unsubscribe: ${unsubscribe}`,
  ],
});
