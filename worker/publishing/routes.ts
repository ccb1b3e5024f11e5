/** The calls that list publications and return the live revision, and the headers of a call that publishes. */
import { desc, getTableColumns, inArray } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import { buildId } from '#site-renderer';
import { publishingCalls } from '#contract/content.calls.ts';
import { contentPages } from '#contract/screens.ts';
import type { Publication } from '#contract/content.calls.ts';
import { describeEntry, entriesQuery, savedByEmail, readRemainingEntries } from '../content/history.ts';
import { readTogether } from '../db/client.ts';
import type { AppEnv } from '../http/app.ts';
import { momentOf } from '../http/clock.ts';
import { mount } from '../http/mount.ts';
import { lookUpLive } from './live.ts';
import type { Published } from './publish.ts';
import { contentHistory, publications } from '../content/schema.ts';

/** The maximum number of publications that the list shows. */
const listLength = 50;

const publicationColumns = { ...getTableColumns(publications), by: savedByEmail(publications.by) };

export function mountPublishing(app: Hono<AppEnv>): void {
  mount(app, publishingCalls, {
    'GET /publication': async ({ c }) => {
      const { db } = c.var;
      const [live, [last]] = await Promise.all([
        lookUpLive(db),
        db.select(publicationColumns).from(publications).orderBy(desc(publications.revision)).limit(1),
      ]);
      return {
        revision: live.revision,
        buildId,
        publishedAt: momentOf(last?.at),
        publishedBy: last?.by ?? null,
        pages: [...live.pages.values()]
          .filter(({ path }) => contentPages.some(({ pattern }) => pattern === path))
          .map(({ path, html, etag }) => ({ path, bytes: new TextEncoder().encode(html).length, etag })),
      };
    },

    'GET /publications': async ({ c }) => {
      const { db } = c.var;
      const newest = () => desc(publications.revision);
      const revisions = db.select({ revision: publications.revision }).from(publications);
      const isListed = inArray(contentHistory.revision, revisions.orderBy(newest()).limit(listLength));
      const [listed, first] = await readTogether(db, [
        db.select(publicationColumns).from(publications).orderBy(newest()).limit(listLength),
        entriesQuery(db, isListed),
      ]);
      const entries = await readRemainingEntries(db, isListed, first);
      const answer = listed.map(
        ({ revision, at, by, changedPages, readMs, renderMs, writeMs }): Publication => ({
          revision,
          at: new Date(at).toISOString(),
          by,
          changedPages,
          timings: { readMs, renderMs, writeMs },
          summary: entries
            .filter((entry) => entry.revision === revision)
            .map(describeEntry)
            .filter((change) => change !== undefined),
        }),
      );
      return answer;
    },
  });
}

export function setPublicationHeaders(
  c: Context<AppEnv>,
  { revision, changedPages, timings }: Published,
): void {
  c.header('X-Content-Revision', String(revision));
  c.header('X-Changed-Pages', changedPages.join(','));
  const { readMs, renderMs, writeMs } = timings;
  const parts = Object.entries({ read: readMs, render: renderMs, write: writeMs });
  // https://www.w3.org/TR/server-timing/
  c.header('Server-Timing', parts.map(([part, ms]) => `${part};dur=${String(ms ?? 0)}`).join(', '));
}
