/**
 * Every save is a publication: it reads the content, applies the change in memory, renders the pages, checks them,
 * and writes record, history, revision and changed pages in one batch. The revision is a primary key, so the
 * database refuses one of two concurrent saves. That save starts again on the newer content, and no edit is lost
 * (docs/decisions/publishing.md).
 */
import { eq } from 'drizzle-orm';
import type { Timings } from '#contract/content.calls.ts';
import { newId } from '#contract/ids.ts';
import type { Account } from '#contract/accounts.ts';
import { auditOfRequest } from '../audit/audit.ts';
import { changeStatements, type Edit, type RecordChange } from '../content/edits.ts';
import { historyStatement } from '../content/history.ts';
import { checkPrices, priceChangesIn } from '../content/price-changes.ts';
import { withoutLongTexts } from '../content/long-texts.ts';
import { isBusy, writeUnlessConflict, type Database, type Statement } from '../db/client.ts';
import type { Env } from '../env.ts';
import { ApiError, unavailable } from '../http/errors.ts';
import type { RequestDeps } from '../http/app.ts';
import { describeError } from '../http/log.ts';
import { checkVersion } from '../http/conditional.ts';
import { adopt, remembered } from './live.ts';
import { readLive, wholeIn } from './live-content.ts';
import { hasContent, isFrame, type LiveContent } from './page-set.ts';
import { planSave } from './plan.ts';
import { assertLive, markStatements, pageStatements } from './stored-pages.ts';
import { writeFallbackCopy } from './fallback-copy.ts';
import { purgePages } from './purge.ts';
import { inNoRelease } from '../media/uses.ts';
import { contentHistory, publications } from '../content/schema.ts';

/** How long a save retries before it fails with a 503, in ms. */
const patienceMs = 10_000;

export interface SaveContext extends Pick<RequestDeps, 'db' | 'log' | 'waitUntil'> {
  readonly env: Pick<
    Env,
    'ASSETS' | 'FILES' | 'SITE_URL' | 'SITE_TIMEZONE' | 'PRICE_CHANGES' | 'SUPPORT_TOTALS'
  >;
  /** The account that saves. It has no role in a cron run, which publishes on its behalf. */
  readonly account?: (Pick<Account, 'id'> & Partial<Pick<Account, 'role'>>) | undefined;
  /** The network address of the request; absent for the cron trigger. */
  readonly clientIp?: string | undefined;
  readonly releaseId?: string | undefined;
  /** The ETag of the only revision that the save may apply to, if it depends on one. */
  readonly ifMatch?: string | undefined;
}

export interface Published {
  readonly revision: number;
  readonly changes: readonly RecordChange[];
  /**
   * Paths of the content pages that change, including those that will be rendered at their next request and those that
   * no longer exist (`StalePages.listed`). Frames are never cached, so they are not listed.
   */
  readonly changedPages: readonly string[];
  readonly timings: Timings;
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs the saves of an isolate one after the other, so that they do not conflict in the database. A save that hangs
 * delays the next by at most ten seconds.
 */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const previous = turn;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  turn = promise;
  const patience = new Promise((giveUp) => setTimeout(giveUp, patienceMs));
  await Promise.race([previous, patience]);
  try {
    return await work();
  } finally {
    resolve(undefined);
  }
}

const saved = 'Someone else saved in the meantime, so nothing was changed. Please check it again.';

const msSince = (startedAt: number): number => Math.round(performance.now() - startedAt);

export type Extra = (revision: number) => readonly Statement[];

const priceStatements = (context: SaveContext, changes: readonly RecordChange[]): Statement[] =>
  priceChangesIn(changes).map(({ recordId, packageName, from, to }) =>
    auditOfRequest(context, {
      action: 'setting',
      accountId: context.account?.id ?? '',
      recordId,
      details: `Changed the price of ${packageName} from ${from} to ${to}`,
    }),
  );

/**
 * Prepares everything that a save writes, without writing it.
 * @param readMs how long reading the base state took, in ms
 * @throws ApiError 412 when `ifMatch` names another revision
 */
