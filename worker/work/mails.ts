/** What the mails about the work say. Nothing in those to customers was typed by a customer. */
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { writeMail, type MailContent } from '../mail/layout.ts';
import type { OrderRecord } from '../orders/schema.ts';

type Told = Pick<OrderRecord, '_id' | 'number' | 'packageName'>;

const facts = ({ number, packageName }: Told): [string, string][] => [
  ['Order', displayOrderNumber(number)],
  ['Package', packageName],
];

export const briefReminderMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `We need a few answers to begin: ${order.packageName} package`,
    paragraphs: [
      'Hello,',
      'Your order is paid, and the work begins once we have your answers to a few questions. What you have already typed is saved.',
    ],
    facts: facts(order),
    action: { label: 'Answer the questions', href: siteUrl + linkTo('orderBrief', order._id) },
    closing: ['We do not remind you again.'],
  });

export const briefReopenedMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `Please look at your answers again: ${order.packageName} package`,
    paragraphs: [
      'Hello,',
      'We have opened the questions of your order again, because something is missing or has changed. Your answers are still there: change what is needed, then send them once more.',
    ],
    facts: facts(order),
    action: { label: 'See your answers', href: siteUrl + linkTo('orderBrief', order._id) },
  });

/** Tells the business that a customer has answered. */
export const briefSentMail = (siteUrl: string, order: Told): MailContent =>
  writeMail({
    subject: `Answers received for order ${displayOrderNumber(order.number)}`,
    paragraphs: ['A customer has answered the questions of their order.'],
    facts: facts(order),
    action: { label: 'Read the answers', href: siteUrl + linkTo('order', order._id) },
  });
