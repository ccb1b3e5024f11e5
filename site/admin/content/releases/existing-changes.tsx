/** What open releases do to live records, in the words that forms and lists share. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { DateTime } from '#site/ui/date-time.tsx';
import { callQuery } from '#site/app/query.ts';
import type { ExistingChange } from './existing-change.ts';
import { openReleasesQuery, type Subject } from './release-calls.ts';
import css from './releases.module.css';

/** The changes in the open releases that are about a record or a section; none until they are read. */
export function useExistingChanges(subject: Subject): readonly ExistingChange[] {
  const { data: open = [] } = useQuery(openReleasesQuery(subject));
  const releases = useQueries({ queries: open.map(({ _id }) => callQuery('GET /release/:id', { id: _id })) });
  return releases.flatMap(({ data: release }) =>
    release ? release.changes.map((change) => ({ release, change })) : [],
  );
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
