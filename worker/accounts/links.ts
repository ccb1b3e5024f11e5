/**
 * Mailed links. A link holds a secret, the database its SHA-256. Opening a link uses nothing up, because mail scanners
 * open links; the form that it shows does. Links begin with the configured address of the site, never with a
 * request's Host.
 */
import { and, eq, exists, gt, inArray } from 'drizzle-orm';
import { mailableNext } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { signInTexts } from '#contract/accounts.ts';
import { assert } from '../db/assert.ts';
import { type Database, type Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import { invalid } from '../http/errors.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';
import { hasPasskey } from './find-account.ts';
import { type Occasion, queueLimitedMail } from './limited-mail.ts';
import { newEmailMail, resetMail, verificationMail } from './mails.ts';
import { assertAccount } from './owner.ts';
import { accounts, accountTokens } from './schema.ts';

const minuteMs = 60_000;

const links = {
  verify: { page: linkTo('verifyEmail'), lastsMs: 24 * 60 * minuteMs, mail: verificationMail },
  reset: { page: linkTo('resetPassword'), lastsMs: 10 * minuteMs, mail: resetMail },
  email: { page: linkTo('verifyEmail'), lastsMs: 24 * 60 * minuteMs, mail: newEmailMail },
} as const;

export type LinkPurpose = keyof typeof links;

interface LinkReader {
  readonly id: string;
  readonly email: string;
  readonly newEmail?: string;
  /** Whether the mail may ask for the account's password; only the one that verifies an email speaks of it. */
  readonly hasPassword?: boolean;
  /** Where they were going. Only what `mailableNext` lets through goes into a mail. */
  readonly next?: string | undefined;
}

/** The query that leads the reader of a link on to where they were going. */
function toNext(next: string | undefined): string {
  const mailed = next === undefined ? undefined : mailableNext(next);
  return mailed === undefined ? '' : `&next=${encodeURIComponent(mailed)}`;
}

/** The statements that make a link and queue the mail that holds it. */
export function linkStatements(
  db: Database,
  env: Env,
  purpose: LinkPurpose,
  { id, email, newEmail, hasPassword = true, next }: LinkReader,
  occasion: Occasion,
): Statement[] {
  const { page, lastsMs, mail } = links[purpose];
  const secret = newSecret();
  const link = `${env.SITE_URL}${page}?token=${secret}${toNext(next)}`;
  const to = newEmail ?? email;
  const content = { accountId: id, to, kind: `account-${purpose}`, ...mail({ link, hasPassword }) };
  return [
    assertAccount(db, id),
    db.insert(accountTokens).values({
      id: hashSecret(secret),
      accountId: id,
      purpose,
      newEmail,
      expiresAt: Date.now() + lastsMs,
    }),
    ...queueLimitedMail(db, env, content, occasion),
  ];
}

/** Whose link it is, and the email that it is about to make theirs. */
export interface LinkAccount {
  readonly id: string;
  readonly email: string;
  readonly passwordVersion: number;
  readonly newEmail: string | null;
  readonly hasPasskey: boolean;
}

/** The condition that a secret belongs to a link that is still valid. */
const isOf = (secret: string) =>
  and(eq(accountTokens.id, hashSecret(secret)), gt(accountTokens.expiresAt, Date.now()));

/** Whose link it is, as a list of one; empty when it is used, too old or made up. */
export const findLinkOwner = (db: Database, secret: string) =>
  db.select({ id: accountTokens.accountId }).from(accountTokens).where(isOf(secret));

/** Whose link this is. @throws ApiError 422 when it is used, too old or made up */
export async function findLinkAccount(
  db: Database,
  purposes: readonly LinkPurpose[],
  secret: string,
): Promise<LinkAccount> {
  const found = await db
    .select({
      id: accounts.id,
      email: accounts.email,
      passwordVersion: accounts.passwordVersion,
      newEmail: accountTokens.newEmail,
      hasPasskey,
    })
    .from(accountTokens)
    .innerJoin(accounts, eq(accounts.id, accountTokens.accountId))
    .where(and(isOf(secret), inArray(accountTokens.purpose, [...purposes])))
    .get();
  if (!found) throw invalid({ token: signInTexts.linkOver });
  return found;
}

/**
 * The statements that use a link up, for the batch of what it does. The batch fails if the link is over by then: since it
 * was looked up, another form has used it, something ended it, or its time ran out.
 */
export const useUpLink = (db: Database, secret: string): Statement[] => [
  assert(db, exists(db.select({ id: accountTokens.id }).from(accountTokens).where(isOf(secret)))),
  db.delete(accountTokens).where(isOf(secret)),
];

/** The statement after which no link of these kinds opens the account any more. */
export const endLinks = (db: Database, purposes: readonly LinkPurpose[], accountId: string): Statement =>
  db
    .delete(accountTokens)
    .where(and(eq(accountTokens.accountId, accountId), inArray(accountTokens.purpose, [...purposes])));
