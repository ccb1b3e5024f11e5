/** Whether an SVG is whole, is text that browsers read, and can be drawn, and what size it says. */
import { headLength, type PictureSize } from './picture-type.ts';
import { refuse, truncated } from './refusals.ts';
import { DrawingFault, readDrawing } from './well-formed.ts';

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * Another encoding than UTF-8 is named in the first line; the text of such a file is read as far as ASCII goes, which all
 * of its markup is.
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

/** The size that the attributes of a root say in pixels, or else by its view box. */
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

/** The size that an SVG says; an empty object where it says none. @throws ApiError 422 */
export function inspectSvg(bytes: Uint8Array): Partial<PictureSize> {
  try {
    return sizeOf(readDrawing(svgText(bytes)));
  } catch (error) {
    if (!(error instanceof DrawingFault)) throw error;
    throw error.isCutOff
      ? truncated()
      : refuse(
          `Browsers cannot draw this SVG: ${error.message}. Mend that, or export the drawing again, and upload it.`,
        );
  }
}
