/** Checks that an SVG is complete, is text that browsers can read, and can be drawn. Also reads its size. */
import { SaxesParser } from 'saxes';
import { headLength, type PictureSize } from './picture-type.ts';
import { refuse, truncated } from './refusals.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';

/** How deep elements may be nested. Chromium draws 4,000 levels and refuses 6,000. */
const maxDepth = 1_000;

/**
 * The maximum number of attributes per element, and of parsed characters per file, because the parser needs memory for
 * each.
 */
const maxAttributes = 10_000;
const maxParsed = 1_000_000;

/** Says why browsers cannot draw an SVG. The message comes from the parser: `3:5: duplicate attribute: id.` */
class DrawingError extends Error {}

const hasEnd = (text: string): boolean => /<\/(?:\S+:)?svg\s*>/.test(text.slice(-headLength));

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
      'Browsers cannot draw this SVG: it contains characters that are not UTF-8. Save it as UTF-8, and upload it again.',
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
 * Reads the attributes of the root. A browser reads an SVG as XML with namespaces, and draws nothing if the file breaks
 * a rule of either. We check only the first part and the end of a very long file.
 * @throws ApiError 422 if something is not closed
 * @throws DrawingError for any other mistake
 */
function readRoot(text: string): ReadonlyMap<string, string> {
  const parser = new SaxesParser({ xmlns: true });
  const attributesOfRoot = new Map<string, string>();
  let depth = 0;
  let attributeCount = 0;
  parser.on('error', ({ message }) => {
    throw new DrawingError(message);
  });
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount > maxAttributes) parser.fail('an element has more than 10,000 attributes');
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    attributeCount = 0;
    if (depth === 0) {
      if (local !== 'svg' || uri !== svgNamespace)
        parser.fail(`the first element must be <svg xmlns="${svgNamespace}">`);
      for (const { name, value } of Object.values(attributes)) attributesOfRoot.set(name, value);
    }
    depth += 1;
    if (depth > maxDepth) parser.fail('elements are nested more than 1,000 deep');
  });
  parser.on('closetag', () => void (depth -= 1));
  parser.write(text.slice(0, maxParsed));
  if (text.length > maxParsed && hasEnd(text)) return attributesOfRoot;
  try {
    parser.close();
  } catch (error) {
    if (!(error instanceof DrawingError)) throw error;
    throw hasEnd(text)
      ? refuse(
          'Browsers cannot draw this SVG. A tag or a comment is not closed, or an & is not written as &amp;.',
        )
      : truncated();
  }
  return attributesOfRoot;
}

/**
 * The size of an SVG; an empty object if the file gives none.
 * @throws ApiError 422
 */
export function inspectSvg(bytes: Uint8Array): Partial<PictureSize> {
  try {
    return sizeOf(readRoot(svgText(bytes)));
  } catch (error) {
    if (!(error instanceof DrawingError)) throw error;
    const [, line = '', reason = ''] = /^(\d+):\d+: (.*?)\.?$/.exec(error.message) ?? [];
    throw refuse(
      `Browsers cannot draw this SVG. Line ${line}: ${reason}. Fix that, or export the drawing again, and upload it.`,
    );
  }
}
