/** Texts about changes in open releases that forms and lists share. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { callQuery } from '#site/app/query.ts';
import { titleOf } from '../editor/section-texts.ts';
import type { ExistingChange } from './existing-change.ts';
import { openReleasesQuery, type Subject } from './release-calls.ts';
import css from './releases.module.css';

const isAbout = (subject: Subject, { recordId, section }: ExistingChange['change']): boolean =>
  'recordId' in subject ? recordId === subject.recordId : section === subject.section;

/** The open releases' changes to a record or section; empty until loaded. */
export function useExistingChanges(subject: Subject): readonly ExistingChange[] {
  const { data: open = [] } = useQuery(openReleasesQuery(subject));
  const releases = useQueries({ queries: open.map(({ _id }) => callQuery('GET /release/:id', { id: _id })) });
  return releases.flatMap(({ data: release }) =>
    release
      ? release.changes.filter((change) => isAbout(subject, change)).map((change) => ({ release, change }))
      : [],
  );
}

export const existingTitle = ({ release, change }: ExistingChange): string =>
  `The release “${release.title}” ${change.action === 'remove' ? 'removes' : 'changes'} this too`;

export function ExistingChangeTime({
  release: { publishAt, failure, isBlocked },
}: Pick<ExistingChange, 'release'>) {
  if (failure !== null) return 'It was not published on time.';
  if (publishAt === null) return isBlocked ? 'It cannot be published as it is.' : 'It is not scheduled yet.';
  return (
    <>
      {isBlocked ? 'It will not be published as it is, although it is due on ' : 'It will be published on '}
      <DateTime at={publishAt} />.
    </>
  );
}

interface OvertakenNoticeProps {
  readonly existing: ExistingChange;
  /** The record's name, on screens that show several records. */
  readonly record?: string;
}

/** A notice that the live record has changed since the release was edited, with a link to resolve the conflict. */
export const OvertakenNotice = ({ existing: { release, change }, record = '' }: OvertakenNoticeProps) => (
  <Alert
    tone="warning"
    title={`The ${release.publishAt === null ? '' : 'scheduled '}release “${release.title}” will not be published as it is`}
    action={<TextLink href={linkTo('release', release._id)}>Open the release</TextLink>}
  >
    {record !== '' && <strong>{record}: </strong>}
    {change.conflict?.detail} Open the release to choose what to publish.
  </Alert>
);

/** The same notices above a section's list, for its records and for removed ones. */
export const OvertakenNotices = ({ existing }: { readonly existing: readonly ExistingChange[] }) =>
  existing
    .filter(({ change }) => change.conflict !== null)
    .map((one) => (
      <OvertakenNotice
        key={`${one.release._id} ${one.change._id}`}
        existing={one}
        record={one.change.action === 'reorder' ? '' : titleOf(one.change.section, one.change.title)}
      />
    ));

interface ExistingChangeMarksProps {
  readonly existing: readonly ExistingChange[];
  readonly recordId: string;
}

/** The badges of a record in a list, one per release. */
export const ExistingChangeMarks = ({ existing, recordId }: ExistingChangeMarksProps) =>
  existing
    .filter(({ change }) => change.recordId === recordId)
    .map((one) => (
      <p key={one.release._id} className={css['mark']}>
        <CalendarClock size="1rem" />
        <span>
          {existingTitle(one)}. <ExistingChangeTime release={one.release} />
        </span>
      </p>
    ));
