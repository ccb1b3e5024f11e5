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
 */
export const passwordChangedMail = (siteUrl: string, reason: 'reset' | 'changed'): MailContent =>
  writeMail({
    subject: 'Your password was changed',
    paragraphs: [
      reason === 'reset'
        ? 'The password of your account was changed, and every device was signed out.'
        : 'The password of your account was changed, and your other devices were signed out.',
    ],
    action: { label: 'Reset it if it was not you', href: siteUrl + linkTo('reset') },
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
