/**
 * Emailed links. A link contains a secret; the database stores its SHA-256. Opening a link does not use it up, because
 * mail scanners open links. Submitting its form does. Links use the configured address of the site, never the Host
 * header of a request.
 */
import { and, eq, gt, inArray, sql, type SQL } from 'drizzle-orm';
import { mailableNext } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { signInTexts } from '#contract/account-rules.ts';
import { assert } from '../db/assert.ts';
import { type Database, type Statement } from '../db/client.ts';
import { hasRow } from '../db/has-row.ts';
import type { Env } from '../env.ts';
import { invalid } from '../http/errors.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';
import { minuteMs } from '../http/clock.ts';
import { hasPasskey } from './find-account.ts';
import { type Occasion, queueLimitedMail } from './limited-mail.ts';
import { newEmailMail, resetMail, verificationMail } from './mails.ts';
import { assertAccount } from './owner.ts';
import { accounts, accountTokens } from './schema.ts';

const links = {
  verify: { page: linkTo('verifyEmail'), lastsMs: 24 * 60 * minuteMs, mail: verificationMail },
  reset: { page: linkTo('resetPassword'), lastsMs: 10 * minuteMs, mail: resetMail },
  email: { page: linkTo('verifyEmail'), lastsMs: 24 * 60 * minuteMs, mail: newEmailMail },
} as const;

type LinkPurpose = keyof typeof links;

interface LinkReader {
  readonly id: string;
  readonly email: string;
  readonly newEmail?: string;
  /** Whether the email may ask for the account's password. Only the email that verifies an address mentions it. */
  readonly hasPassword?: boolean;
  /** The page to continue to. The email contains it only if `mailableNext` allows it. */
  readonly next?: string | undefined;
}

/** The query string that makes a link continue to a page. */
function toNext(next: string | undefined): string {
  const mailed = next === undefined ? undefined : mailableNext(next);
  return mailed === undefined ? '' : `&next=${encodeURIComponent(mailed)}`;
}

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
  const content = mail({ link, hasPassword });
  return [
    assertAccount(db, id),
    db.insert(accountTokens).values({
      id: hashSecret(secret),
      accountId: id,
      purpose,
      newEmail,
      expiresAt: Date.now() + lastsMs,
    }),
    ...queueLimitedMail(db, env, { accountId: id, to, kind: `account-${purpose}`, content }, occasion),
  ];
}

/** The condition that a secret belongs to a valid link. */
const isOf = (secret: string) =>
  and(eq(accountTokens.id, hashSecret(secret)), gt(accountTokens.expiresAt, Date.now()));

/** Finds the owner of a link, as an array of one. It is empty if the link was used, has expired or never existed. */
export const findLinkOwner = (db: Database, secret: string) =>
  db.select({ id: accountTokens.accountId }).from(accountTokens).where(isOf(secret));

/** @throws ApiError 422 if the link was used, has expired or never existed */
export async function findLinkAccount(db: Database, purposes: readonly LinkPurpose[], secret: string) {
  const found = await db
    .select({
      id: accounts.id,
      email: accounts.email,
      emailVerified: sql`${accounts.emailVerifiedAt} is not null`.mapWith(Boolean),
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

export type LinkAccount = Awaited<ReturnType<typeof findLinkAccount>>;

/**
 * The statements that use up a link, for the batch of what the link does. The batch fails if the link is no longer
 * valid, because another form used it, something ended it, or it has expired.
 */
export const consumeLink = (db: Database, secret: string): Statement[] => [
  assert(db, hasRow(accountTokens, isOf(secret))),
  db.delete(accountTokens).where(isOf(secret)),
];

/** The statement that ends an account's links of these kinds. */
export const revokeLinks = (
  db: Database,
  purposes: readonly LinkPurpose[],
  accountId: string | SQL<string>,
): Statement =>
  db
    .delete(accountTokens)
    .where(and(eq(accountTokens.accountId, accountId), inArray(accountTokens.purpose, [...purposes])));
