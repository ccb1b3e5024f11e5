/** What was removed in the last 30 days, and the way to put each of it back. */
import { useState } from 'react';
import { etagOf } from '#contract/etag.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import type { RemovedRecord } from '#contract/content.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import type { PageQuery } from '#contract/schemas.ts';
import { Button } from '#site/ui/button.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { useAction } from '#site/app/use-action.ts';
import { usePage } from '#site/app/use-page.ts';
import { restoreVersion } from './content-calls.ts';
import { titleOf } from './editor/section-texts.ts';
import { usePublish } from '../shell/publishing.tsx';
import { Panel } from '../shell/screen.tsx';
import css from './publications.module.css';

/** `revision` is sent to nobody: with each the first page is read anew. */
const readRemoved = ({ page, pageSize }: PageQuery & { readonly revision: number }, signal: AbortSignal) =>
  api('GET /removed-records', { query: { page, pageSize }, signal });

/** @param revision the newest: what it removed or put back is read anew */
export function RemovedRecords({
  revision,
  onPutBack,
}: {
  readonly revision: number;
  readonly onPutBack: () => void;
}) {
  const loaded = usePage(pageSizes.removed, { revision }, readRemoved);
  const { act } = useAction(useToast());
  const publish = usePublish();
  const [busy, setBusy] = useState<string>();

  async function putBack({ recordId, version, section }: RemovedRecord) {
    setBusy(recordId);
    const work = () => publish(() => restoreVersion(recordId, version, etagOf(version)));
    await act(work, `${sectionNamed(section).title} is back`);
    setBusy(undefined);
    loaded.reload();
    onPutBack();
  }

  return (
    <Panel title="Removed">
      <WhenLoaded loaded={loaded} lines={2}>
        {({ rows: removed }) =>
          removed.length === 0 ? (
            <p className={css['facts']}>What is removed can be put back here for 30 days.</p>
          ) : (
            <ul className={css['removed']}>
              {removed.map((record) => (
                <li key={record.recordId} className={css['head']}>
                  <span>
                    <strong>{titleOf(record.section, record.title)}</strong>{' '}
                    {sectionNamed(record.section).title}
                  </span>
                  <span className={css['facts']}>
                    <DateTime at={record.at} /> by {record.by ?? 'the set-up'}
                  </span>
                  <Button
                    className={css['back']}
                    variant="secondary"
                    size="small"
                    busy={busy === record.recordId}
                    aria-label={`Put back ${titleOf(record.section, record.title)}`}
                    onClick={() => void putBack(record)}
                  >
                    Put back
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      <Pagination
        page={loaded.page}
        pageCount={loaded.pageCount}
        onPage={loaded.setPage}
        label="Pages of what was removed"
      />
    </Panel>
  );
}
