/** One record that a publication changed or would change, with its fields before and after. */
import type { PublishedChange } from '#contract/content.calls.ts';
import { linkToRecord } from '#contract/all-screens.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { actionTexts, titleOf } from './editor/section-texts.ts';
import { FieldDifferences } from './editor/difference.tsx';
import { shownChange } from './editor/record-changes.ts';
import { stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './publications.module.css';

export function ChangeDetails({
  change,
  isDone = false,
}: {
  readonly change: PublishedChange;
  /** Whether the record still exists, so that it can be opened. */
  readonly isDone?: boolean;
}) {
  const { section, recordId, title, action, changes } = change;
  return (
    <div className={stack(2, css['change'])}>
      <h3 className={typography['subheading']}>
        {sectionNamed(section).title} {actionTexts[action]}:{' '}
        {isDone && action !== 'removed' ? (
          <a href={linkToRecord(section, recordId)}>{titleOf(section, title)}</a>
        ) : (
          titleOf(section, title)
        )}
      </h3>
      <FieldDifferences changes={changes.map((each) => shownChange(section, each))} />
    </div>
  );
}
