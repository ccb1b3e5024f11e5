/** A question before an action that is hard to undo. The button that changes nothing comes first. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, openDialog } from './dialog.tsx';

export interface Question {
  /** For example 'Delete this subscriber?' */
  readonly title: string;
  readonly text: ReactNode;
  /** The label of the button that performs the action, for example 'Delete'. */
  readonly confirm: string;
  /** The label of the button that changes nothing. */
  readonly decline?: string;
  /** `danger` if the action cannot be undone. */
  readonly variant?: 'primary' | 'danger';
}

/** Asks the question. @returns whether to proceed; Escape means no */
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
      decline={decline}
      actions={
        <Button variant={variant} onClick={() => answer(true)}>
          {yes}
        </Button>
      }
    >
      <p>{text}</p>
    </Dialog>
  ));

export const deletion = (title: string, text = 'You cannot undo this.'): Question => ({
  title,
  text,
  confirm: 'Delete',
  decline: 'Keep',
  variant: 'danger',
});
