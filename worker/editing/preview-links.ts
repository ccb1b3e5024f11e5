/** Links that let anyone see a release before it is published, for seven days or until they are revoked. */
import { and, eq, gt, lt } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import { releases } from '../content/schema.ts';
import type { Database } from '../db/client.ts';
import { deleteSome } from '../db/delete-some.ts';
import type { Env } from '../env.ts';
import { hashSecret, newSecret } from '../http/secrets.ts';
import { dayMs } from '../http/clock.ts';
import { changeRelease, readRelease, type StoredRelease } from './releases.ts';
import { previewLinks } from './schema.ts';

const lastsMs = 7 * dayMs;

/** The path prefix of a preview's pages. */
export const previewPath = (token: string): string => `/preview/${token}`;

/**
 * Creates a link to an open release. Earlier links stay valid.
 * @throws ApiError 404, 409
 */
export async function makePreviewLink(
  db: Database,
  env: Pick<Env, 'SITE_URL'>,
  caller: Account,
  id: string,
): Promise<string> {
  const token = newSecret();
  const expiresAt = Date.now() + lastsMs;
  const row = { tokenHash: hashSecret(token), releaseId: id, expiresAt };
  await changeRelease(db, id, caller, () => ({
    statements: [db.insert(previewLinks).values(row)],
    after: { previewUntil: String(expiresAt) },
  }));
  return `${env.SITE_URL}${previewPath(token)}/`;
}

/** @throws ApiError 404, 409 */
export const revokePreviewLinks = (db: Database, caller: Account, id: string): Promise<void> =>
  changeRelease(db, id, caller, (stored) => ({
    statements: [db.delete(previewLinks).where(eq(previewLinks.releaseId, id))],
    before: { previewUntil: String(stored.previewUntil ?? '') },
  }));

/** The release that a secret gives access to; undefined if the secret is unknown or has expired. */
export async function findPreviewed(
  db: Database,
  token: string,
  now: number,
): Promise<StoredRelease | undefined> {
  const [link] = await db
    .select({ id: previewLinks.releaseId })
    .from(previewLinks)
    .innerJoin(releases, eq(releases._id, previewLinks.releaseId))
    .where(and(eq(previewLinks.tokenHash, hashSecret(token)), gt(previewLinks.expiresAt, now)));
  return link && readRelease(db, link.id);
}

export const sweepPreviewLinks = (db: Database, now: number): Promise<number> =>
  deleteSome(db, previewLinks, lt(previewLinks.expiresAt, now));
