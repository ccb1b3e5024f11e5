/** The records removed in the last 30 days, each with a button that restores it. */
import { etagOf } from '#contract/etag.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { pageSizes } from '#contract/paging.ts';
import { Pagination } from '#site/ui/pagination.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { usePage } from '#site/app/use-page.ts';
import { restoreVersion } from './content-calls.ts';
import { titleOf } from './editor/section-texts.ts';
import { publish } from '../shell/publishing.tsx';
import { Panel } from '../shell/screen.tsx';
import { row, stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './publications.module.css';

export function RemovedRecords() {
  const list = usePage('GET /removed-records', { pageSize: pageSizes.removed });
  return (
    <Panel title="Removed">
      <QueryBoundary query={list} lines={2}>
        {({ rows: removed }) =>
          removed.length === 0 ? (
            <p className={typography['note']}>You can restore removed items here for 30 days.</p>
          ) : (
            <ul className={stack(0, css['removed'])}>
              {removed.map(({ recordId, section, title, version, at, by }) => (
                <li key={recordId} className={row([2, 3])}>
                  <span>
                    <strong>{titleOf(section, title)}</strong> {sectionNamed(section).title}
                  </span>
                  <span className={typography['note']}>
                    <DateTime at={at} /> by {by ?? 'the initial setup'}
                  </span>
                  <ActionButton
                    className={css['back']}
                    variant="secondary"
                    size="small"
                    aria-label={`Restore ${titleOf(section, title)}`}
                    action={() => publish(() => restoreVersion(recordId, version, etagOf(version)))}
                    done={`${sectionNamed(section).title} restored`}
                  >
                    Restore
                  </ActionButton>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      <Pagination list={list} label="Pages of what was removed" />
    </Panel>
  );
}
