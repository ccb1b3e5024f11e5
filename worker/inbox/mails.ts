/** What the mail about a new message says. */
import { linkTo } from '#contract/screens.ts';
import { writeMail, type MailContent } from '../mail/layout.ts';
import type { MessageRecord } from './schema.ts';

/** Tells the business of a new message. */
export const newMessageMail = (siteUrl: string, message: MessageRecord): MailContent =>
  writeMail({
    subject: `New message: ${message.subject}`,
    paragraphs: ['Somebody has written through the contact form.'],
    facts: [
      ['Name', message.name],
      ['Email', message.email],
      ['Phone', message.number],
      ['Subject', message.subject],
      ['Message', message.message],
    ],
    action: { label: 'Open the message', href: siteUrl + linkTo('message', message._id) },
  });
