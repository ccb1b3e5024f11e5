/** Releases as cards with their state. Each card opens the release's screen. */
import { counted } from '#contract/counted.ts';
import type { ReleaseSummary } from '#contract/releases.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge } from '#site/ui/badge.tsx';
import { Card } from '#site/ui/card.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { stack } from '#site/ui/layout.ts';

export const ReleaseCards = ({ releases }: { readonly releases: readonly ReleaseSummary[] }) => (
  <ul className={stack(3)}>
    {releases.map((release) => (
      <li key={release._id}>
        <ReleaseCard release={release} />
      </li>
    ))}
  </ul>
);

function ReleaseCard({ release }: { readonly release: ReleaseSummary }) {
  const { _id, title, changeCount, createdAt, createdBy } = release;
  return (
    <Card
      title={title}
      headingLevel={3}
      href={linkTo('release', _id)}
      aside={<ReleaseState release={release} />}
    >
      <p className="note">
        {counted(changeCount, 'change')}, created <DateTime at={createdAt} />
        {createdBy !== null && ` by ${createdBy}`}
        {release.publishAt !== null && (
          <>
            , {isHeldUp(release) ? 'due' : 'to be published'} <DateTime at={release.publishAt} />
          </>
        )}
        {release.publishedAt !== null && (
          <>
            , published <DateTime at={release.publishedAt} />
          </>
        )}
      </p>
    </Card>
  );
}

/** Whether its schedule has no effect, because the time has passed or a person must decide first. */
const isHeldUp = ({ failure, isBlocked }: ReleaseSummary): boolean => failure !== null || isBlocked;

export function ReleaseState({ release }: { readonly release: ReleaseSummary }) {
  if (release.status === 'published') return <Badge tone="success">Published</Badge>;
  if (release.failure !== null) return <Badge tone="danger">Not published</Badge>;
  if (release.isBlocked) return <Badge tone="warning">Needs a decision</Badge>;
  return release.publishAt === null ? <Badge>Open</Badge> : <Badge tone="info">Scheduled</Badge>;
}
