/** The state of the editor: the section in the URL, the preview, and where the focus goes. */
import { useRef, useState } from 'react';
import { withoutSlash } from '#contract/route-pattern.ts';
import { isShown } from '#contract/sections/index.ts';
import { focusField, requestFocus } from '../content/editor/pending-focus.ts';
import { findPreview, type PreviewTarget } from './site-pages.tsx';
import { currentAddress, useSectionAddress, type Move, type SectionAddress } from './use-section-address.ts';

/** The parts of the editor, of which a phone shows one. Wider windows show page and form side by side. */
export const views = { tree: 'Sections', page: 'Page', form: 'Form' } as const;
export type View = keyof typeof views;

/** Where the section in the URL is visible, starting from the current page. */
function previewAt({ sections }: SectionAddress, now?: PreviewTarget): PreviewTarget | undefined {
  const [name] = sections.filter(isShown);
  return name && findPreview(name, now);
}

/** The focused element, even if it is within a frame. */
function focusedElement(): HTMLElement | null {
  const element = document.activeElement;
  const inner =
    element?.tagName === 'IFRAME' && (element as HTMLIFrameElement).contentDocument?.activeElement;
  return (inner || element) as HTMLElement | null;
}

export function useEditor() {
  const panel = useRef<HTMLElement>(null);
  /** The element from which the form was opened, and the part that a phone showed at that time. */
  const origin = useRef<{ readonly element: HTMLElement | null; readonly view: View }>(undefined);
  /** The field that was clicked in the page. */
  const wanted = useRef<string>(undefined);
  const [view, setView] = useState<View>('form');
  const [preview, setPreview] = useState(() => previewAt(currentAddress()));

  /** Focuses the requested field, otherwise the first one of a record. */
  function showForm({ from, to: { path, name, sections } }: Move) {
    const field = wanted.current;
    wanted.current = undefined;
    origin.current = { element: focusedElement(), view };
    setView('form');
    const isShown = withoutSlash(path) === withoutSlash(from.path);
    if (!isShown && name === 'editRecord') requestFocus(path, field);
    // On a phone, the form becomes visible in the next frame.
    else
      requestAnimationFrame(() => {
        if (isShown && field !== undefined) focusField(sections[0] ?? '', field);
        else panel.current?.focus();
      });
  }

  const address = useSectionAddress((move) => {
    const { from, to, isTraversal } = move;
    setPreview((now) => previewAt(to, now));
    if (!isTraversal) showForm(move);
    if (to.path === from.path) return;
    panel.current?.scrollTo(0, 0);
    scrollTo(0, 0);
  });

  return {
    panel,
    view,
    setView,
    address,
    preview,
    setPreview,
    /**
     * Opens what was clicked in the page. @param field gets the focus; otherwise the record's first field does
     */
    openForm(href: string, field: string | undefined) {
      wanted.current = field;
      location.assign(href);
    },
    /** Returns from the form to where it was opened. */
    leaveForm: () => {
      const { element, view: before } = origin.current ?? { element: null, view: 'tree' as const };
      setView(before);
      const target = element?.isConnected
        ? element
        : document.querySelector<HTMLElement>('#site-tree [aria-current]');
      target?.ownerDocument.defaultView?.focus();
      // By then, it is visible on a phone.
      requestAnimationFrame(() => target?.focus());
    },
  };
}
