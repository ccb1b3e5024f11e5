import { linkTo } from '#contract/screens.ts';
import type { MailContent } from '../mail/layout.ts';

interface LinkMail {
  readonly link: string;
}

/** @param hasPassword false for an account without a password, whose owner signs in with Google or a passkey */
export const verificationMail = ({
  link,
  hasPassword,
}: LinkMail & { readonly hasPassword: boolean }): MailContent => ({
  subject: 'Verify your email',
  paragraphs: [
    'Someone, probably you, signed up with this email.',
    hasPassword
      ? 'To verify it, open the link and enter the password that you chose. The link is valid for 24 hours.'
      : 'To verify it, open the link in the browser where you are logged in, because your account has no password. The link is valid for 24 hours.',
  ],
  action: { label: 'Verify email', href: link },
  closing: [
    'If you did not sign up, you can ignore this email. To make the account yours, reset its password.',
  ],
});

export const resetMail = ({ link }: LinkMail): MailContent => ({
  subject: 'Reset your password',
  paragraphs: [
    'Someone, probably you, asked to reset the password of your account. The link works once and expires in 10 minutes.',
  ],
  action: { label: 'Choose a new password', href: link },
  closing: ['If this was not you, you can ignore this email. Your password will not change.'],
});

/** @param address any address of the site, because the person may not know whose site it is */
const addedBy = (address: string, isStaff: boolean): string =>
  `An administrator of ${new URL(address).host} added you to ${isStaff ? 'its team' : 'its users'}.`;

export const invitationMail = ({ link, isStaff }: LinkMail & { readonly isStaff: boolean }): MailContent => ({
  subject: isStaff ? 'You are invited to work on our site' : 'You are invited to our site',
  paragraphs: [
    addedBy(link, isStaff),
    'Open the link and choose a password to log in. The link works once and expires in 7 days.',
  ],
  action: { label: 'Accept the invitation', href: link },
  closing: [
    'If you did not expect this, you can ignore this email. Nothing happens unless you open the link.',
  ],
});

/** For a user who already has an account. @param siteUrl the site's address */
export const roleMail = (siteUrl: string, isStaff: boolean): MailContent => ({
  subject: isStaff ? 'You can now work on our site' : 'You have been added to our site',
  paragraphs: [`${addedBy(siteUrl, isStaff)} Log in as usual.`],
  action: isStaff
    ? { label: 'Open the admin panel', href: siteUrl + linkTo('admin') }
    : { label: 'Open your account', href: siteUrl + linkTo('account') },
});

/**
 * @param siteUrl the site's address; the email links to its reset page
 * @param reason a signed-in owner who changed the password stays signed in on that device
 * @param hasPasskey whether the account has passkeys, which a new password does not affect
 */
export const passwordChangedMail = (
  siteUrl: string,
  reason: 'reset' | 'changed',
  hasPasskey: boolean,
): MailContent => ({
  subject: 'Your password was changed',
  paragraphs: [
    reason === 'reset'
      ? 'The password of your account was changed, and every device was signed out.'
      : 'The password of your account was changed, and your other devices were signed out.',
  ],
  action: { label: 'Reset your password if this was not you', href: siteUrl + linkTo('reset') },
  ...(hasPasskey && {
    closing: [
      `Your passkeys and recovery codes still work. Check them in your account (${siteUrl + linkTo('account')}) and remove any passkey that is not yours.`,
    ],
  }),
});

export const newEmailMail = ({ link }: LinkMail): MailContent => ({
  subject: 'Confirm your new email',
  paragraphs: [
    'Someone, probably you, wants to use this email for their account. To confirm it, open the link. The link is valid for 24 hours.',
  ],
  action: { label: 'Confirm email', href: link },
  closing: ['If this was not you, you can ignore this email.'],
});

/** The kind of the only email that outlives its account. */
export const farewellKind = 'account-deleted';

export const accountDeletedMail = (): MailContent => ({
  subject: 'Your account has been deleted',
  paragraphs: [
    'We deleted your account and the personal data in it, as you asked.',
    'We keep only what accounting needs from your orders, without your name, address or email.',
  ],
});
