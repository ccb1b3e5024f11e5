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

/** Every mail of a module, with its variants: one that is missing here does not compile. */
type Pictured<Module> = {
  readonly [Name in keyof Module as Name extends `${string}Mail` ? Name : never]: readonly MailContent[];
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
  verificationMail: [
    accountMails.verificationMail({ link, hasPassword: true }),
    accountMails.verificationMail({ link, hasPassword: false }),
  ],
  resetMail: [accountMails.resetMail({ link })],
  invitationMail: [true, false].map((isStaff) => accountMails.invitationMail({ link, isStaff })),
  roleMail: [accountMails.roleMail(`${site}/admin`)],
  passwordChangedMail: [
    accountMails.passwordChangedMail(site, 'reset', false),
    accountMails.passwordChangedMail(site, 'changed', true),
  ],
  newEmailMail: [accountMails.newEmailMail({ link })],
  emailAskedMail: [accountMails.emailAskedMail(site)],
  emailChangedMail: [accountMails.emailChangedMail(site)],
  googleLinkedMail: [accountMails.googleLinkedMail(site)],
  accountDeletedMail: [accountMails.accountDeletedMail()],
  passkeyAddedMail: [accountMails.passkeyAddedMail(passkey)],
  passkeyRemovedMail: [accountMails.passkeyRemovedMail(passkey)],
  passkeyRefusedMail: [accountMails.passkeyRefusedMail(site)],
  recoveryCodesMail: [accountMails.recoveryCodesMail(passkey)],
  recoveryCodeUsedMail: [accountMails.recoveryCodeUsedMail(passkey)],
};

const ofOrders: Pictured<typeof orderMails> = {
  orderPlacedMail: [orderMails.orderPlacedMail(site, order)],
  orderPlacedForCustomerMail: [orderMails.orderPlacedForCustomerMail(site, order)],
  orderReminderMail: [orderMails.orderReminderMail(site, order)],
  orderExpiredMail: [orderMails.orderExpiredMail(site, order)],
  orderPaidMail: (['questions', 'work', 'delivered'] as const).map((next) =>
    orderMails.orderPaidMail(site, order, next),
  ),
  orderCancelledMail: [orderMails.orderCancelledMail(site, order)],
  paymentRefundedMail: [orderMails.paymentRefundedMail(site, order)],
  orderRefundedMail: [
    orderMails.orderRefundedMail(site, order, { ...part, note: '' }),
    orderMails.orderRefundedMail(site, order, { ...part, note: '', isLast: true }),
    orderMails.orderRefundedMail(site, order, {
      ...part,
      amountCents: order.priceCents,
      note: 'We agreed on the phone that another package fits you better.',
      isOutside: true,
    }),
  ],
  refundFailedMail: [orderMails.refundFailedMail(site, order, part)],
  paidOrderMail: [
    orderMails.paidOrderMail(site, order),
    orderMails.paidOrderMail(site, { ...order, transactionId: '', orderStatus: 'Delivered' }),
  ],
  unpaidOrdersMail: [
    orderMails.unpaidOrdersMail(site, [order], 1),
    orderMails.unpaidOrdersMail(site, [order, { ...order, number: 1043 }], 12),
  ],
};

const ofWork: Pictured<typeof workMails> = {
  briefReminderMail: [false, true].map((isReopened) => workMails.briefReminderMail(site, order, isReopened)),
  briefReopenedMail: [workMails.briefReopenedMail(site, order)],
  briefSentMail: [workMails.briefSentMail(site, order)],
  stepDoneMail: [false, true].map((asks) => workMails.stepDoneMail(site, order, { ...step, asks })),
  planMovedMail: [workMails.planMovedMail(site, order)],
  stepApprovedMail: [
    workMails.stepApprovedMail(site, order, step),
    workMails.stepApprovedMail(site, order, { ...step, recordedBy: 'owner@agency.example' }),
  ],
  changeWantedMail: [
    workMails.changeWantedMail(site, order, { ...step, request: 'Our rate is 6.1%.' }),
    workMails.changeWantedMail(site, order, {
      ...step,
      request: 'Our rate is 6.1%.',
      recordedBy: 'owner@agency.example',
    }),
  ],
};

const ofConversations: Pictured<typeof conversationMails> = {
  messageToCustomerMail: [conversationMails.messageToCustomerMail(site, order)],
  messageToStaffMail: [conversationMails.messageToStaffMail(site, order)],
  orderDeliveredMail: [
    conversationMails.orderDeliveredMail(site, order, {
      note: 'Your pages are live. Thank you for working with us.',
      files: ['final-report.pdf', 'pages.zip'],
    }),
    conversationMails.orderDeliveredMail(site, { ...order, customerName: '' }, undefined),
  ],
};

const ofInbox: Pictured<typeof inboxMails> = {
  newMessageMail: [
    inboxMails.newMessageMail(site, {
      _id: order._id,
      name: order.customerName,
      email,
      number: '(312) 555-0199',
      subject: 'A package for two offices',
      message: 'We lend in Joliet and Aurora.\n\nWhich package fits us?',
    }),
  ],
  confirmSubscriptionMail: [
    inboxMails.confirmSubscriptionMail({
      link,
      unsubscribe: `${site}/unsubscribe?token=4fQ2mX8sJ1`,
      days: 7,
    }),
  ],
};

const ofAlerts: Pictured<typeof alertMails> = {
  alertMail: [
    alertMails.alertMail(site, [
      {
        key: 'disputes:1',
        text: "The customer's bank has taken back a card payment of $499: fraudulent. Send your evidence in Stripe, or accept the dispute there. The last day for it is 03/09/2026.",
      },
    ]),
  ],
};

/** What a mail's picture is called: `orderPaidMail` is `mail-order-paid`, its second variant `mail-order-paid-2`. */
const nameOf = (mail: string, variant: number) =>
  `mail-${mail
    .replace(/Mail$/, '')
    .replaceAll(
      /[A-Z]/g,
      (letter) => `-${letter.toLowerCase()}`,
    )}${variant === 0 ? '' : `-${String(variant + 1)}`}`;

const mails = Object.entries({
  ...ofAccounts,
  ...ofOrders,
  ...ofWork,
  ...ofConversations,
  ...ofInbox,
  ...ofAlerts,
}).flatMap(([mail, variants]) =>
  variants.map((content, variant) => ({ name: nameOf(mail, variant), ...brandMail(content, firm) })),
);

/** @param widths of the windows; mails have one scheme, and are pictured in both */
export async function pictureMails(
  browser: Browser,
  {
    folder,
    widths,
    schemes,
  }: { folder: string; widths: readonly number[]; schemes: readonly ('light' | 'dark')[] },
): Promise<void> {
  const page = await browser.newPage();
  for (const { name, html } of mails) {
    await page.setContent(html);
    for (const width of widths)
      for (const colorScheme of schemes) {
        await page.setViewportSize({ width, height: 600 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: join(folder, `${name}.${String(width)}.${colorScheme}.png`),
          fullPage: true,
        });
      }
  }
  await page.close();
}
