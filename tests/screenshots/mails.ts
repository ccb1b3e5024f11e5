/** Pictures of every mail that the product sends, each written by its own function. */
import { join } from 'node:path';
import type { Browser } from 'playwright';
import * as accountMails from '#worker/accounts/mails.ts';
import * as conversationMails from '#worker/conversations/mails.ts';
import * as inboxMails from '#worker/inbox/mails.ts';
import { brandMail, type MailContent } from '#worker/mail/layout.ts';
import * as orderMails from '#worker/orders/mails.ts';
import * as alertMails from '#worker/payments/alerts.ts';
import * as workMails from '#worker/work/mails.ts';

/** Every mail of a module. A mail that is missing here does not compile. */
type Pictured<Module> = {
  readonly [Name in keyof Module as Name extends `${string}Mail` ? Name : never]: MailContent;
};

const firm = 'Tallymark';
const site = 'https://www.example.com';
const link = `${site}/a-link?token=4fQ2mX8sJ1`;
const passkey = { siteUrl: site, device: 'Chrome on Windows' };
const email = 'maria@lopezlending.example';
const order = {
  _id: '01a2043d-2144-799b-8577-1e74e72009f1',
  number: 1042,
  packageName: 'Standard',
  priceCents: 49_900,
  orderDay: '2026-03-02',
  transactionId: 'pi_3Q9xLopezLending',
  orderStatus: 'Pending',
  customerName: 'Maria Lopez',
  customerEmail: email,
  customerCountry: 'United States',
} as const;
const step = { title: 'Site review', note: 'Fourteen findings, worst first.' };
const part = { _id: order._id, amountCents: 9950, isLast: false, isOutside: false };

const ofAccounts: Pictured<typeof accountMails> = {
  verificationMail: accountMails.verificationMail({ link, hasPassword: true }),
  resetMail: accountMails.resetMail({ link }),
  invitationMail: accountMails.invitationMail({ link, isStaff: true }),
  roleMail: accountMails.roleMail(`${site}/admin`),
  memberMail: accountMails.memberMail(`${site}/account`),
  passwordChangedMail: accountMails.passwordChangedMail(site, 'changed', true),
  newEmailMail: accountMails.newEmailMail({ link }),
  emailAskedMail: accountMails.emailAskedMail(site),
  emailChangedMail: accountMails.emailChangedMail(site),
  googleLinkedMail: accountMails.googleLinkedMail(site),
  accountDeletedMail: accountMails.accountDeletedMail(),
  passkeyAddedMail: accountMails.passkeyAddedMail(passkey),
  passkeyRemovedMail: accountMails.passkeyRemovedMail(passkey),
  passkeyRefusedMail: accountMails.passkeyRefusedMail(site),
  recoveryCodesMail: accountMails.recoveryCodesMail(passkey),
  recoveryCodeUsedMail: accountMails.recoveryCodeUsedMail(passkey),
};

const ofOrders: Pictured<typeof orderMails> = {
  orderPlacedMail: orderMails.orderPlacedMail(site, order),
  orderPlacedForCustomerMail: orderMails.orderPlacedForCustomerMail(site, order),
  orderReminderMail: orderMails.orderReminderMail(site, order),
  orderExpiredMail: orderMails.orderExpiredMail(site, order),
  orderPaidMail: orderMails.orderPaidMail(site, order, 'questions'),
  orderCancelledMail: orderMails.orderCancelledMail(site, order),
  paymentRefundedMail: orderMails.paymentRefundedMail(site, order),
  orderRefundedMail: orderMails.orderRefundedMail(site, order, {
    ...part,
    note: 'We agreed on the phone that another package fits you better.',
  }),
  refundFailedMail: orderMails.refundFailedMail(site, order, part),
  paidOrderMail: orderMails.paidOrderMail(site, order),
  unpaidOrdersMail: orderMails.unpaidOrdersMail(site, [order, { ...order, number: 1043 }], 12),
};

const ofWork: Pictured<typeof workMails> = {
  briefReminderMail: workMails.briefReminderMail(site, order, false),
  briefReopenedMail: workMails.briefReopenedMail(site, order),
  briefSentMail: workMails.briefSentMail(site, order),
  stepDoneMail: workMails.stepDoneMail(site, order, { ...step, asks: true }),
  planMovedMail: workMails.planMovedMail(site, order),
  stepApprovedMail: workMails.stepApprovedMail(site, order, step),
  changeWantedMail: workMails.changeWantedMail(site, order, { ...step, request: 'Our rate is 6.1%.' }),
};

const ofConversations: Pictured<typeof conversationMails> = {
  messageToCustomerMail: conversationMails.messageToCustomerMail(site, order),
  messageToStaffMail: conversationMails.messageToStaffMail(site, order),
  orderDeliveredMail: conversationMails.orderDeliveredMail(site, order, {
    note: 'Your pages are live. Thank you for working with us.',
    files: ['final-report.pdf', 'pages.zip'],
  }),
};

const ofInbox: Pictured<typeof inboxMails> = {
  newMessageMail: inboxMails.newMessageMail(site, {
    _id: order._id,
    name: order.customerName,
    email,
    number: '(312) 555-0199',
    subject: 'A package for two offices',
    message: 'We lend in Joliet and Aurora.\n\nWhich package fits us?',
  }),
  confirmSubscriptionMail: inboxMails.confirmSubscriptionMail({
    link,
    unsubscribe: `${site}/unsubscribe?token=4fQ2mX8sJ1`,
    days: 7,
  }),
};

const ofAlerts: Pictured<typeof alertMails> = {
  alertMail: alertMails.alertMail(site, [
    { key: 'disputes:1', text: "The customer's bank has taken back a card payment of $499: fraudulent." },
  ]),
};

/** The picture of `orderPaidMail` is called `mail-order-paid`. */
const nameOf = (mail: string) =>
  `mail-${mail.replace(/Mail$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const mails = Object.entries({
  ...ofAccounts,
  ...ofOrders,
  ...ofWork,
  ...ofConversations,
  ...ofInbox,
  ...ofAlerts,
});

/** Takes one picture of each mail and width. Mails look the same in both schemes. */
export async function pictureMails(
  browser: Browser,
  folder: string,
  widths: readonly number[],
): Promise<void> {
  const page = await browser.newPage();
  for (const [mail, content] of mails) {
    await page.setContent(brandMail(content, firm).html);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 600 });
      const path = join(folder, `${nameOf(mail)}.${String(width)}.light.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  await page.close();
}
