/** Says in the form of a record which open releases change it too, and what a save then does to their schedule. */
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { TextLink } from '#components/text-link.tsx';
import type { Values } from '../content-calls.ts';
import type { Held } from './held-change.ts';
import { heldAbout, HeldTime, heldTitle, useHeld } from './held.tsx';

export interface HeldNoticeProps {
  readonly recordId: string;
  /** What is typed and not saved. */
  readonly changed: Values;
}

export default function HeldNotice({ recordId, changed }: HeldNoticeProps) {
  const held = heldAbout(useHeld({ recordId }), recordId);
  return held.map((one) => <OneHeld key={one.release._id} held={one} changed={changed} />);
}

function OneHeld({ held, changed }: { readonly held: Held; readonly changed: Values }) {
  const { release, change } = held;
  const isTouched = change.action === 'remove' || change.changes.some(({ field }) => field in changed);
  const stops = isTouched && Object.keys(changed).length > 0;
  return (
    <Alert tone={stops ? 'warning' : 'info'} isStanding={!stops} title={heldTitle(held)}>
      <p>
        <HeldTime release={release} />{' '}
        {stops
          ? 'What you typed meets what it changes: once you save, it cannot be published until somebody decides between the two.'
          : 'A save of other fields leaves it alone.'}{' '}
        <TextLink href={linkTo('release', release._id)}>Open the release</TextLink>
      </p>
    </Alert>
  );
}
