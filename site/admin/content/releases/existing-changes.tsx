/** What open releases do to live records, in the words that forms and lists share. */
import { CalendarClock } from 'lucide-react';
import { DateTime } from '#site/ui/date-time.tsx';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useSaves } from '#site/admin/shell/publishing.tsx';
import type { ExistingChange } from './existing-change.ts';
import { readOpenReleases, readRelease, type Subject } from './release-calls.ts';
import css from './releases.module.css';

async function readHeld(subject: Subject, signal: AbortSignal): Promise<readonly ExistingChange[]> {
  const summaries = await readOpenReleases(signal, subject);
  const releases = await Promise.all(summaries.map(({ _id }) => readRelease(_id, signal)));
  return releases.flatMap((release) => release.changes.map((change) => ({ release, change })));
}

/** The changes in the open releases that are about a record or a section; none until they are read. */
export function useExistingChanges(subject: Subject): readonly ExistingChange[] {
  // Each save, live or in a release, may have changed what a release does.
  const saves = useSaves();
  const { data = [] } = useLoaded(`${JSON.stringify(subject)} ${saves}`, (signal) =>
    readHeld(subject, signal),
  );
  return data;
}

/** What the releases hold about one record. */
export const heldAbout = (held: readonly ExistingChange[], recordId: string): readonly ExistingChange[] =>
  held.filter(({ change }) => change.recordId === recordId);

export const heldTitle = ({ release, change }: ExistingChange): string =>
  `The release “${release.title}” ${change.action === 'remove' ? 'removes' : 'changes'} this too`;

/** A sentence about when the release is published. */
export const ExistingChangeTime = ({ release: { publishAt } }: Pick<ExistingChange, 'release'>) =>
  publishAt === null ? (
    'It has no time yet.'
  ) : (
    <>
      It is published on <DateTime at={publishAt} />.
    </>
  );

/** The marks of a record in a list, one a release. */
export const ExistingChangeMarks = ({
  held,
  recordId,
}: {
  readonly held: readonly ExistingChange[];
  readonly recordId: string;
}) =>
  heldAbout(held, recordId).map((one) => (
    <p key={one.release._id} className={css['mark']}>
      <CalendarClock size="1rem" aria-hidden="true" />
      <span>
        {heldTitle(one)}. <ExistingChangeTime release={one.release} />
      </span>
    </p>
  ));
