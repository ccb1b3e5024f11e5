/** Computes what an edit would change, without writing anything. */
import type { DryRun } from '#contract/content.calls.ts';
import { contentPages } from '#contract/screens.ts';
import { dayIn } from '#contract/zoned-time.ts';
import { applyChanges, type Edit } from '../content/edits.ts';
import { withArticleRules } from '../content/article-rules.ts';
import { describeChange } from '../content/history.ts';
import { withLongTexts } from '../content/long-texts.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import { checkMedia } from '../media/uses.ts';
import type { LiveContent } from './page-set.ts';
import { readLive } from './live-content.ts';
import { renderLinkingArticles } from './linking-articles.ts';
import { ownPages } from './record-pages.ts';
import { checkArticlePaths, checkPages, checkRedirects } from './redirects.ts';
import { renderPages } from './render.ts';

interface DryRunContext {
  readonly db: Database;
  readonly env: Env;
  readonly live: LiveContent;
  readonly exceptRelease?: string;
  readonly at?: number;
}

/**
 * @param exceptRelease the release that the edit comes from
 * @param at when the edit would be published, in ms; now by default
 * @throws ApiError of the edit, or 422 that names a page that would not render
 */
export async function dryRun(
  { db, env, live, exceptRelease, at = Date.now() }: DryRunContext,
  edit: Edit,
): Promise<DryRun> {
  const before =
    (await withLongTexts(db, live.content, edit.reads)) ?? (await readLive(db, edit.reads)).content;
  const today = dayIn(env.SITE_TIMEZONE, at);
  const changes = withArticleRules(before, edit(before), { today });
  const content = applyChanges(before, changes);
  const paths = [...contentPages.map(({ pattern }) => pattern), ...ownPages(content, changes)];
  checkArticlePaths(content, changes);
  await checkRedirects(content, changes, env);
  await checkMedia(content, changes, { db, env, exceptRelease });
  const rendered = await renderPages(paths, content);
  const changed = rendered.filter(({ path, etag }) => live.pages.get(path)?.etag !== etag);
  const all = [...rendered, ...(await renderLinkingArticles(db, content, changes))];
  await checkPages(content, changes, { changed, all }, env);
  return {
    revision: live.revision,
    changes: changes.map(({ section, action, before, after }) =>
      describeChange({
        section,
        action,
        recordId: (after ?? before)?._id ?? '',
        before: before?.values,
        after: after?.values,
      }),
    ),
    pages: changed.map(({ path, sections }) => ({
      path,
      sections: [...new Set(changes.map(({ section }) => section))].filter((section) =>
        sections.has(section),
      ),
    })),
  };
}
