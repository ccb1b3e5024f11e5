/** A question before something that is hard to take back: the button that changes nothing first, then the one that acts. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  readonly open: boolean;
  /** The question: 'Delete this subscriber?' */
  readonly title: string;
  /** What will happen. */
  readonly children: ReactNode;
  /** The button that acts, named for what it does: 'Delete'. */
  readonly confirm: string;
  /** The button that changes nothing. */
  readonly decline?: string;
  /** `danger` where what goes does not come back. */
  readonly variant?: 'primary' | 'danger';
  readonly onConfirm: () => void;
  /** Called when the question is over, with either answer. */
  readonly onClose: () => void;
}

export function ConfirmDialog({
  open,
  title,
  children,
  confirm,
  decline = 'Cancel',
  variant = 'primary',
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {decline}
          </Button>
          <Button
            variant={variant}
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}

/** The question before something is deleted for good. */
export const DeleteDialog = (props: Omit<ConfirmDialogProps, 'confirm' | 'decline' | 'variant'>) => (
  <ConfirmDialog {...props} confirm="Delete" decline="Keep" variant="danger" />
);
