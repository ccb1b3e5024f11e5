/** Where the editor is: the section at the address, what stands in the middle, and the way of the focus between them. */
import { useRef, useState } from 'react';
import { withoutSlash } from '#contract/route-pattern.ts';
import { isShown } from '#contract/sections/index.ts';
import { focusField, requestFocus } from '../content/editor/pending-focus.ts';
import { lookAt, type PreviewTarget } from './site-pages.tsx';
import { currentAddress, useSectionAddress, type Move, type SectionAddress } from './use-section-address.ts';

/** What a phone shows of the editor; wider windows show the page and the form beside each other. */
export const views = { tree: 'Sections', page: 'Page', form: 'Form' } as const;
export type View = keyof typeof views;

/** Where the section at an address is seen, from what is looked at now. */
function lookFrom({ sections }: SectionAddress, now?: PreviewTarget): PreviewTarget | undefined {
  const [name] = sections.filter(isShown);
  return name && lookAt(name, now);
}

/** The element with the focus, also within a frame. */
function focusedElement(): HTMLElement | null {
  const element = document.activeElement;
  const inner =
    element?.tagName === 'IFRAME' && (element as HTMLIFrameElement).contentDocument?.activeElement;
  return (inner || element) as HTMLElement | null;
}

export function useEditor() {
  const panel = useRef<HTMLElement>(null);
  /** From where the form was opened, and what a phone showed then. */
  const origin = useRef<{ readonly element: HTMLElement | null; readonly view: View }>(undefined);
  /** The field that was clicked in the page. */
  const wanted = useRef<string>(undefined);
  const [view, setView] = useState<View>('form');
  const [look, setLook] = useState(() => lookFrom(currentAddress()));

  /** Leads the focus to the field that was asked for; of a record, otherwise to its first one. */
  function showForm({ from, to: { path, name, sections } }: Move) {
    const field = wanted.current;
    wanted.current = undefined;
    origin.current = { element: focusedElement(), view };
    setView('form');
    const isShown = withoutSlash(path) === withoutSlash(from.path);
    if (!isShown && name === 'editRecord') requestFocus(path, field);
    // A phone shows the form from the next frame on.
    else
      requestAnimationFrame(() => {
        if (isShown && field !== undefined) focusField(sections[0] ?? '', field);
        else panel.current?.focus();
      });
  }

  const address = useSectionAddress((move) => {
    const { from, to, isTraversal } = move;
    setLook((now) => lookFrom(to, now));
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
    look,
    setLook,
    /** Opens what was clicked in the page. @param field gets the focus; of a record, otherwise its first one */
    openForm(href: string, field: string | undefined) {
      wanted.current = field;
      location.assign(href);
    },
    /** Back from the form to where it was opened. */
    leaveForm: () => {
      const { element, view: before } = origin.current ?? { element: null, view: 'tree' as const };
      setView(before);
      const target = element?.isConnected
        ? element
        : document.querySelector<HTMLElement>('#site-tree [aria-current]');
      target?.ownerDocument.defaultView?.focus();
      // A phone shows it from now on.
      requestAnimationFrame(() => target?.focus());
    },
  };
}
