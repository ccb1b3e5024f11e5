/** Recovery codes: how many are left, new ones, and the dialog that shows them once. */
import { useState } from 'react';
import { Button } from '#site/ui/button.tsx';
import { confirm, type Question } from '#site/ui/confirm.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { counted } from '#contract/counted.ts';
import { api, CallError } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { saveFile } from '../ui/save-file.ts';
import { useMutation } from '../app/use-mutation.ts';
import { columns } from '#site/ui/layout.ts';
import css from './account-screen.module.css';

interface RecoveryCodesProps {
  readonly left: number;
  readonly onMade: (codes: readonly string[]) => void;
}

export function RecoveryCodes({ left, onMade }: RecoveryCodesProps) {
  const make = useMutation({
    mutationFn: () => api('POST /auth/recovery-codes'),
    onSuccess: ({ data }) => onMade(data.recoveryCodes),
  });
  return (
    <>
      <p className="muted">
        {left === 0
          ? 'You have no recovery codes. A code lets you in if you lose your device.'
          : `You have ${counted(left, 'recovery code')} left, in case you lose your device.`}
      </p>
      <Failure error={make.error}>
        {make.error?.isUnanswered && ' Your earlier codes may no longer work. Please create new ones again.'}
      </Failure>
      <Button variant="secondary" busy={make.isPending} onClick={() => make.mutate()}>
        Create new recovery codes
      </Button>
    </>
  );
}

interface CodesDialogProps {
  /** Empty if there is nothing to show. */
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

export const CodesDialog = (props: CodesDialogProps) => (
  // Reset the copy status for new codes.
  <Codes key={props.codes.join()} {...props} />
);

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new CallError({
      title: 'Not copied',
      status: 400,
      detail: 'Your browser does not let us copy. Save the codes as a file, or write them down.',
    });
  }
}

const unsavedQuestion: Question = {
  title: 'Close without saving the codes?',
  text: 'We will not show these codes again. You can create new ones at any time.',
  confirm: 'Close',
  decline: 'Show the codes',
};

/**
 * After Escape, asks whether to discard codes that are neither copied nor saved, or shows them again in a new dialog.
 */
function Codes({ codes, onClose }: CodesDialogProps) {
  const text = codes.join('\n');
  const [isSaved, setIsSaved] = useState(false);
  const [reopened, setReopened] = useState(0);
  const copy = useMutation({ mutationFn: () => copyText(text), changesNothing: true });
  async function closeIfSure() {
    if (isSaved || copy.isSuccess || (await confirm(unsavedQuestion))) onClose();
    else setReopened(reopened + 1);
  }
  return (
    <Dialog
      key={reopened}
      open={codes.length > 0}
      onClose={() => void closeIfSure()}
      title="Save these recovery codes"
      actions={
        <>
          <Button variant="secondary" onClick={() => copy.mutate()}>
            Copy
          </Button>
          <Button
            variant="secondary"
            onClick={() => {
              saveFile('recovery-codes.txt', text, 'text/plain');
              setIsSaved(true);
            }}
          >
            Save as a file
          </Button>
          <Button onClick={onClose}>I have saved them</Button>
        </>
      }
    >
      <p>
        If you lose your device, you can log in with one of these codes. Each code works once. We will not
        show them again, so print them or save them somewhere safe. They replace any earlier codes.
      </p>
      <ol className={columns([2, 5], css['codes'])}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <Failure error={copy.error} />
      {/* Screen readers announce nothing outside the dialog while it is open. */}
      <p role="status">{copy.isSuccess && 'Codes copied.'}</p>
    </Dialog>
  );
}
