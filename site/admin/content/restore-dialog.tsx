/** Shows what restoring a revision would change, by section and page, before it happens. */
import { counted } from '#contract/counted.ts';
import { groupBy } from '#contract/group-by.ts';
import type { PublishedChange, DryRun } from '#contract/content.calls.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { linkToRecord } from '#contract/all-screens.ts';
import { Button } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { LazyDetails } from './editor/lazy-details.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './publications.module.css';
import { actionTexts, titleOf } from './editor/section-texts.ts';
import { FieldDifferences } from './editor/difference.tsx';
import { shownChange } from './editor/record-changes.ts';

interface RestoreDialogProps {
  readonly revision: number;
  /** @param live the live revision used for the comparison */
  readonly onRestore: (live: number) => void;
  readonly onClose: () => void;
}

export function RestoreDialog({ revision, onRestore, onClose }: RestoreDialogProps) {
  const query = useCall('GET /publications/:revision/go-back', { id: String(revision) });
  const { data: seen } = query;
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Restore revision ${revision}?`}
      decline="Cancel"
      actions={
        <Button
          disabled={!seen}
          onClick={() => {
            onClose();
            if (seen) onRestore(seen.revision);
          }}
        >
          Restore
        </Button>
      }
    >
      <p>
        This publishes the content of that revision as a new revision. The library keeps its newer pictures.
        Nothing is lost: you can restore today&apos;s content the same way.
      </p>
      <QueryBoundary query={query} lines={4}>
        {(dryRun) => <WouldChange {...dryRun} />}
      </QueryBoundary>
    </Dialog>
  );
}

function WouldChange({ changes, pages }: DryRun) {
  return (
    <div className={stack(2, css['wouldChange'])}>
      <p>{pages.length === 0 ? 'No page would change.' : `Pages that would change: ${listOf(pages)}.`}</p>
      {Array.from(
        groupBy(changes, ({ section }) => section),
        ([section, changed]) => (
          <SectionChanges key={section} changed={changed} pages={pages} />
        ),
      )}
    </div>
  );
}

const listOf = (pages: DryRun['pages']) => pages.map(({ path }) => path).join(', ');

interface SectionChangesProps {
  readonly changed: readonly PublishedChange[];
  readonly pages: DryRun['pages'];
}

function SectionChanges({ changed, pages }: SectionChangesProps) {
  const [first] = changed;
  if (!first) return null;
  const on = pages.filter(({ sections }) => sections.includes(first.section));
  return (
    <LazyDetails
      summary={
        <>
          {sectionNamed(first.section).title}: {counted(changed.length, 'change')}
          {on.length > 0 && <span className="note"> on {listOf(on)}</span>}
        </>
      }
    >
      {changed.map((change) => (
        <ChangeDetails key={change.recordId} change={change} />
      ))}
    </LazyDetails>
  );
}

interface ChangeDetailsProps {
  readonly change: PublishedChange;
  /** Whether the record still exists, so that it can be opened. */
  readonly isDone?: boolean;
}

/** One record that a publication changed or would change, with its fields before and after. */
export function ChangeDetails({ change, isDone = false }: ChangeDetailsProps) {
  const { section, recordId, title, action, changes } = change;
  return (
    <div className={stack(2, css['change'])}>
      <h3 className="subheading">
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
