/** The emails that notify the owner of an account about a change to how they sign in. */
import type { Account } from '#contract/accounts.ts';
import { linkTo } from '#contract/screens.ts';
import type { Statement } from '../db/client.ts';
import type { RequestDeps } from '../http/app.ts';
import type { MailContent } from '../mail/layout.ts';
import { deviceOf } from './device.ts';
import { queueLimitedMail } from './limited-mail.ts';

interface NoticeFacts {
  /** The browser and system of the request, never text that a person entered. */
  readonly device: string;
  /** Page addresses on the site. */
  readonly account: string;
  readonly reset: string;
  readonly contact: string;
}

const notices = {
  'email-asked': ({ reset }) => ({
    subject: 'Request to change the email of your account',
    paragraphs: [
      'Someone who is logged in to your account asked to change its email. Nothing changes until the new email is confirmed.',
      'If this was you, you do not need to do anything here.',
    ],
    action: { label: 'Reset your password if this was not you', href: reset },
  }),
  'email-changed': ({ account, contact }) => ({
    subject: 'The email of your account was changed',
    paragraphs: ['From now on you log in with the new email. Nothing else about your account has changed.'],
    action: { label: 'Open your account', href: account },
    closing: [`If this was not you, write to us through our contact page (${contact}) right away.`],
  }),
  'google-linked': ({ account }) => ({
    subject: 'You can now log in with Google',
    paragraphs: [
      'Someone, probably you, logged in with your Google account. You can now log in here with it.',
    ],
    action: { label: 'Unlink Google if this was not you', href: account },
    closing: ['Resetting your password also unlinks Google.'],
  }),
  'passkey-added': ({ account, device }) => ({
    subject: 'A new way to log in to your account',
    paragraphs: [
      `A passkey was added to your account (${device}). You can now log in with your fingerprint, face or screen lock.`,
    ],
    action: { label: 'Remove it if this was not you', href: account },
    closing: [
      'If this was not you, choose a new password too. A new password alone does not remove the passkey.',
    ],
  }),
  'passkey-removed': ({ account, device }) => ({
    subject: 'A passkey was removed from your account',
    paragraphs: [
      `Someone using ${device} removed a passkey from your account. Nobody can log in with that passkey anymore.`,
    ],
    action: { label: 'Check your account if this was not you', href: account },
  }),
  'passkey-refused': ({ account }) => ({
    subject: 'We rejected a passkey for your account',
    paragraphs: [
      'Someone used a passkey of your account that seems to be a copy, and we did not let them in. It may have been you, on a device that was restored from a backup.',
      'Log in another way, remove the passkey that was used last, and add a new one.',
    ],
    action: { label: 'Open your account', href: account },
  }),
  'recovery-codes': ({ account, device }) => ({
    subject: 'New recovery codes for your account',
    paragraphs: [
      `New recovery codes were created for your account (${device}). Earlier ones no longer work.`,
    ],
    action: { label: 'Check your account if this was not you', href: account },
  }),
  'recovery-code-used': ({ account, device }) => ({
    subject: 'A recovery code was used',
    paragraphs: [
      `Someone logged in to your account (${device}) with one of your recovery codes. That code no longer works.`,
    ],
    action: { label: 'Check your account if this was not you', href: account },
    closing: ['If this was not you, create new codes there and remove any passkey that is not yours.'],
  }),
} as const satisfies Record<string, (facts: NoticeFacts) => MailContent>;

/** The statements that queue a notice to the owner of an account, within the rate limit of an unverified email. */
export function noticeStatements(
  deps: Pick<RequestDeps, 'db' | 'env' | 'userAgent'>,
  { id, email }: Pick<Account, 'id' | 'email'>,
  kind: keyof typeof notices,
): Statement[] {
  const { db, env } = deps;
  const content = notices[kind]({
    device: deviceOf(deps),
    account: env.SITE_URL + linkTo('account'),
    reset: env.SITE_URL + linkTo('reset'),
    contact: env.SITE_URL + linkTo('contact'),
  });
  return queueLimitedMail(db, env, { accountId: id, to: email, kind, content });
}
