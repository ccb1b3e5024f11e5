/** Says in the form of a record which open releases change it too, and what a save then does to their schedule. */
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { TextLink } from '#components/text-link.tsx';
import { Moment } from '#site/islands/shared/moment.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import type { Values } from '../content-calls.ts';
import { useSaves } from '../publishing.tsx';
import type { Held } from './held-change.ts';
import { readOpenReleases, readRelease } from './release-calls.ts';

async function readHeld(recordId: string, signal: AbortSignal): Promise<readonly Held[]> {
  const summaries = await readOpenReleases(signal, recordId);
  const releases = await Promise.all(summaries.map(({ _id }) => readRelease(_id, signal)));
  return releases.flatMap((release) =>
    release.changes.filter((change) => change.recordId === recordId).map((change) => ({ release, change })),
  );
}

export interface HeldNoticeProps {
  readonly recordId: string;
  /** What is typed and not saved. */
  readonly changed: Values;
}

export default function HeldNotice({ recordId, changed }: HeldNoticeProps) {
  // Each save, live or in a release, may have changed what a release does to the record.
  const saves = useSaves();
  const held = useLoaded(`${recordId} ${saves}`, (signal) => readHeld(recordId, signal));
  return held.data?.map((one) => <OneHeld key={one.release._id} held={one} changed={changed} />);
}

function OneHeld({
  held: {
    release: { _id, title, publishAt },
    change: { action, changes },
  },
  changed,
}: {
  readonly held: Held;
  readonly changed: Values;
}) {
  const isTouched = action === 'remove' || changes.some(({ field }) => field in changed);
  const stops = isTouched && Object.keys(changed).length > 0;
  return (
    <Alert
      tone={stops ? 'warning' : 'info'}
      isStanding={!stops}
      title={`The release “${title}” ${action === 'remove' ? 'removes' : 'changes'} this too`}
    >
      <p>
        {publishAt === null ? (
          'It has no time yet.'
        ) : (
          <>
            It is published on <Moment at={publishAt} />.
          </>
        )}{' '}
        {stops
          ? 'What you typed meets what it changes: once you save, it cannot be published until somebody decides between the two.'
          : 'A save of other fields leaves it alone.'}{' '}
        <TextLink href={linkTo('release', _id)}>Open the release</TextLink>
      </p>
    </Alert>
  );
}
