/** The button beside Save that adds a change to a release instead. */
import { useState } from 'react';
import { CalendarPlus } from 'lucide-react';
import { Button } from '#site/ui/button.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import type { ReleaseDialogProps } from './release-dialog.tsx';

const ReleaseDialog = lazyPart(() => import('./release-dialog.tsx'));

interface AddToReleaseProps extends Omit<ReleaseDialogProps, 'isOpen' | 'onClose'> {
  readonly label?: string;
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
