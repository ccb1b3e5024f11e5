/** The state of the editor: the section in the URL, the preview, and where the focus goes. */
import { useRef, useState } from 'react';
import { withoutSlash } from '#contract/route-pattern.ts';
import { isShown } from '#contract/sections/index.ts';
import { findScreen, type SectionScreen } from '#contract/all-screens.ts';
import { focusField, requestFocus } from '../content/editor/pending-focus.ts';
import { findPreview, type PreviewTarget } from './site-pages.tsx';
import { openInPlace, staysInDocument, useNavigations } from '#site/app/in-place-navigation.ts';
import type { SectionScreenProps } from '../shell/screen.tsx';
import { mayLeave } from '../content/editor/use-loss-guard.ts';

/** The parts of the editor. A phone shows one of them; wider windows show page and form side by side. */
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
  /** The element that the form was opened from, and the part that a phone showed at that time. */
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
    /** Opens what was clicked in the page. @param field gets the focus; without it, the record's first field does */
    openForm(href: string, field: string | undefined) {
      wanted.current = field;
      location.assign(href);
    },
    /** Returns from the form to where it was opened from. */
    leaveForm: () => {
      const { element, view: before } = origin.current ?? { element: null, view: 'tree' as const };
      setView(before);
      const target = element?.isConnected
        ? element
        : document.querySelector<HTMLElement>('#site-tree [aria-current]');
      target?.ownerDocument.defaultView?.focus();
      // By then, the element is visible on a phone.
      requestAnimationFrame(() => target?.focus());
    },
  };
}

/** The section and record in the URL. */
export interface SectionAddress extends Required<SectionScreenProps> {
  readonly path: string;
  readonly name: SectionScreen['name'];
}

/** Returns undefined for a URL that is not a section's screen. */
function sectionAddress(href: string): SectionAddress | undefined {
  const { pathname: path, searchParams } = new URL(href);
  const { screen, id = '' } = findScreen(path) ?? {};
  if (screen?.name !== 'sections' && screen?.name !== 'editRecord') return undefined;
  const { name, sections } = screen;
  return { path, name, id, sections, release: searchParams.get('release') ?? '' };
}

/** The URL of the document. */
function currentAddress(): SectionAddress {
  const address = sectionAddress(location.href);
  if (!address) throw new Error('The editor is shown at the address of a section.');
  return address;
}

interface Move {
  readonly from: SectionAddress;
  readonly to: SectionAddress;
  /** Whether the user went back or forward. */
  readonly isTraversal: boolean;
}

/**
 * Within the editor, every link to another section opens it in place. Browsers without the Navigation API load each URL
 * as a document, whose forms continue with the drafts.
 * @param onMove called with each URL after the first
 */
function useSectionAddress(onMove: (move: Move) => void): SectionAddress {
  const [address, setAddress] = useState(currentAddress);
  useNavigations((event) => {
    const to = sectionAddress(event.destination.url);
    if (!to || !staysInDocument(event)) return;
    const isSame = to.path === address.path && to.release === address.release;
    // Browsers cannot stop Back before the user has interacted with the page.
    if (event.cancelable && !isSame && !mayLeave()) {
      event.preventDefault();
      return;
    }
    openInPlace(event, () => {
      setAddress(to);
      onMove({ from: address, to, isTraversal: event.navigationType === 'traverse' });
    });
  });
  return address;
}
