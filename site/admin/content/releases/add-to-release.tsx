/** The button next to Save that adds a change to a release instead. */
import { useState } from 'react';
import { CalendarPlus } from 'lucide-react';
import { Button } from '#site/ui/button.tsx';
import { lazyPart } from '#site/app/lazy-part.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import type { ReleaseDialogProps } from './release-dialog.tsx';

const ReleaseDialog = lazyPart(() => import('./release-dialog.tsx'));

interface AddToReleaseProps extends Pick<ReleaseDialogProps, 'change'> {
  readonly label?: string;
  /** Sends the change through a form; without a form, the change is sent unchanged. */
  readonly onSend?: ReleaseDialogProps['onSend'];
  /** Called after adding a change without a form. */
  readonly onDone?: () => void;
}

export function AddToRelease({ label = 'Add to a release', change, onSend, onDone }: AddToReleaseProps) {
  const { mutateAsync } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    toastsError: true,
  });
  const sendAsItIs: ReleaseDialogProps['onSend'] = (send) =>
    mutateAsync(() => send({})).then(onDone, () => undefined);
  const [isOpen, setIsOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        icon={<CalendarPlus size="1.125rem" />}
        onClick={() => {
          setIsOpen(true);
          setWasOpened(true);
        }}
      >
        {label}
      </Button>
      {wasOpened && (
        <ReleaseDialog
          title={label}
          isOpen={isOpen}
          change={change}
          onSend={onSend ?? sendAsItIs}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
