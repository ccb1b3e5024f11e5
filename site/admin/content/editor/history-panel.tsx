/** The history of a record: who changed what and when, and the way back to any earlier version. */
import { useState } from 'react';
import type { HistoryEntry } from '#contract/content.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import type { PageQuery } from '#contract/schemas.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { Button } from '#site/ui/button.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { WhenLoaded } from '#site/app/failure.tsx';
import { Panel } from '#site/admin/shell/screen.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { actionTexts } from '../action-texts.ts';
import { api } from '#site/app/call.ts';
import { usePage } from '#site/app/use-page.ts';
import { FieldDifferences } from './difference.tsx';
import { changesBetween } from './record-changes.ts';
import css from './history-panel.module.css';

/** `saves` is sent to nobody: after each of them the first page is read anew. */
const readHistory = (
  { id, page, pageSize }: PageQuery & { readonly id: string; readonly saves: number },
  signal: AbortSignal,
) => api('GET /history/:id', { id, query: { page, pageSize }, signal });

export interface HistoryPanelProps {
  readonly name: SectionName;
  readonly id: string;
  /** Counts the saves: the history is read anew after each. */
  readonly saves: number;
  /** Something typed is not saved yet; restoring would be in its way. */
  readonly isDirty: boolean;
  readonly onRestore: (version: number) => Promise<unknown>;
}

export function HistoryPanel({ name, id, saves, isDirty, onRestore }: HistoryPanelProps) {
  const history = usePage(pageSizes.history, { id, saves }, readHistory);
  const { page, pageCount, setPage } = history;
  const isLast = (entry: HistoryEntry) => page === 1 && entry === history.data?.rows[0];
  const [restoring, setRestoring] = useState<number>();
  return (
    <Panel title="History">
      {isDirty && <p className={css['note']}>Save what you typed before you restore an earlier version.</p>}
      <WhenLoaded loaded={history} lines={3}>
        {({ rows: entries }) =>
          entries.length === 0 ? (
            <p className={css['note']}>Each save of this record will be listed here.</p>
          ) : (
            <ol className={css['entries']}>
              {entries.map((entry) => (
                <li key={`${entry.version} ${entry.action} ${entry.at}`} className={css['entry']}>
                  <Version name={name} entry={entry} isOpen={isLast(entry) && entry.before !== null} />
                  {!isLast(entry) && entry.after && (
                    <Button
                      variant="secondary"
                      size="small"
                      disabled={isDirty}
                      busy={restoring === entry.version}
                      aria-label={`Restore version ${entry.version}`}
                      onClick={() => {
                        setRestoring(entry.version);
                        void onRestore(entry.version).finally(() => setRestoring(undefined));
                      }}
                    >
                      Restore
                    </Button>
                  )}
                </li>
              ))}
            </ol>
          )
        }
      </WhenLoaded>
      <Pagination page={page} pageCount={pageCount} onPage={setPage} label="Pages of the history" />
    </Panel>
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
  const [wasOpened, setWasOpened] = useState(isOpen);
  const { version, action, at, by, before, after } = entry;
  return (
    <details
      className={css['version']}
      open={isOpen}
      onToggle={({ currentTarget }) => setWasOpened((opened) => opened || currentTarget.open)}
    >
      <summary>
        <strong>Version {version}</strong> {actionTexts[action]} by {by ?? 'the set-up'}, <DateTime at={at} />
      </summary>
      {wasOpened && <FieldDifferences changes={changesBetween(name, before, after)} />}
    </details>
  );
}