async function prepare(context: SaveContext, base: LiveContent, readMs: number, edit: Edit, extra: Extra) {
  const startedAt = performance.now();
  const { db, env, account, releaseId, ifMatch } = context;
  const { revision: current } = base;
  const allowed: Edit = {
    ...edit,
    changesTo(before) {
      const changes = edit.changesTo(before);
      if (changes.length > 0) checkVersion(ifMatch, { version: current }, { revision: current }, saved);
      // The prices of a release were checked when they were added to it.
      if (releaseId === undefined) checkPrices(env, account?.role, changes);
      return changes;
    },
  };
  const plan = await planSave(base, allowed, { db, env, releaseId });
  const { changes, content, changed, marked, listed, set, sections } = plan;

  const revision = current + 1;
  const at = Date.now();
  const by = account?.id ?? '';
  const historyId = newId(at);
  const changedPaths = changed.filter((page) => !isFrame(page)).map(({ path }) => path);
  const changedPages = [...changedPaths, ...listed];
  const renderMs = msSince(startedAt);
  const statements = [
    db.insert(publications).values({
      revision,
      at,
      by,
      changedPages,
      readMs,
      renderMs,
    }),
    // Fails if the database was restored in the meantime.
    ...assertLive(db, base, inNoRelease(db, changes, releaseId)),
    // These come before the records, so that their assertions fail the batch first.
    ...extra(revision),
    ...changeStatements(db, changes),
    ...changes.map((change, index) =>
      historyStatement(db, change, { revision, at, by, ...(index === 0 && { id: historyId }) }),
    ),
    ...markStatements(db, marked, revision),
    ...pageStatements(db, changed, revision),
    ...priceStatements(context, changes),
  ];
  return {
    revision,
    changes,
    changedPages,
    /** The paths that the Workers Cache must drop. */
    purged: [...changedPaths, ...marked],
    renderMs,
    /** The live state after the write. */
    next: { revision, publishedAt: at, ...set, content: withoutLongTexts(content), sections },
    statements,
    historyId,
  };
}

/** Whether a write was committed although its response was lost. */
const wasCommitted = async (db: Database, historyId: string): Promise<boolean> =>
  (await db.$count(contentHistory, eq(contentHistory.id, historyId))) > 0;

/** Records how long the write of a publication took. If that fails, the list of publications does not show it. */
const recordWriteMs = ({ db, log }: SaveContext, revision: number, writeMs: number): Promise<unknown> =>
  db
    .update(publications)
    .set({ writeMs })
    .where(eq(publications.revision, revision))
    .catch((error: unknown) => log('publication.timing-write-failed', describeError(error)));

/** Writes what `prepare` prepared, unless another save came first. @returns whether it is written */
const writePrepared = (
  db: Database,
  { statements, historyId }: Awaited<ReturnType<typeof prepare>>,
): Promise<boolean> =>
  writeUnlessConflict(db, statements, 'contentUnchanged').catch(async (error: unknown) => {
    if (isBusy(error)) return false;
    if (await wasCommitted(db, historyId)) return true;
    throw error;
  });

/**
 * One attempt of a save.
 * @param mayTrustMemory whether to start from the content in memory, which may be out of date
 * @returns undefined if it must be repeated on newer content
 */
async function trySave(
  context: SaveContext,
  edit: Edit,
  extra: Extra,
  mayTrustMemory: boolean,
): Promise<Published | undefined> {
  const { db, env, log, waitUntil } = context;
  const known = remembered();
  const readFrom = performance.now();
  const inMemory = mayTrustMemory && hasContent(known) ? await wholeIn(db, known, edit) : undefined;
  const base = inMemory ?? (await readLive(db, edit.reads));
  const readMs = base === known ? 0 : msSince(readFrom);
  const prepared = await prepare(context, base, readMs, edit, extra).catch((error: unknown) => {
    // Only the database's content may cause a refusal.
    if (inMemory && error instanceof ApiError) return undefined;
    throw error;
  });
  if (!prepared) return undefined;
  const { revision, changes, changedPages, purged, next, renderMs } = prepared;
  if (changes.length === 0) {
    // In the database's content, the edit may change something.
    if (inMemory) return undefined;
    return {
      revision: base.revision,
      changes,
      changedPages: [],
      timings: { readMs, renderMs, writeMs: null },
    };
  }
  const writeFrom = performance.now();
  if (!(await writePrepared(db, prepared))) return undefined;
  const timings = { readMs, renderMs, writeMs: msSince(writeFrom) };
  adopt(next);
  waitUntil(writeFallbackCopy(env.FILES, next, log));
  waitUntil(recordWriteMs(context, revision, timings.writeMs));
  log('content.published', { revision, pages: changedPages.length, ...timings });
  if (purged.length > 0) waitUntil(purgePages(purged, log));
  return { revision, changes, changedPages, timings };
}

/**
 * Saves an edit and publishes it, or changes nothing.
 * @param extra more statements for the same batch
 * @throws ApiError what the edit or the checks throw, 412 for another revision, or 503 when the database is busy or
 *   down for too long
 */
export function publish(context: SaveContext, edit: Edit, extra: Extra = () => []): Promise<Published> {
  return inTurn(async () => {
    const deadline = Date.now() + patienceMs;
    for (let attempt = 0; Date.now() < deadline; attempt += 1) {
      const published = await trySave(context, edit, extra, attempt === 0);
      if (published) return published;
      // The first attempt may have failed only because of old memory, so the second follows immediately.
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, Math.random() * 30 * attempt));
    }
    throw unavailable('Many people are saving right now. What you typed is still here; please save again.');
  });
}
