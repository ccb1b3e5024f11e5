/**
 * The last 50 publications: who changed what and when, with a button that restores each revision. Below them, the records
 * that were removed.
 */
import { useState } from 'react';
import { History } from 'lucide-react';
import type { Publication } from '#contract/content.calls.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { api } from '#site/app/call.ts';
import { summaryText, titleOf } from './editor/section-texts.ts';
import { LazyDetails } from './editor/lazy-details.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { publish, showSaved } from '../shell/publishing.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { useCall } from '#site/app/query.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import { ChangeDetails, RestoreDialog } from './restore-dialog.tsx';
import { row, stack, surface } from '#site/ui/layout.ts';
import css from './publications.module.css';
import { etagOf } from '#contract/etag.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { pageSizes } from '#contract/paging.ts';
import { Pagination } from '#site/ui/pagination.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { usePage } from '#site/app/use-page.ts';
import { restoreVersion } from './content-calls.ts';

export default function Publications() {
  const query = useCall('GET /publications');
  const [target, setTarget] = useState<number>();
  const { mutate: restore } = useMutation({
    mutationFn: ({ revision, live }: { readonly revision: number; readonly live: number }) =>
      publish(() =>
        api('POST /publications/:revision/go-back', { id: String(revision), ifMatch: `"${live}"` }),
      ),
    toastsError: true,
    onSuccess: (_, { revision }) => showSaved(`Revision ${revision} restored`),
  });

  return (
    <ScreenFrame
      title="Publications"
      intro="Every save publishes the content. These are the last 50 publications, newest first."
    >
      <QueryBoundary query={query} lines={10}>
        {(publications) =>
          publications.length === 0 ? (
            <EmptyState title="Nothing published yet" icon={<History />}>
              Each save of content will be listed here.
            </EmptyState>
          ) : (
            <>
              <RemovedRecords />
              <ol className={stack(3)}>
                {publications.map((publication, index) => (
                  <li key={publication.revision}>
                    <PublicationCard
                      publication={publication}
                      isLatest={index === 0}
                      onRestore={() => setTarget(publication.revision)}
                    />
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </QueryBoundary>
      {target !== undefined && (
        <RestoreDialog
          revision={target}
          onClose={() => setTarget(undefined)}
          onRestore={(live) => restore({ revision: target, live })}
        />
      )}
    </ScreenFrame>
  );
}

interface PublicationCardProps {
  readonly publication: Publication;
  readonly isLatest: boolean;
  readonly onRestore: () => void;
}

function PublicationCard({ publication, isLatest, onRestore }: PublicationCardProps) {
  const { revision, at, by, summary, changedPages } = publication;
  return (
    <article className={stack(2, surface(css['publication']))}>
      <div className={row([2, 3])}>
        <h2 className="subheading">Revision {revision}</h2>
        {isLatest && <Badge tone="success">Live</Badge>}
        <span className="note">
          <DateTime at={at} /> by {by ?? 'the initial setup'}
        </span>
        {!isLatest && (
          <Button className={css['back']} variant="secondary" size="small" onClick={onRestore}>
            Restore revision {revision}
          </Button>
        )}
      </div>
      <p className="note">
        {changedPages.length === 0 ? 'No page changed.' : `Changed pages: ${changedPages.join(', ')}`}
      </p>
      {summary.length > 0 && (
        <LazyDetails summary={summaryText(summary)}>
          {summary.map((change) => (
            <ChangeDetails key={change.section + change.recordId} change={change} isDone />
          ))}
        </LazyDetails>
      )}
    </article>
  );
}

/** The records removed in the last 30 days, each with a button that restores it. */
function RemovedRecords() {
  const list = usePage('GET /removed-records', { pageSize: pageSizes.removed });
  return (
    <Card title="Removed">
      <QueryBoundary query={list} lines={2}>
        {({ rows: removed }) =>
          removed.length === 0 ? (
            <p className="note">You can restore removed items here for 30 days.</p>
          ) : (
            <ul className={stack(0, css['removed'])}>
              {removed.map(({ recordId, section, title, version, at, by }) => (
                <li key={recordId} className={row([2, 3])}>
                  <span>
                    <strong>{titleOf(section, title)}</strong> {sectionNamed(section).title}
                  </span>
                  <span className="note">
                    <DateTime at={at} /> by {by ?? 'the initial setup'}
                  </span>
                  <ActionButton
                    className={css['back']}
                    variant="secondary"
                    size="small"
                    aria-label={`Restore ${titleOf(section, title)}`}
                    action={() => publish(() => restoreVersion(recordId, version, etagOf(version)))}
                    onSuccess={() => showSaved(`${sectionNamed(section).title} restored`)}
                  >
                    Restore
                  </ActionButton>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      <Pagination list={list} label="Pages of removed items" />
    </Card>
  );
}
