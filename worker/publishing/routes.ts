/** What is live and what was published: calls of the administrators, and the revision for everyone. */
import { desc, inArray, sql } from 'drizzle-orm';
import type { Hono } from 'hono';
import { buildId } from '#site-renderer';
import { calls } from '../contract/calls.ts';
import { sectionNames, sectionNamed, type SectionName } from '../contract/sections/index.ts';
import { parseValues } from '../content/history.ts';
import { titleFieldOf } from '../contract/section.ts';
import type { AppEnv } from '../http/app.ts';
import { mount } from '../http/mount.ts';
import { readLive } from './live.ts';
import { contentHistory, publications } from './schema.ts';

/** How many publications the list shows. */
const listLength = 50;

type Values = Readonly<Record<string, string>>;

/** The fields whose values differ. */
export function differences(
  before: Values,
  after: Values,
): { field: string; before: string; after: string }[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: before[field] ?? '', after: after[field] ?? '' }))
    .filter((change) => change.before !== change.after);
}

const isSection = (name: string): name is SectionName => (sectionNames as readonly string[]).includes(name);

export function mountPublishing(app: Hono<AppEnv>): void {
  mount(app, calls.publication, async (c) => {
    const live = await readLive(c.var.db);
    const [last] = await c.var.db.select().from(publications).orderBy(desc(publications.revision)).limit(1);
    return c.json({
      revision: live.revision,
      buildId,
      publishedAt: last ? new Date(last.at).toISOString() : null,
      publishedBy: last?.by ?? null,
      pages: Array.from(live.pages.values(), ({ path, html, etag }) => ({
        path,
        bytes: new TextEncoder().encode(html).length,
        etag,
      })),
    });
  });

  mount(app, calls.publications, async (c) => {
    const listed = await c.var.db
      .select()
      .from(publications)
      .orderBy(desc(publications.revision))
      .limit(listLength);
    const entries = await c.var.db
      .select()
      .from(contentHistory)
      .where(
        inArray(
          contentHistory.revision,
          listed.map(({ revision }) => revision),
        ),
      )
      .orderBy(sql`rowid`);
    return c.json(
      listed.map(({ revision, at, by, changedPages, readMs, renderMs }) => ({
        revision,
        at: new Date(at).toISOString(),
        by,
        changedPages: JSON.parse(changedPages) as string[],
        timings: { readMs, renderMs },
        summary: entries
          .filter((entry) => entry.revision === revision)
          .map((entry) => {
            const [before, after] = [parseValues(entry.before) ?? {}, parseValues(entry.after) ?? {}];
            const section = isSection(entry.section) ? sectionNamed(entry.section) : undefined;
            const titleField = section ? titleFieldOf(section) : '';
            return {
              section: entry.section,
              recordId: entry.recordId,
              title: after[titleField] ?? before[titleField] ?? '',
              action: entry.action,
              changes: differences(before, after),
            };
          }),
      })),
    );
  });
}
