/** Checks that an SVG is complete, is text that browsers can read, and can be drawn. Reads its size. */
import { headLength, svgStart, type PictureSize } from './picture-type.ts';
import { refuse, truncated } from './refusals.ts';
import { drawingFault } from './well-formed.ts';

/** The start tag of the root. Its attribute values may contain `>`. */
const svgRoot = /^<svg\b(?:"[^"]*"|'[^']*'|[^>"'])*>/i;

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** How much of a start tag is examined, in characters. */
const rootLength = 65_536;

/** Removes the comments and white space at the end of a text. */
function withoutEnd(text: string): string {
  let kept = text.trimEnd();
  while (kept.endsWith('-->')) kept = kept.slice(0, Math.max(0, kept.lastIndexOf('<!--'))).trimEnd();
  return kept;
}

/**
 * A file in an encoding other than UTF-8 names it in the first line. We read such a file as ASCII, which covers
 * all of its markup.
 */
function svgText(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  const isNamed = /^<\?xml[^>]*\bencoding\s*=\s*["'](?!utf-8)/i.test(text.slice(0, headLength));
  if (!isNamed && text.includes('\uFFFD') && !isUtf8(bytes))
    throw refuse(
      'Browsers cannot draw this SVG: it holds characters that are not UTF-8. Save it as UTF-8, and upload it again.',
    );
  return text;
}

/** The size that a start tag gives in pixels, or else by its view box. */
function sizeOf(root: string): Partial<PictureSize> {
  const valueOf = (name: string) =>
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(root)?.slice(1).join('').trim() ?? '';
  const length = (name: string) => Number(/^([0-9.]+)(?:px)?$/.exec(valueOf(name))?.[1]);
  const [, , boxWidth = NaN, boxHeight = NaN] = valueOf('viewBox')
    .split(/[\s,]+/)
    .map(Number);
  const width = Math.round(length('width') || boxWidth);
  const height = Math.round(length('height') || boxHeight);
  return width > 0 && height > 0 ? { width, height } : {};
}

/**
 * The size of an SVG; an empty object if it gives none.
 * @throws ApiError 422
 */
export function inspectSvg(bytes: Uint8Array): Partial<PictureSize> {
  const text = svgText(bytes);
  // The text before the root may mention an `<svg` too.
  const before = svgStart.exec(text.slice(0, headLength))?.[0] ?? '';
  const start = Math.max(0, before.length - '<svg '.length);
  const root = svgRoot.exec(text.slice(start, start + rootLength))?.[0] ?? '';
  const kept = withoutEnd(text);
  const isEmpty = root.endsWith('/>') && start + root.length === kept.length;
  if (!isEmpty && kept.slice(-'</svg>'.length).toLowerCase() !== '</svg>') throw truncated();
  const fault = drawingFault(text);
  if (fault !== undefined)
    throw refuse(
      `Browsers cannot draw this SVG: ${fault}. Mend that, or export the drawing again, and upload it.`,
    );
  return sizeOf(root);
}
