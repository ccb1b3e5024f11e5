/** Checks that an SVG is complete, is text that browsers can read, and can be drawn. Reads its size. */
import { headLength, type PictureSize } from './picture-type.ts';
import { refuse, truncated } from './refusals.ts';
import { Fault, readDrawing } from './well-formed.ts';

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
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

/** The size in pixels from the root's attributes, or otherwise from its view box. */
function sizeOf(root: ReadonlyMap<string, string>): Partial<PictureSize> {
  const valueOf = (name: string) => root.get(name)?.trim() ?? '';
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
  try {
    return sizeOf(readDrawing(svgText(bytes)));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw error.isCutOff
      ? truncated()
      : refuse(
          `Browsers cannot draw this SVG: ${error.message}. Fix that, or export the drawing again, and upload it.`,
        );
  }
}
