/** A modal question or form on the browser's own dialog: it traps the focus, Escape closes it, the focus returns. */
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './dialog.module.css';

export interface DialogProps {
  readonly open: boolean;
  /** Called when the dialog is closed by Escape or by a form with `method="dialog"`. */
  readonly onClose: () => void;
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons, the one that keeps things as they are first. */
  readonly actions?: ReactNode;
}

export function Dialog({ open, onClose, title, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (open && element?.open === false) element.showModal();
    if (!open && element?.open === true) element.close();
  }, [open]);
  // The browser gives the focus back as a dialog closes, not when an open one is taken off the page. Its close event
  // comes later and finds nobody: `onClose` is not called.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={classNames(css['dialog'], css['surface'])}
      aria-label={title}
      onClose={onClose}
    >
      {open && (
        <div className={css['body']}>
          <h2 className={css['title']}>{title}</h2>
          {children}
          {actions !== undefined && <div className={css['actions']}>{actions}</div>}
        </div>
      )}
    </dialog>
  );
}
