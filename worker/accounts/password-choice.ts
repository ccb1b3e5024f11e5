/**
 * What a new password may be: length over composition (NIST SP 800-63B, section 3.1.1.2). What guessers try first is
 * refused: common passwords, one character or two repeated, and the names at hand, of the site and of the person.
 */
import { adminPasswordMinLength, normalizeEmail } from '#contract/accounts.ts';
import type { Env } from '../env.ts';
import { invalid } from '../http/errors.ts';
import { senderIn } from '../settings.ts';
import { isCommonPassword } from './common-passwords.ts';

export interface ChosenPassword {
  readonly email: string;
  readonly password: string;
  /** Name of the form's field, which an error names. */
  readonly field?: string;
}

/** Whether a password is shorter than an administrator's must be. */
export const isShort = (password: string): boolean => password.length < adminPasswordMinLength;

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');

/** The names at hand, in letters alone: of the site's host, its sender, and the email before its `@`. */
function namesAtHand({ SITE_URL, MAIL_FROM }: Pick<Env, 'SITE_URL' | 'MAIL_FROM'>, email: string): string[] {
  const { hostname } = new URL(SITE_URL);
  const host = hostname.replace(/^www\./, '');
  const [local = ''] = email.split('@');
  return [host, ...host.split('.'), senderIn(MAIL_FROM)?.name ?? '', local, email]
    .map(lettersOf)
    .filter((name) => name !== '');
}

/** Refuses a password that guessers try first. @throws ApiError 422 */
export function refuseGuessable(
  env: Pick<Env, 'SITE_URL' | 'MAIL_FROM'>,
  { email, password, field = 'password' }: ChosenPassword,
): void {
  const isName = namesAtHand(env, normalizeEmail(email)).includes(lettersOf(password));
  const isRepeated = new Set(password).size < 3;
  if (
    isName ||
    isRepeated ||
    isCommonPassword(password) ||
    normalizeEmail(password) === normalizeEmail(email)
  )
    throw invalid({ [field]: 'This password is easily guessed. Please choose another.' });
}
