/** The last 50 publications: who changed what and when, which pages changed, and the way back. */
import { useState } from 'react';
import { History } from 'lucide-react';
import type { Publication, PublishedChange } from '#contract/content.calls.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Button } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { actionTexts } from './action-texts.ts';
import { titleOf } from './editor/section-texts.ts';
import { WhenLoaded } from '#site/app/failure.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { usePublish } from '../shell/publishing.tsx';
import { ScreenFrame } from '../shell/screen.tsx';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useAction } from '#site/app/use-action.ts';
import { ChangeDetails } from './change-details.tsx';
import { RemovedRecords } from './removed-records.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import css from './publications.module.css';

const readPublications = async (signal: AbortSignal) => (await api('GET /publications', { signal })).data;

export default function Publications() {
  const loaded = useLoaded('publications', readPublications);
  const [target, setTarget] = useState<number>();
  const { act } = useAction(useToast());
  const publish = usePublish();

  async function restore(revision: number, live: number) {
    const options = { id: String(revision), ifMatch: `"${live}"` };
    const goBack = () => api('POST /publications/:revision/go-back', options);
    await act(() => publish(goBack), `Revision ${revision} restored`);
    loaded.reload();
  }

  return (
    <ScreenFrame
      title="Publications"
      intro="Every save of content is a publication. These are the last 50, newest first."
    >
      <WhenLoaded loaded={loaded} lines={10}>
        {(publications) =>
          publications.length === 0 ? (
            <EmptyState title="Nothing published yet" icon={<History aria-hidden="true" />}>
              Each save of content will be listed here.
            </EmptyState>
          ) : (
            <>
              <RemovedRecords revision={publications[0]?.revision ?? 0} onPutBack={loaded.reload} />
              <ol className={css['publications']}>
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
      </WhenLoaded>
      {target !== undefined && (
        <RestoreDialog
          revision={target}
          onClose={() => setTarget(undefined)}
          onRestore={(live) => void restore(target, live)}
        />
      )}
    </ScreenFrame>
  );
}

function PublicationCard({
  publication,
  isLatest,
  onRestore,
}: {
  readonly publication: Publication;
  readonly isLatest: boolean;
  readonly onRestore: () => void;
}) {
  const { revision, at, by, summary, changedPages } = publication;
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <article className={css['publication']}>
      <div className={css['head']}>
        <h2 className={css['title']}>Revision {revision}</h2>
        {isLatest && <Badge tone="success">Live</Badge>}
        <span className={css['facts']}>
          <DateTime at={at} /> by {by ?? 'the set-up'}
        </span>
        {!isLatest && (
          <Button className={css['back']} variant="secondary" size="small" onClick={onRestore}>
            Restore revision {revision}
          </Button>
        )}
      </div>
      <p className={css['facts']}>
        {changedPages.length === 0 ? 'No page changed.' : `Changed pages: ${changedPages.join(', ')}.`}
      </p>
      {summary.length > 0 && (
        <details
          onToggle={({ currentTarget }) => setWasOpened((opened) => opened || currentTarget.open)}
          className={css['changes']}
        >
          <summary>{summaryText(summary)}</summary>
          {wasOpened &&
            summary.map((change) => (
              <ChangeDetails key={change.section + change.recordId} change={change} isDone />
            ))}
        </details>
      )}
    </article>
  );
}

/** What a publication did, in a line. */
function summaryText(summary: readonly PublishedChange[]): string {
  const [first, ...others] = summary;
  if (!first) return '';
  const text = `${sectionNamed(first.section).title} ${actionTexts[first.action]}: ${titleOf(first.section, first.title)}`;
  return others.length === 0 ? text : `${text} (and ${others.length} more)`;
}
