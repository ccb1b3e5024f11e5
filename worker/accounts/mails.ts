/** The mails about accounts. */
import { linkTo } from '#contract/screens.ts';
import { type MailContent, writeMail } from '../mail/layout.ts';

interface LinkMail {
  readonly link: string;
}

export const verificationMail = ({ link }: LinkMail): MailContent =>
  writeMail({
    subject: 'Verify your email',
    paragraphs: [
      'Somebody, probably you, signed up with this email.',
      'Open the link and enter the password that you chose, and your email is verified. The link lasts for 24 hours.',
    ],
    action: { label: 'Verify email', href: link },
    closing: [
      'If you did not sign up, leave the email unverified. Should you want the account to be yours, reset its password.',
    ],
  });

export const resetMail = ({ link }: LinkMail): MailContent =>
  writeMail({
    subject: 'Reset your password',
    paragraphs: ['Somebody, probably you, asked for a new password. The link works once, for 10 minutes.'],
    action: { label: 'Choose a new password', href: link },
    closing: ['If it was not you, there is nothing to do: your password stays as it is.'],
  });

export const invitationMail = ({ link }: LinkMail): MailContent =>
  writeMail({
    subject: 'You are invited',
    paragraphs: [
      'An administrator of this site has added you to the people who work on it.',
      'Open the link and choose a password, and you are signed in. The link works once, for 7 days.',
    ],
    action: { label: 'Accept the invitation', href: link },
    closing: [
      'If you do not expect this, there is nothing to do: without the link nobody becomes a member by it.',
    ],
  });

/** @param link to the administration */
export const roleMail = (link: string): MailContent =>
  writeMail({
    subject: 'You have been given a role',
    paragraphs: [
      'An administrator of this site has added you to the people who work on it. Log in as always.',
    ],
    action: { label: 'Open the administration', href: link },
  });

/**
 * @param siteUrl the site's address, from which its reset page is reached
 * @param reason a password that was changed by somebody signed in leaves that device signed in
 * @param hasPasskey whether passkeys open the account too, which a new password leaves as they are
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
    action: { label: 'Reset it if it was not you', href: siteUrl + linkTo('reset') },
    ...(hasPasskey && {
      closing: [
        `Your passkeys and recovery codes open your account as before. Look through them in your account (${siteUrl + linkTo('account')}) and remove any passkey that is not yours.`,
      ],
    }),
  });

export const newEmailMail = ({ link }: LinkMail): MailContent =>
  writeMail({
    subject: 'Confirm your new email',
    paragraphs: [
      'Somebody, probably you, wants to use this email for their account. The link lasts for 24 hours.',
    ],
    action: { label: 'Confirm email', href: link },
    closing: ['If it was not you, there is nothing to do.'],
  });

/** @param siteUrl the site's address, from which its reset page is reached */
export const emailAskedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'Another email for your account',
    paragraphs: ['Somebody who is signed in to your account asked to use another email for it.'],
    action: { label: 'Reset your password if it was not you', href: siteUrl + linkTo('reset') },
  });

/** @param siteUrl the site's address, from which its account page is reached */
export const emailChangedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'The email of your account was changed',
    paragraphs: ['From now on you log in with the new email. Your password stays as it is.'],
    action: { label: 'Open your account', href: siteUrl + linkTo('account') },
    closing: ['If it was not you, answer to the site by its contact page at once.'],
  });

/** @param siteUrl the site's address, from which its account page is reached */
export const googleLinkedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'Your account can be opened with Google',
    paragraphs: ['Somebody with your Google account signed in, and your account here now opens with it too.'],
    action: { label: 'Undo it in your account', href: siteUrl + linkTo('account') },
    closing: ['A new password by "Reset password" undoes it as well.'],
  });

export const accountDeletedMail = (): MailContent =>
  writeMail({
    subject: 'Your account is deleted',
    paragraphs: [
      'Your account and the personal data with it are deleted, as you asked.',
      'Of your orders we keep what accounting needs, without your name, address and email.',
    ],
  });

interface PasskeyMail {
  /** The site's address, from which its account page is reached. */
  readonly siteUrl: string;
  /** The browser and system it came from, never what somebody typed. */
  readonly device: string;
}

export const passkeyAddedMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'A new way to log in to your account',
    paragraphs: [
      `A passkey was added to your account (${device}). From now on your account opens with it: with a fingerprint, a face or the screen lock of a device.`,
    ],
    action: { label: 'Remove it if it was not you', href: siteUrl + linkTo('account') },
    closing: [
      'If it was not you, choose a new password too. A new password alone does not take the passkey away.',
    ],
  });

export const passkeyRemovedMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'A passkey was removed from your account',
    paragraphs: [`It was removed (${device}) and no longer opens your account.`],
    action: { label: 'Look at your account if it was not you', href: siteUrl + linkTo('account') },
  });

/** @param siteUrl the site's address, from which its account page is reached */
export const passkeyRefusedMail = (siteUrl: string): MailContent =>
  writeMail({
    subject: 'We refused a passkey of your account',
    paragraphs: [
      'Somebody showed a passkey of your account that seems to be a copy, and we did not let them in. It may have been you, on a device that was restored from a backup.',
      'Log in another way, remove the passkey that was last used, and add a new one.',
    ],
    action: { label: 'Open your account', href: siteUrl + linkTo('account') },
  });

export const recoveryCodesMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'New recovery codes for your account',
    paragraphs: [`New recovery codes were made for your account (${device}). Earlier ones no longer work.`],
    action: { label: 'Look at your account if it was not you', href: siteUrl + linkTo('account') },
  });

export const recoveryCodeUsedMail = ({ siteUrl, device }: PasskeyMail): MailContent =>
  writeMail({
    subject: 'A recovery code was used',
    paragraphs: [
      `Somebody logged in to your account (${device}) with one of your recovery codes, which is used up now.`,
    ],
    action: { label: 'Look at your account if it was not you', href: siteUrl + linkTo('account') },
    closing: ['If it was not you, make new codes there and remove the passkeys that are not yours.'],
  });
