/** What open releases do to live records, in the words that forms and lists share. */
import { CalendarClock } from 'lucide-react';
import { Moment } from '#site/islands/shared/moment.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { useSaves } from '../publishing.tsx';
import type { Held } from './held-change.ts';
import { readOpenReleases, readRelease, type Subject } from './release-calls.ts';
import css from './releases.module.css';

async function readHeld(subject: Subject, signal: AbortSignal): Promise<readonly Held[]> {
  const summaries = await readOpenReleases(signal, subject);
  const releases = await Promise.all(summaries.map(({ _id }) => readRelease(_id, signal)));
  return releases.flatMap((release) => release.changes.map((change) => ({ release, change })));
}

/** The changes in the open releases that are about a record or a section; none until they are read. */
export function useHeld(subject: Subject): readonly Held[] {
  // Each save, live or in a release, may have changed what a release does.
  const saves = useSaves();
  const { data = [] } = useLoaded(`${JSON.stringify(subject)} ${saves}`, (signal) =>
    readHeld(subject, signal),
  );
  return data;
}

/** What the releases hold about one record. */
export const heldAbout = (held: readonly Held[], recordId: string): readonly Held[] =>
  held.filter(({ change }) => change.recordId === recordId);

export const heldTitle = ({ release, change }: Held): string =>
  `The release “${release.title}” ${change.action === 'remove' ? 'removes' : 'changes'} this too`;

/** A sentence about when the release is published. */
export const HeldTime = ({ release: { publishAt } }: Pick<Held, 'release'>) =>
  publishAt === null ? (
    'It has no time yet.'
  ) : (
    <>
      It is published on <Moment at={publishAt} />.
    </>
  );

/** The marks of a record in a list, one a release. */
export const HeldMarks = ({
  held,
  recordId,
}: {
  readonly held: readonly Held[];
  readonly recordId: string;
}) =>
  heldAbout(held, recordId).map((one) => (
    <p key={one.release._id} className={css['mark']}>
      <CalendarClock size="1rem" aria-hidden="true" />
      <span>
        {heldTitle(one)}. <HeldTime release={one.release} />
      </span>
    </p>
  ));
