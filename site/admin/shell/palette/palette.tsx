/** The command palette (Ctrl+K or Cmd+K): finds screens, sections, texts, orders, customers and messages. */
import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Search } from 'lucide-react';
import { Skeleton } from '#site/ui/loading.tsx';
import { surface } from '#site/ui/layout.ts';
import dialogCss from '#site/ui/dialog.module.css';
import { lazyPart } from '#site/app/lazy-part.tsx';
import css from './palette.module.css';

const Finder = lazyPart(
  () => import('./finder.tsx'),
  <Skeleton lines={2} label="Loading the search" />,
  ({ onClose }) => onClose,
);

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

/**
 * The button, and the dialog, which is at the end of the document. Below 64rem the navigation is hidden until
 * opened, and a dialog inside it would be open but invisible.
 */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    if (dialog.current?.open === false) dialog.current.showModal();
    setIsOpen(true);
  };
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" className={css['opener']} onClick={open}>
        <Search size="1.125rem" />
        Find anything
        <kbd className={css['keys']} aria-hidden="true">
          {isApple() ? '⌘K' : 'Ctrl K'}
        </kbd>
      </button>
      {createPortal(
        <dialog
          ref={dialog}
          className={surface(css['dialog'], dialogCss['surface'])}
          aria-label="Find anything"
          onClose={() => setIsOpen(false)}
        >
          {isOpen && <Finder onClose={() => dialog.current?.close()} />}
        </dialog>,
        document.body,
      )}
    </>
  );
}
