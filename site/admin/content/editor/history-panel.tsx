/** The history of a record: who changed what and when, with a button that restores each version. */
import { useState } from 'react';
import type { HistoryEntry } from '#contract/content.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { actionTexts } from './section-texts.ts';
import { usePage } from '#site/app/use-page.ts';
import { FieldDifferences } from './difference.tsx';
import { LazyDetails } from './lazy-details.tsx';
import { changesBetween } from './record-changes.ts';
import { spread, stack } from '#site/ui/layout.ts';
import css from './history-panel.module.css';

interface HistoryPanelProps {
  readonly name: SectionName;
  readonly id: string;
  /** The number of saves. When it changes, the list returns to its first page. */
  readonly saves: number;
  /** Whether there are unsaved changes, which a restore would conflict with. */
  readonly isDirty: boolean;
  /** The version that is being restored. */
  readonly restoring: number | undefined;
  readonly onRestore: (version: number) => void;
}

export function HistoryPanel({ name, id, saves, isDirty, restoring, onRestore }: HistoryPanelProps) {
  const history = usePage('GET /history/:id', { id, pageSize: pageSizes.history });
  const { page, setPage } = history;
  const isLast = (entry: HistoryEntry) => page === 1 && entry === history.data?.rows[0];
  const [seenSaves, setSeenSaves] = useState(saves);
  if (seenSaves !== saves) {
    setSeenSaves(saves);
    setPage(1);
  }
  return (
    <Card title="History">
      {isDirty && <p className="muted">Save what you typed before you restore an earlier version.</p>}
      <QueryBoundary query={history} lines={3}>
        {({ rows: entries }) =>
          entries.length === 0 ? (
            <p className="muted">Each save of this record will be listed here.</p>
          ) : (
            <ol className={stack(0)}>
              {entries.map((entry) => (
                <li
                  key={`${entry.version} ${entry.action} ${entry.at}`}
                  className={spread([2, 4], css['entry'])}
                >
                  <Version name={name} entry={entry} isOpen={isLast(entry) && entry.before !== null} />
                  {!isLast(entry) && entry.after && (
                    <Button
                      variant="secondary"
                      size="small"
                      disabled={isDirty}
                      busy={restoring === entry.version}
                      aria-label={`Restore version ${entry.version}`}
                      onClick={() => onRestore(entry.version)}
                    >
                      Restore
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </QueryBoundary>
      <Pagination list={history} label="Pages of the history" />
    </Card>
  );
}

function Version({
  name,
  entry,
  isOpen,
}: {
  readonly name: SectionName;
  readonly entry: HistoryEntry;
  readonly isOpen: boolean;
}) {
  const { version, action, at, by, before, after } = entry;
  return (
    <LazyDetails
      className={css['version']}
      isOpen={isOpen}
      summary={
        <>
          <strong>Version {version}</strong> {actionTexts[action]} by {by ?? 'the initial setup'},{' '}
          <DateTime at={at} />
        </>
      }
    >
      <FieldDifferences changes={changesBetween(name, before, after)} />
    </LazyDetails>
  );
}
