/** The button beside Save that puts a change into a release instead. */
import { useState } from 'react';
import { CalendarPlus } from 'lucide-react';
import { Button } from '#components/button.tsx';
import { lazyPart } from '#site/islands/shared/lazy-part.tsx';
import type { Values } from '../content-calls.ts';
import type { NewChange } from './release-calls.ts';

const ReleaseDialog = lazyPart(() => import('./release-dialog.tsx'));

export interface AddToReleaseProps {
  readonly label?: string;
  /** What is to be done, as the form stands. */
  readonly change: NewChange;
  /** Sends by way of the form, which shows what is wrong with it. */
  readonly onSend: (send: (values: Values, etag?: string) => Promise<unknown>) => Promise<unknown>;
}

export function AddToRelease({ label = 'Add to a release', change, onSend }: AddToReleaseProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        icon={<CalendarPlus size="1.125rem" aria-hidden="true" />}
        onClick={() => {
          setIsOpen(true);
          setWasOpened(true);
        }}
      >
        {label}
      </Button>
      {wasOpened && (
        <ReleaseDialog isOpen={isOpen} change={change} onSend={onSend} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}
