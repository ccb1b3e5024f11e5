/** Describes what an edit would change, without writing anything. */
import type { DryRun } from '#contract/content.calls.ts';
import { contentFiles } from '#contract/screens.ts';
import type { Edit } from '../content/edits.ts';
import { describeChange } from '../content/history.ts';
import { readLive, wholeIn } from './live-content.ts';
import { isFrame, type LiveContent } from './page-set.ts';
import { planSave, type PlanContext } from './plan.ts';

/**
 * @param live the live state
 * @throws ApiError of the edit, or 422 that names a page that would not render
 */
export async function dryRun(live: LiveContent, edit: Edit, context: PlanContext): Promise<DryRun> {
  const { db } = context;
  const base = (await wholeIn(db, live, edit)) ?? (await readLive(db, edit.reads));
  // All articles, so that a person sees each broken link of a large release.
  const { changes, rendered, changed } = await planSave(base, edit, context, Infinity);
  const paths = new Set(
    changed.filter((page) => !isFrame(page) && !contentFiles.includes(page.path)).map(({ path }) => path),
  );
  return {
    revision: base.revision,
    changes: changes.map(({ section, action, before, after }) =>
      describeChange({
        section,
        action,
        recordId: (after ?? before)?._id ?? '',
        before: before?.values,
        after: after?.values,
      }),
    ),
    pages: rendered
      .filter(({ path }) => paths.has(path))
      .map(({ path, sections }) => ({
        path,
        sections: [...new Set(changes.map(({ section }) => section))].filter((section) =>
          sections.has(section),
        ),
      })),
  };
}
