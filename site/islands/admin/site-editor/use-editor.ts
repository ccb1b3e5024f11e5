/** Where the editor is: the section at the address, what stands in the middle, and the way of the focus between them. */
import { useRef, useState } from 'react';
import { linkToHome, linkToRecord } from '#contract/all-screens.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { isShown } from '#contract/sections/index.ts';
import { focusField, wishForField } from '../editor/field-wish.ts';
import type { SiteContent } from './content-shown.ts';
import type { Meant } from './meant.ts';
import { lookAt, type Look } from './site-pages.tsx';
import {
  currentAddress,
  sectionAddress,
  useSectionAddress,
  type SectionAddress,
} from './use-section-address.ts';

/** What a phone shows of the editor; wider windows show the page and the form beside each other. */
export const views = { tree: 'Sections', page: 'Page', form: 'Form' } as const;
export type View = keyof typeof views;

/** Where the section at an address is seen, from what is looked at now. */
function lookFrom({ sections }: SectionAddress, now?: Look): Look | undefined {
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
  const [view, setView] = useState<View>('form');
  const [look, setLook] = useState(() => lookFrom(currentAddress()));
  const [address, go] = useSectionAddress((next) => {
    setLook((now) => lookFrom(next, now));
    panel.current?.scrollTo(0, 0);
    scrollTo(0, 0);
  });

  /** @param field gets the focus; of a record, otherwise its first one */
  function open(path: string, field?: string) {
    origin.current = { element: focusedElement(), view };
    setView('form');
    const [section = ''] = address.sections;
    // A phone shows the form from the next frame on.
    const focusPanel = () => requestAnimationFrame(() => panel.current?.focus());
    if (withoutSlash(path) === withoutSlash(address.path)) {
      if (field === undefined) focusPanel();
      else requestAnimationFrame(() => focusField(section, field));
      return;
    }
    if (sectionAddress(path)?.name === 'editRecord') wishForField(path, field);
    else focusPanel();
    go(path);
  }

  return {
    panel,
    view,
    setView,
    address,
    look,
    setLook,
    open,
    /** Opens what was clicked in the page. @param live what a form can be opened of */
    openMeant({ section, id, field }: Meant, live: SiteContent) {
      const isThere = id !== undefined && live[section]?.some(({ _id }) => _id === id) === true;
      open(isThere ? linkToRecord(section, id) : linkToHome(section), field);
    },
    /** Back from the form to where it was opened. */
    leaveForm() {
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
