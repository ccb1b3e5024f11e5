/**
 * Emails about the work. Emails to customers contain nothing that a customer typed. Our notes go only to verified
 * addresses.
 */
import { displayOrderNumber } from '#contract/orders.ts';
import { displayNameOf } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import type { MailContent } from '../mail/layout.ts';
import { greeting, orderFacts } from '../orders/mails.ts';
import type { OrderRecord } from '../orders/schema.ts';

/** @param isReopened whether the customer sent it before and we opened it again */
export const briefReminderMail = (siteUrl: string, order: OrderRecord, isReopened: boolean): MailContent => ({
  subject: isReopened
    ? `We are still waiting for your answers: ${displayNameOf(order)} package`
    : `We need a few answers: ${displayNameOf(order)} package`,
  paragraphs: [
    greeting(order),
    isReopened
      ? 'We reopened the questions about your order and are waiting for your answers. What you sent before is still there: change what you need to, then send them again.'
      : 'Your order is paid, and we need your answers to a few questions to start our work. What you have already typed is saved.',
  ],
  facts: orderFacts(order),
  action: { label: 'Answer the questions', href: siteUrl + linkTo('orderBrief', order._id) },
  closing: ['We will not remind you again.'],
});

export const briefReopenedMail = (siteUrl: string, order: OrderRecord): MailContent => ({
  subject: `Please look at your answers again: ${displayNameOf(order)} package`,
  paragraphs: [
    greeting(order),
    'We reopened the questions about your order, because something is missing or has changed. Your answers are still there: change what you need to, then send them again.',
  ],
  facts: orderFacts(order),
  action: { label: 'See your answers', href: siteUrl + linkTo('orderBrief', order._id) },
});

export const briefSentMail = (siteUrl: string, order: OrderRecord): MailContent => ({
  subject: `Answers received for order ${displayOrderNumber(order.number)}`,
  paragraphs: ['A customer answered the questions about their order.'],
  facts: orderFacts(order),
  action: { label: 'Read the answers', href: siteUrl + linkTo('order', order._id) },
});

/** Notifies a customer that a step is done or waits for their approval. We wrote the note. */
export const stepDoneMail = (
  siteUrl: string,
  order: OrderRecord,
  { title, note, asks }: { readonly title: string; readonly note: string; readonly asks: boolean },
): MailContent => ({
  subject: asks ? `Please approve: ${title}` : `Done: ${title}`,
  paragraphs: [
    greeting(order),
    asks
      ? 'We finished a step of your order and need your approval before we continue. Tell us if anything should change.'
      : 'We finished a step of your order.',
    note,
  ],
  facts: [['Step', title], ...orderFacts(order)],
  action: {
    label: asks ? 'Approve it or ask for a change' : 'See your order',
    href: siteUrl + linkTo('myOrder', order._id),
  },
});

/** Notifies a customer that steps have new due days. */
export const planMovedMail = (siteUrl: string, order: OrderRecord): MailContent => ({
  subject: `New dates for your order ${displayOrderNumber(order.number)}`,
  paragraphs: [
    greeting(order),
    'We changed the due date of a step in your order. Your order page shows the new date and the original one.',
  ],
  facts: orderFacts(order),
  action: { label: 'See the plan', href: siteUrl + linkTo('myOrder', order._id) },
});

interface MailedAnswer {
  readonly title: string;
  /** Email of the staff member who recorded the answer; absent if the customer answered. */
  readonly recordedBy?: string;
}

/** Notifies the business that a step was approved, and by whom. */
export const stepApprovedMail = (
  siteUrl: string,
  order: OrderRecord,
  { title, recordedBy }: MailedAnswer,
): MailContent => ({
  subject: `Approved: ${title}, order ${displayOrderNumber(order.number)}`,
  paragraphs: [
    recordedBy === undefined
      ? 'A customer approved a step of their order.'
      : `${recordedBy} recorded a customer's approval of a step of their order.`,
  ],
  facts: [['Step', title], ...orderFacts(order)],
  action: { label: 'Open the order', href: siteUrl + linkTo('order', order._id) },
});

export const changeWantedMail = (
  siteUrl: string,
  order: OrderRecord,
  { title, recordedBy, request }: MailedAnswer & { readonly request: string },
): MailContent => ({
  subject: `Change requested: ${title}, order ${displayOrderNumber(order.number)}`,
  paragraphs: [
    recordedBy === undefined
      ? 'A customer asked for a change to a step of their order before approving it.'
      : `${recordedBy} recorded a change that a customer wants before approving a step of their order.`,
  ],
  facts: [['Step', title], ['What to change', request], ...orderFacts(order)],
  action: { label: 'Open the order', href: siteUrl + linkTo('order', order._id) },
});
