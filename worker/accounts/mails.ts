/** The mails about accounts. */
import { linkTo } from '#contract/screens.ts';
import { type MailContent, writeMail } from '../mail/layout.ts';

interface LinkMail {
  readonly link: string;
}

/** @param hasPassword false for an account without a password, which opens with Google or a passkey */
export const verificationMail = ({
  link,
  hasPassword,
}: LinkMail & { readonly hasPassword: boolean }): MailContent =>
  writeMail({
    subject: 'Verify your email',
    paragraphs: [
      'Someone, probably you, signed up with this email.',
      hasPassword
        ? 'To verify it, open the link and enter the password that you chose. The link lasts for 24 hours.'
        : 'To verify it, open the link in the browser where you are logged in: your account has no password. The link lasts for 24 hours.',
    ],
    action: { label: 'Verify email', href: link },
    closing: [
      'If you did not sign up, leave the email unverified. If you want the account to be yours, reset its password.',
    ],
  });

export const resetMail = ({ link }: LinkMail): MailContent =>
  writeMail({
    subject: 'Reset your password',
    paragraphs: ['Someone, probably you, asked for a new password. The link works once, for 10 minutes.'],
    action: { label: 'Choose a new password', href: link },
    closing: ['If this was not you, you can ignore this email: your password stays as it is.'],
  });

export const invitationMail = ({ link, isStaff }: LinkMail & { readonly isStaff: boolean }): MailContent =>
  writeMail({
    subject: isStaff ? 'You are invited to work on our site' : 'You are invited to our site',
    paragraphs: [
      `An administrator of this site has added you to ${isStaff ? 'the people who work on it' : 'its users'}.`,
      'Open the link and choose a password to log in. The link works once, for 7 days.',
    ],
    action: { label: 'Accept the invitation', href: link },
    closing: ['If you did not expect this, you can ignore this email: nobody joins without the link.'],
  });

/** For a user who has an account already. @param siteUrl the site's address */
export const roleMail = (siteUrl: string, isStaff: boolean): MailContent =>
  writeMail({
    subject: isStaff ? 'You can now work on our site' : 'You have been added to our site',
    paragraphs: [
      `An administrator of this site has added you to ${isStaff ? 'the people who work on it' : 'its users'}. Log in as usual.`,
    ],
    action: isStaff
      ? { label: 'Open the administration', href: siteUrl + linkTo('admin') }
      : { label: 'Open your account', href: siteUrl + linkTo('account') },
  });

/**
 * @param siteUrl the site's address; the mail links to its reset page
 * @param reason a signed-in owner who changed the password stays signed in on that device
 * @param hasPasskey whether the account has passkeys, which a new password does not affect
 */
export const passwordChangedMail = (
  siteUrl: string,
  reason: 'reset' | 'changed',
  hasPasskey: boolean,
): MailContent =>
  writeMail({
    subject: 'Your password was changed',
    paragraphs: [
      reason === 'reset'
        ? 'The password of your account was changed, and every device was signed out.'
        : 'The password of your account was changed, and your other devices were signed out.',
    ],
    action: { label: 'Reset it if this was not you', href: siteUrl + linkTo('reset') },
    ...(hasPasskey && {
      closing: [
        `Your passkeys and recovery codes open your account as before. Check them in your account (${siteUrl + linkTo('account')}) and remove any passkey that is not yours.`,
      ],
    }),
  });

export const newEmailMail = ({ link }: LinkMail): MailContent =>
  writeMail({
    subject: 'Confirm your new email',
    paragraphs: [
      'Someone, probably you, wants to use this email for their account. The link lasts for 24 hours.',
    ],
    action: { label: 'Confirm email', href: link },
    closing: ['If this was not you, you can ignore this email.'],
  });

/** @param siteUrl the site's address; the mail links to its reset page */
export const emailAskedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'Another email for your account',
    paragraphs: ['Someone who is signed in to your account asked to use another email for it.'],
    action: { label: 'Reset your password if this was not you', href: siteUrl + linkTo('reset') },
  });

/** @param siteUrl the site's address; the mail links to its account page */
export const emailChangedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'The email of your account was changed',
    paragraphs: ['From now on you log in with the new email. Nothing else about your account has changed.'],
    action: { label: 'Open your account', href: siteUrl + linkTo('account') },
    closing: [
      `If this was not you, write to us through our contact page (${siteUrl + linkTo('contact')}) at once.`,
    ],
  });

/** @param siteUrl the site's address; the mail links to its account page */
export const googleLinkedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'You can now log in with Google',
    paragraphs: [
      'Someone, probably you, logged in with your Google account. It now opens your account here too.',
    ],
    action: { label: 'Undo it in your account', href: siteUrl + linkTo('account') },
    closing: ['Resetting your password undoes it as well.'],
  });

/** The kind of the only mail that outlives its account. */
export const farewellKind = 'account-deleted';

export const accountDeletedMail = (): MailContent =>
  writeMail({
    subject: 'Your account is deleted',
    paragraphs: [
      'Your account and the personal data with it are deleted, as you asked.',
      'We keep only what accounting needs from your orders, without your name, address and email.',
    ],
  });

interface PasskeyMail {
  /** The site's address; the mail links to its account page. */
  readonly siteUrl: string;
  /** The browser and system of the request, never text that a person entered. */
  readonly device: string;
}

export const passkeyAddedMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'A new way to log in to your account',
    paragraphs: [
      `A passkey was added to your account (${device}). From now on it opens your account with the fingerprint, face or screen lock of a device.`,
    ],
    action: { label: 'Remove it if this was not you', href: siteUrl + linkTo('account') },
    closing: [
      'If this was not you, choose a new password too. A new password alone does not take the passkey away.',
    ],
  });

export const passkeyRemovedMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'A passkey was removed from your account',
    paragraphs: [`A passkey was removed from your account (${device}). It no longer opens your account.`],
    action: { label: 'Check your account if this was not you', href: siteUrl + linkTo('account') },
  });

/** @param siteUrl the site's address; the mail links to its account page */
export const passkeyRefusedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'We refused a passkey of your account',
    paragraphs: [
      'Someone used a passkey of your account that seems to be a copy, and we did not let them in. It may have been you, on a device that was restored from a backup.',
      'Log in another way, remove the passkey that was last used, and add a new one.',
    ],
    action: { label: 'Open your account', href: siteUrl + linkTo('account') },
  });

export const recoveryCodesMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'New recovery codes for your account',
    paragraphs: [`New recovery codes were made for your account (${device}). Earlier ones no longer work.`],
    action: { label: 'Check your account if this was not you', href: siteUrl + linkTo('account') },
  });

export const recoveryCodeUsedMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'A recovery code was used',
    paragraphs: [
      `Someone logged in to your account (${device}) with one of your recovery codes, which no longer works.`,
    ],
    action: { label: 'Check your account if this was not you', href: siteUrl + linkTo('account') },
    closing: ['If this was not you, make new codes there and remove the passkeys that are not yours.'],
  });
