/**
 * Emails about conversations. The email to the staff contains no text of the messages, because customers send website
 * passwords in messages, and these must not reach a mail server. Emails to the customer contain what we wrote, but only
 * for a verified address.
 */
import { messagesFragment } from '#contract/conversations.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { displayDate } from '#contract/days.ts';
import type { MailContent } from '../mail/layout.ts';
import { greeting, orderFacts } from '../orders/mails.ts';
import type { OrderRecord } from '../orders/schema.ts';

/** @param texts our messages that the customer has not read, oldest first; none for an unverified address */
export const messageToCustomerMail = (
  siteUrl: string,
  order: OrderRecord,
  texts: readonly string[],
): MailContent => ({
  subject: `New message about your order ${displayOrderNumber(order.number)}`,
  paragraphs: [
    greeting(order),
    texts.length === 0
      ? 'You have a new message or file about your order.'
      : 'We sent you a message about your order:',
    ...texts,
  ],
  facts: orderFacts(order),
  action: { label: 'Read and reply', href: siteUrl + linkTo('myOrder', order._id) + messagesFragment },
});

export const messageToStaffMail = (siteUrl: string, order: OrderRecord): MailContent => ({
  subject: `A customer wrote about order ${displayOrderNumber(order.number)}`,
  paragraphs: ['A customer sent a message or a file about their order.'],
  facts: orderFacts(order),
  action: { label: 'Read and reply', href: siteUrl + linkTo('order', order._id) + messagesFragment },
});

/**
 * @param given the note and the file names; undefined for an unverified address, which never gets text that
 *   someone typed
 */
export const orderDeliveredMail = (
  siteUrl: string,
  order: OrderRecord,
  given: { readonly note: string; readonly files: readonly string[] } | undefined,
): MailContent => ({
  subject: `Your order is delivered: ${displayNameOf(order)} package`,
  paragraphs: [greeting(order), 'We have delivered your order.', given?.note ?? ''],
  facts: [
    ...orderFacts(order),
    ['Ordered on', displayDate(order.orderDay)],
    ['Files', given?.files.join('\n') ?? ''],
  ],
  action: { label: 'See what we delivered', href: siteUrl + linkTo('myOrder', order._id) },
  closing: ['If anything is missing or unclear, tell us on that page, and we will reply there.'],
});
