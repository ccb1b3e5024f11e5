/** The records removed in the last 30 days, each with a button that restores it. */
import { etagOf } from '#contract/etag.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import type { RemovedRecord } from '#contract/content.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import { Button } from '#site/ui/button.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
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
  const putBack = useMutation({
    mutationFn: ({ recordId, version }: RemovedRecord) =>
      publish(() => restoreVersion(recordId, version, etagOf(version))),
    done: (_, { section }) => `${sectionNamed(section).title} is back`,
    toastsError: true,
  });
  const busy = putBack.isPending ? putBack.variables.recordId : undefined;

  return (
    <Panel title="Removed">
      <QueryBoundary query={list} lines={2}>
        {({ rows: removed }) =>
          removed.length === 0 ? (
            <p className={typography['note']}>You can restore removed items here for 30 days.</p>
          ) : (
            <ul className={stack(0, css['removed'])}>
              {removed.map((record) => (
                <li key={record.recordId} className={row([2, 3])}>
                  <span>
                    <strong>{titleOf(record.section, record.title)}</strong>{' '}
                    {sectionNamed(record.section).title}
                  </span>
                  <span className={typography['note']}>
                    <DateTime at={record.at} /> by {record.by ?? 'the set-up'}
                  </span>
                  <Button
                    className={css['back']}
                    variant="secondary"
                    size="small"
                    busy={busy === record.recordId}
                    aria-label={`Put back ${titleOf(record.section, record.title)}`}
                    onClick={() => putBack.mutate(record)}
                  >
                    Put back
                  </Button>
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
