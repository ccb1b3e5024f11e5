/**
 * The preview of a page inside the editor: the site's own components with the unsaved values. A click on anything opens
 * its form. Links, forms and menus do nothing. The preview renders into a separate document, which has the width and
 * styles of a page.
 */
import {
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  type MouseEvent,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { accentRules, isHexColor, nearestAccent } from '#contract/colors.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, type PublicSectionName } from '#contract/sections/index.ts';
import type { SectionFile } from '#site/sections/section-props.ts';
import { asProps, type SiteContent } from './content-shown.ts';
import type { ClickTarget } from './find-field-at.ts';
import css from './page-preview.module.css';
import { showAccent, showSources } from './scheme.ts';
import type { PreviewTarget } from './site-pages.tsx';

export interface PagePreviewProps {
  readonly preview: PreviewTarget;
  readonly content: SiteContent;
  /** Whether the form of this section is open. */
  readonly isOpen: (part: SectionFile) => boolean;
  /** The name of the open record, if one is open. */
  readonly openTitle: string | undefined;
  /** Changes when the page becomes visible. */
  readonly view: string;
  readonly onOpen: (clicked: ClickTarget) => void;
}

/** The space above an element that was scrolled into view, in CSS pixels. */
const headroom = 96;

const rest = (event: SyntheticEvent) => event.preventDefault();

/** The sections in each part of the page. The contact section also appears in the footer. */
const sectionsOf = ({ shows }: SectionFile): readonly PublicSectionName[] =>
  shows.length > 0 ? shows : ['footerAddress'];

/** Returns the clicked text or picture, and each element around it, up to the section. */
function textsAround(target: Element, part: Element): readonly string[] {
  const texts: string[] = [];
  for (let element = target; element !== part; element = element.parentElement ?? part)
    texts.push(element.getAttribute('src') ?? element.textContent);
  return texts;
}

/** Collapsible content is expanded; only page sections are focusable. */
function settle(page: HTMLElement): void {
  showSources(page.ownerDocument);
  for (const details of page.querySelectorAll('details')) details.open = true;
  for (const stop of page.querySelectorAll<HTMLElement>('a, input, textarea, select, summary, button'))
    if (stop.dataset['edit'] === undefined) stop.tabIndex = -1;
}

/** Finds the element that contains a text and nothing else. */
function elementSaying(text: string, within: Element): Element | undefined {
  const texts = within.ownerDocument.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  while (texts.nextNode())
    if (texts.currentNode.textContent?.trim() === text) return texts.currentNode.parentElement ?? undefined;
  return undefined;
}

/** Scrolls the page, but not the window around its frame, unless the element is already visible. */
function bringIntoView(element: Element): void {
  const { defaultView: frame } = element.ownerDocument;
  if (!frame) return;
  const { top, bottom } = element.getBoundingClientRect();
  const { innerHeight } = frame;
  const isWhole = top >= 0 && bottom <= innerHeight;
  if (isWhole || (top < innerHeight / 2 && bottom > innerHeight / 2)) return;
  frame.scrollTo({ top: frame.scrollY + top - headroom, behavior: 'instant' });
}

/** Updates the pictures in the tree when the page changes. */
function usePictures(page: RefObject<HTMLElement | null>, preview: PreviewTarget): void {
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    import('./draw-parts.ts').then(
      ({ watchParts }) => {
        if (page.current && !isOver) stop = watchParts(page.current, preview);
      },
      () => undefined, // The tree also works without the pictures.
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [page, preview]);
}

/** Shows the typed accent color. If the text is not a color, the previous color stays. */
function useAccent(page: RefObject<HTMLElement | null>, { brand = [] }: SiteContent): void {
  const typed = (brand[0]?.['accentColor'] ?? '').trim();
  useEffect(() => {
    if (page.current && isHexColor(typed))
      showAccent(page.current.ownerDocument, accentRules(nearestAccent(typed)));
  }, [page, typed]);
}

export function PagePreview({ preview, content, isOpen, openTitle, view, onOpen }: PagePreviewProps) {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (page.current) settle(page.current);
  });
  useAccent(page, content);
  /**
   * A click selects the text or picture under it. A click on the section's button selects the whole section.
   */
  const choose = async (event: MouseEvent) => {
    event.preventDefault();
    const target = event.target as Element;
    const element = target.closest<HTMLElement>('[data-part]');
    const part = preview.parts[Number(element?.dataset['part'])];
    if (!element || !part) return;
    const texts = target.closest('[data-edit]') ? [] : textsAround(target, element);
    const sections = sectionsOf(part);
    const [section] = sections;
    const clicked = await import('./find-field-at.ts').then(
      ({ findFieldAt }) => findFieldAt(texts, content, sections),
      (): ClickTarget | undefined => section && { section },
    );
    if (clicked && (part.shows.length > 0 || clicked.field !== undefined)) onOpen(clicked);
  };
  usePictures(page, preview);
  const opened = `${view} ${preview.title} ${preview.parts.findIndex(isOpen)} ${openTitle ?? ''}`;
  const showOpened = useEffectEvent(() => {
    const part = page.current?.querySelector('[data-open]');
    if (part) bringIntoView((openTitle && elementSaying(openTitle, part)) || part);
  });
  // Typing does not scroll the page.
  useEffect(() => {
    const frame = requestAnimationFrame(() => showOpened());
    return () => cancelAnimationFrame(frame);
  }, [opened]);
  return (
    <div ref={page} onClickCapture={(event) => void choose(event)} onSubmitCapture={rest}>
      {preview.parts.map((part, index) => (
        <Part key={index} index={index} part={part} content={content} isOpen={isOpen(part)} />
      ))}
    </div>
  );
}

function Part({
  index,
  part: { shows, default: Shown },
  content,
  isOpen,
}: Pick<PagePreviewProps, 'content'> & {
  readonly index: number;
  readonly part: SectionFile;
  readonly isOpen: boolean;
}) {
  const [first] = shows;
  return (
    <div className={css['part']} data-part={index} data-open={isOpen || undefined}>
      {first !== undefined && (
        <button type="button" data-edit className={css['edit']}>
          Edit {titleInText(sectionNamed(first))}
        </button>
      )}
      <Suspense>
        <Shown content={asProps(content)} />
      </Suspense>
      {first !== undefined && isOpen && (
        <p className={css['nothing']}>
          Nothing to see yet. A section appears once it is filled in, and a heading once its list has an item.
        </p>
      )}
    </div>
  );
}
