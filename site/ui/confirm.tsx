/** A question before something that is hard to take back: the button that changes nothing first, then the one that acts. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { openDialog } from './open-dialog.ts';

export interface Question {
  /** 'Delete this subscriber?' */
  readonly title: string;
  /** What will happen. */
  readonly text: ReactNode;
  /** The button that acts, named for what it does: 'Delete'. */
  readonly confirm: string;
  /** The button that changes nothing. */
  readonly decline?: string;
  /** `danger` where what goes does not come back. */
  readonly variant?: 'primary' | 'danger';
}

/** Asks. @returns whether to go on; Escape says no */
export const confirm = ({
  title,
  text,
  confirm: yes,
  decline = 'Cancel',
  variant = 'primary',
}: Question): Promise<boolean> =>
  openDialog((answer) => (
    <Dialog
      open
      onClose={() => answer(false)}
      title={title}
      actions={
        <>
          <Button variant="secondary" onClick={() => answer(false)}>
            {decline}
          </Button>
          <Button variant={variant} onClick={() => answer(true)}>
            {yes}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  ));

/** The question before something is deleted for good. */
export const confirmDeletion = (title: string, text = 'It is deleted for good.'): Promise<boolean> =>
  confirm({ title, text, confirm: 'Delete', decline: 'Keep', variant: 'danger' });
