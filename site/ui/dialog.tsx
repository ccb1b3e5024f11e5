/** A modal question or form in a native `<dialog>`, which traps and returns the focus and closes on Escape. */
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { Button } from './button.tsx';
import { cluster, stack, surface } from './layout.ts';
import css from './dialog.module.css';

interface DialogProps {
  readonly open: boolean;
  /** Called when Escape or a form with `method="dialog"` closes the dialog. */
  readonly onClose: () => void;
  readonly title: string;
  readonly children?: ReactNode;
  /** The label of the first button, which closes the dialog and changes nothing. */
  readonly decline?: string | undefined;
  /** The other buttons. */
  readonly actions?: ReactNode;
}

export function Dialog({ open, onClose, title, children, decline, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (open && element?.open === false) element.showModal();
    if (!open && element?.open === true) element.close();
  }, [open]);
  // The browser returns the focus when a dialog closes, but not when an open one is removed from the page. Its
  // close event comes after the removal, so `onClose` is not called.
  useLayoutEffect(() => {
    const element = dialog.current;
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={surface(css['dialog'], css['surface'])}
      aria-label={title}
      onClose={onClose}
    >
      {open && (
        <div className={stack(4, css['body'])}>
          <h2 className="heading">{title}</h2>
          {children}
          {(decline ?? actions) && (
            <DialogActions>
              {decline && (
                <Button variant="secondary" onClick={onClose}>
                  {decline}
                </Button>
              )}
              {actions}
            </DialogActions>
          )}
        </div>
      )}
    </dialog>
  );
}

export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={cluster(3, css['actions'])}>{children}</div>
);

/**
 * Opens a dialog over the current screen from a plain function, so that a caller can wait for the answer.
 * @param dialog what to show, an open `Dialog`; it calls `answer` once to close
 * @returns the answer
 */
export function openDialog(dialog: (answer: (isYes: boolean) => void) => ReactNode): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    root.render(
      dialog((isYes) => {
        root.unmount();
        place.remove();
        resolve(isYes);
      }),
    );
  });
}
