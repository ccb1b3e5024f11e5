/**
 * Rules for new passwords: length matters, composition does not (NIST SP 800-63B, section 3.1.1.2). We reject the
 * passwords that attackers try first: common ones, one or two repeated characters, and names connected with the site or
 * the person.
 */
import { sql } from 'drizzle-orm';
import { normalizeEmail } from '#contract/account-rules.ts';
import { passwordTexts, staffPasswordMinLength } from '#contract/password-rules.ts';
import { hasAbility } from '#contract/audience.ts';
import { withName } from '../db/firm-name.ts';
import { readTogether, type Database } from '../db/client.ts';
import { contentTables } from '../db/content-tables.ts';
import type { Env } from '../env.ts';
import { invalid } from '../http/errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { recordOfEmail } from './find-account.ts';
import { users } from './schema.ts';

interface ChosenPassword {
  readonly email: string;
  readonly password: string;
  /** Name of the form field that the error is about. */
  readonly field?: string;
}

export const isShort = (password: string): boolean => password.length < staffPasswordMinLength;

/** Rejects a password that is too short for staff. @throws ApiError 422 */
export function refuseShort(password: string, field = 'password'): void {
  if (isShort(password))
    throw invalid({ [field]: `${passwordTexts.short(staffPasswordMinLength)} for an administrator` });
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}]/gu, '');

/** The query for the firm's names in the content: the name of the brand, and the name on receipts. */
export function firmNames(db: Database) {
  const { brand, businessDetails } = contentTables;
  return db
    .select({ name: sql<string>`${brand.name}` })
    .from(brand)
    .unionAll(db.select({ name: withName(businessDetails.legalName) }).from(businessDetails));
}

/** The maximum number of words in a name that we consider. */
const maxWords = 6;

/**
 * The words of a name, separately and joined with the following ones, letters only: 'Penny Mark Ltd' also gives
 * `pennymark`.
 */
function partsOf(name: string): string[] {
  const words = name
    .split(/[^\p{L}\p{M}]+/u)
    .map(lettersOf)
    .filter((word) => word !== '')
    .slice(0, maxWords);
  return words.flatMap((_, from) =>
    words.slice(from).map((_word, index) => words.slice(from, from + index + 1).join('')),
  );
}

/** The names to reject, letters only: from the site's host, the firm, and the part of the email before `@`. */
function namesToRefuse({ SITE_URL }: Pick<Env, 'SITE_URL'>, email: string, firm: readonly string[]) {
  const { hostname } = new URL(SITE_URL);
  const host = hostname.replace(/^www\./, '');
  const [local = ''] = email.split('@');
  const names = [host, ...firm].flatMap(partsOf);
  return new Set([...names.filter((name) => name.length > 2), lettersOf(local), lettersOf(email)]);
}

/**
 * Rejects a password that attackers try first. The comparison with names ignores everything but letters, so adding
 * digits does not help.
 * @param named the result of `firmNames`
 * @throws ApiError 422
 */
export function refuseGuessable(
  env: Pick<Env, 'SITE_URL'>,
  { email, password, field = 'password' }: ChosenPassword,
  named: readonly { readonly name: string }[],
): void {
  const letters = lettersOf(password);
  const firm = named.map(({ name }) => name);
  const isName = letters !== '' && namesToRefuse(env, normalizeEmail(email), firm).has(letters);
  const isRepeated = new Set(password).size < 3;
  if (
    isName ||
    isRepeated ||
    isCommonPassword(password) ||
    normalizeEmail(password) === normalizeEmail(email)
  )
    throw invalid({ [field]: 'This password is easy to guess. Please choose another.' });
}

/**
 * Rejects a password that attackers try first, and a short one for staff.
 * @param isProved whether the caller has proved that they own the email; no one else may learn who is on the staff
 * @throws ApiError 422
 */
export async function checkNewPassword(
  { db, env }: { readonly db: Database; readonly env: Env },
  chosen: ChosenPassword,
  isProved = true,
): Promise<void> {
  const { email, password, field = 'password' } = chosen;
  const recorded = db.select({ role: users.userRole }).from(users).where(recordOfEmail(email));
  const [named, [record]] = await readTogether(db, [firmNames(db), recorded]);
  refuseGuessable(env, chosen, named);
  if (isProved && record && hasAbility(record.role, 'staff')) refuseShort(password, field);
}
