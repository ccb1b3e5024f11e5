/** One release: what each change does to the live site, the conflicts to resolve, and how to publish it. */
import { CalendarPlus } from 'lucide-react';
import { etagOf } from '#contract/etag.ts';
import { linkTo } from '#contract/screens.ts';
import { counted } from '#contract/counted.ts';
import type { Release as ReleaseData } from '#contract/releases.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { api } from '#site/app/call.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { refetchScreen, useCall } from '#site/app/query.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { PublishPanel } from './publish-panel.tsx';
import { ReleaseChangeCard } from './release-change.tsx';
import { LoadedScreen } from '#site/admin/shell/screen.tsx';
import { ReleaseState } from './release-cards.tsx';
import { titleOf } from '../editor/section-texts.ts';
import { stack } from '#site/ui/layout.ts';

export default function Release({ id }: { readonly id: string }) {
  const query = useCall('GET /release/:id', { id });
  return (
    <LoadedScreen
      title={query.data?.title ?? 'Release'}
      back={{ href: linkTo('releases'), label: 'Releases' }}
      missing={{ title: 'We could not find this release', why: 'It may have been removed.' }}
      query={query}
    >
      {(release) => <Shown release={release} />}
    </LoadedScreen>
  );
}

interface ShownProps {
  readonly release: ReleaseData;
}

/** What publishing will do or has done, and what prevents it. */
function Publishing({ release }: ShownProps) {
  const { changes, status, publishAt } = release;
  const isOpen = status === 'open';
  return (
    <Card title={isOpen ? 'Publish' : 'Published'} aside={<ReleaseState release={release} />}>
      {isOpen && <Blockers release={release} />}
      <Effects release={release} />
      {isOpen && (changes.length > 0 || publishAt !== null) && <PublishPanel release={release} />}
    </Card>
  );
}

/** Why an open release cannot be published, and what to do. */
function Blockers({ release }: { readonly release: ReleaseData }) {
  const { changes, problem, failure, isBlocked, publishAt } = release;
  const conflicts = changes.filter(({ conflict }) => conflict !== null).length;
  const isDue = publishAt !== null && failure === null;
  return (
    <>
      {failure !== null && (
        <Alert tone="warning" title="This release was not published on time">
          {isBlocked
            ? 'The problem is still there.'
            : `${failure} The problem is solved. Choose a new time, or publish it now.`}
        </Alert>
      )}
      {conflicts > 0 && (
        <Alert tone="warning" title={`${counted(conflicts, 'change')} to decide on`}>
          The live version has changed in the meantime. Choose below what to publish.{' '}
          {isDue && <NotAsItIs publishAt={publishAt} />}
          {failure !== null && 'Then choose a new time, or publish it now.'}
        </Alert>
      )}
      {problem !== null && (
        <Alert title="This release cannot be published yet">
          {problem} {isDue && <NotAsItIs publishAt={publishAt} />}
        </Alert>
      )}
      {changes.length === 0 && publishAt !== null && (
        <Alert tone="warning" title="This release is scheduled but empty">
          Add a change before <DateTime at={publishAt} />, or cancel the schedule.
        </Alert>
      )}
    </>
  );
}

const NotAsItIs = ({ publishAt }: { readonly publishAt: string }) => (
  <>
    Until then it will not be published, not even at the scheduled time, <DateTime at={publishAt} />.
  </>
);

/** The name of a page, or the path if it has none. */
const pageName = (path: string): string => titleOf('searchText', path);

/** The pages that a release changes or has changed, and when. */
function Effects({ release }: { readonly release: ReleaseData }) {
  const { changes, pages, status, failure, isBlocked, publishAt, publishedAt, publishedBy, revision } =
    release;
  const isOpen = status === 'open';
  return (
    <>
      <p className="note">
        {pages.length > 0
          ? `${isOpen ? 'Pages that will change' : 'Pages that changed'}: ${pages.map(pageName).join(', ')}.`
          : isOpen && changes.length > 0 && !isBlocked && 'No page will change.'}
        {!isOpen && publishedAt !== null && (
          <>
            {' '}
            <DateTime at={publishedAt} />
            {publishedBy !== null && ` by ${publishedBy}`}
            {revision !== null && `, revision ${revision}`}.
          </>
        )}
      </p>
      {isOpen && changes.length > 0 && publishAt !== null && failure === null && !isBlocked && (
        <p className="note">
          It will be published automatically on <DateTime at={publishAt} />.
        </p>
      )}
    </>
  );
}

function Shown({ release }: ShownProps) {
  const { changes, status, failure, publishAt } = release;
  const isOpen = status === 'open';
  const isEmpty = isOpen && changes.length === 0 && failure === null && publishAt === null;
  return (
    <>
      {!isEmpty && <Publishing release={release} />}
      {isOpen && changes.length > 0 && <PreviewPanel release={release} />}
      <Card title={counted(changes.length, 'change')} aside={isEmpty && <ReleaseState release={release} />}>
        {changes.length === 0 ? (
          <EmptyState
            title="No changes yet"
            icon={<CalendarPlus />}
            action={<LinkButton href={linkTo('settings')}>Go to Site content</LinkButton>}
          >
            To add a change, open its form and press “Add to a release” beside Save.
          </EmptyState>
        ) : (
          <ul className={stack(3)}>
            {changes.map((change) => (
              <li key={`${change._id} ${change.version} ${String(change.recordVersion)}`}>
                <ReleaseChangeCard releaseId={release._id} change={change} isOpen={isOpen} />
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Delete release={release} />
    </>
  );
}

const Delete = ({ release: { _id, version, title, status } }: ShownProps) => (
  <div className="flush">
    <ActionButton
      variant="quiet"
      size="small"
      action={() => api('DELETE /release/:id', { id: _id, ifMatch: etagOf(version) })}
      question={{
        title: `Delete “${title}”?`,
        text:
          status === 'open'
            ? 'Its changes will be lost. The live site does not change.'
            : 'What it published stays live. Only the release is deleted from this list.',
        confirm: 'Delete',
        variant: 'danger',
      }}
      // The release no longer exists.
      changesNothing
      onSuccess={() => location.assign(linkTo('releases'))}
      onError={() => void refetchScreen()}
    >
      Delete this release
    </ActionButton>
  </div>
);
