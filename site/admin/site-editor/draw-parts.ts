/**
 * Draws a small picture of each section of the previewed page: its areas, pictures and lines of text, at their
 * positions and in their colors. Works for every section, and includes unsaved values. Loaded once a page is shown.
 */
import type { PreviewTarget } from './site-pages.tsx';
import { pictures } from './part-picture.tsx';

/** The width of the drawing in pixels: two per CSS pixel. */
const pictureWidth = 112;
const maxHeight = 72;
/** The delay after a change of the page, in ms. */
const settlesMs = 250;

type Pen = CanvasRenderingContext2D;

function fill(pen: Pen, { left, top, width, height }: DOMRect, color: string, alpha = 1): void {
  pen.globalAlpha = alpha;
  pen.fillStyle = color;
  pen.fillRect(left, top, width, height);
}

/** The center of a picture, like `object-fit: cover`. */
function drawImage(pen: Pen, image: HTMLImageElement, { left, top, width, height }: DOMRect): void {
  const { naturalWidth, naturalHeight } = image;
  const scale = Math.max(width / naturalWidth, height / naturalHeight);
  const [shownWidth, shownHeight] = [width / scale, height / scale];
  const [x, y] = [(naturalWidth - shownWidth) / 2, (naturalHeight - shownHeight) / 2];
  pen.globalAlpha = 1;
  pen.drawImage(image, x, y, shownWidth, shownHeight, left, top, width, height);
}

function drawElement(pen: Pen, element: Element, style: CSSStyleDeclaration): void {
  const box = element.getBoundingClientRect();
  if ('ownerSVGElement' in element && element.ownerSVGElement !== null)
    fill(pen, box, style.fill === 'none' ? style.stroke : style.fill, 0.4);
  else fill(pen, box, style.backgroundColor);
  if (Number.parseFloat(style.borderTopWidth) > 0) {
    pen.globalAlpha = 0.6;
    pen.strokeStyle = style.borderTopColor;
    pen.strokeRect(box.left, box.top, box.width, box.height);
  }
  if (element.tagName !== 'IMG') return;
  const image = element as HTMLImageElement;
  if (image.complete && image.naturalWidth > 0) drawImage(pen, image, box);
  else fill(pen, box, style.color, 0.15);
}

/** Each line of a text as a bar. */
function drawText(pen: Pen, text: Node, { color }: CSSStyleDeclaration): void {
  const range = text.ownerDocument?.createRange();
  range?.selectNodeContents(text);
  for (const { left, top, width, height } of range?.getClientRects() ?? [])
    fill(pen, new DOMRect(left, top + height / 4, width, height / 2), color, 0.7);
}

/** Whether an element belongs to the page: it is visible, and not added by the editor. */
const isOfPage = (element: HTMLElement): boolean =>
  element.dataset['edit'] === undefined && element.getClientRects().length > 0;

/** @returns undefined while the section has no size */
function drawPart(part: HTMLElement): HTMLCanvasElement | undefined {
  const view = part.ownerDocument.defaultView;
  const { left, top, width, height } = part.getBoundingClientRect();
  const scale = pictureWidth / width;
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  if (!view || !pen || width === 0 || height === 0) return undefined;
  canvas.width = pictureWidth;
  canvas.height = Math.max(1, Math.min(maxHeight, Math.round(height * scale)));
  pen.scale(scale, scale);
  pen.translate(-left, -top);
  pen.lineWidth = 1 / scale;
  fill(
    pen,
    part.getBoundingClientRect(),
    view.getComputedStyle(part.ownerDocument.documentElement).backgroundColor,
  );
  const bottom = top + maxHeight / scale;
  const nodes = part.ownerDocument.createTreeWalker(
    part,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) => {
      if (node.nodeType === Node.TEXT_NODE) return NodeFilter.FILTER_ACCEPT;
      const element = node as HTMLElement;
      const isSeen = isOfPage(element) && element.getBoundingClientRect().top < bottom;
      return isSeen ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
    },
  );
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes;
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.parentElement && node.textContent?.trim())
        drawText(pen, node, view.getComputedStyle(node.parentElement));
    } else drawElement(pen, node as Element, view.getComputedStyle(node as Element));
  }
  return canvas;
}

function drawParts(page: HTMLElement, { title, parts }: PreviewTarget): void {
  const next = new Map(pictures.get());
  for (const part of page.querySelectorAll<HTMLElement>('[data-part]')) {
    const name = parts[Number(part.dataset['part'])]?.shows[0];
    const picture = name && drawPart(part);
    if (picture) next.set(name, picture).set(`${title} ${name}`, picture);
  }
  pictures.set(next);
}

/** Draws now, and shortly after each change of the page, its width or its scheme. @returns a function that stops it */
export function watchParts(page: HTMLElement, preview: PreviewTarget): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const drawSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => drawParts(page, preview), settlesMs);
  };
  const changes = new MutationObserver(drawSoon);
  changes.observe(page.ownerDocument, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
  const sizes = new ResizeObserver(drawSoon);
  sizes.observe(page);
  page.addEventListener('load', drawSoon, true);
  return () => {
    clearTimeout(timer);
    changes.disconnect();
    sizes.disconnect();
    page.removeEventListener('load', drawSoon, true);
  };
}
