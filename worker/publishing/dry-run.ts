/** Describes what an edit would change, without writing anything. */
import type { DryRun } from '#contract/content.calls.ts';
import { contentFiles } from '#contract/screens.ts';
import type { Edit } from '../content/edits.ts';
import { describeChange } from '../content/history.ts';
import { readLive, wholeIn } from './live-content.ts';
import { isFrame, type LiveContent } from './page-set.ts';
import { planSave, type PlanContext } from './plan.ts';
import { sectionsOfRecordPages } from './record-pages.ts';
import type { Rendered } from './render.ts';

/**
 * @param live the live state
 * @throws ApiError what the edit throws, or 422 that names a page that would not render
 */
export async function dryRun(live: LiveContent, edit: Edit, context: PlanContext): Promise<DryRun> {
  const { db } = context;
  const base = (await wholeIn(db, live, edit)) ?? (await readLive(db, edit.reads));
  const { changes, rendered, listed, sections } = await planSave(base, edit, context);
  const changedSections = [...new Set(changes.map(({ section }) => section))];
  const isShown = (page: Rendered) => !isFrame(page) && !contentFiles.includes(page.path);
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
    pages: [
      ...rendered.filter((page) => isShown(page) && base.pages.get(page.path)?.etag !== page.etag),
      ...listed
        .filter((path) => !rendered.some((page) => page.path === path))
        .map((path) => ({ path, sections: sectionsOfRecordPages(sections) })),
    ].map((page) => ({
      path: page.path,
      sections: changedSections.filter((section) => page.sections?.has(section) ?? true),
    })),
  };
}
