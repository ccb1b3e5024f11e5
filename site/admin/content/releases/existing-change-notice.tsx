/** A notice in a record's form: which open releases also change the record, and how a save affects their schedules. */
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import type { Values } from '../content-calls.ts';
import type { ExistingChange } from './existing-change.ts';
import {
  ExistingChangeTime,
  existingTitle,
  OvertakenNotice,
  useExistingChanges,
} from './existing-changes.tsx';

interface ExistingChangeNoticeProps {
  readonly recordId: string;
  /** The unsaved values. */
  readonly changed: Values;
}

export default function ExistingChangeNotice({ recordId, changed }: ExistingChangeNoticeProps) {
  const existing = useExistingChanges({ recordId });
  return existing.map((one) =>
    one.change.conflict === null ? (
      <OneExisting key={one.release._id} existing={one} changed={changed} />
    ) : (
      <OvertakenNotice key={one.release._id} existing={one} />
    ),
  );
}

function OneExisting({ existing, changed }: { readonly existing: ExistingChange; readonly changed: Values }) {
  const { release, change } = existing;
  const isTouched = change.action === 'remove' || change.changes.some(({ field }) => field in changed);
  const stops = isTouched && Object.keys(changed).length > 0;
  return (
    <Alert tone={stops ? 'warning' : 'info'} isStanding={!stops} title={existingTitle(existing)}>
      <p>
        <ExistingChangeTime release={release} />{' '}
        {stops
          ? 'You are editing the same fields. Once you save, the release cannot be published until someone chooses between the two versions.'
          : 'Saving other fields does not affect it.'}{' '}
        <TextLink href={linkTo('release', release._id)}>Open the release</TextLink>
      </p>
    </Alert>
  );
}
