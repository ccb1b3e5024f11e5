/**
 * What a PDF of Chromium says: how many pages it has, and the text that a reader would copy from it. It knows no more of
 * the format than Chromium's writer uses: whole objects, deflated streams, glyphs in hexadecimal digits and a table of their characters.
 */
import { inflateSync } from 'node:zlib';

interface PdfObject {
  readonly dictionary: string;
  readonly stream: string;
}

function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const text = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  // A dictionary ends where its stream, or the object, does; the bytes of a stream are counted, because they may look like either.
  for (const { 1: id = '', 2: dictionary = '', 3: end, 0: whole, index } of text.matchAll(
    /(\d+) 0 obj\s([\s\S]*?)\s(stream\r?\n|endobj)/g,
  )) {
    const start = index + whole.length;
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1] ?? 0);
    const isText = end !== 'endobj' && dictionary.includes('/FlateDecode') && !dictionary.includes('/Image');
    const bytes = pdf.subarray(start, start + length);
    objects.set(id, { dictionary, stream: isText ? inflateSync(bytes).toString('latin1') : '' });
  }
  return objects;
}

/** UTF-16, four digits a unit. */
const fromHex = (hex: string): string =>
  (hex.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(parseInt(unit, 16))).join('');

/** A font: how many hexadecimal digits a glyph has, and the characters that its glyphs stand for. */
interface Font {
  readonly digits: number;
  readonly characters: ReadonlyMap<string, string>;
}

/** Reads a font's table; a variable font has glyphs of one byte, any other of two. */
function readFont(table: string): Font {
  const characters = new Map<string, string>();
  let digits = 4;
  for (const [, section = ''] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', character = ''] of section.matchAll(/<(\w+)>\s*<(\w+)>/g)) {
      digits = glyph.length;
      characters.set(glyph.toUpperCase(), fromHex(character));
    }
  for (const [, section = ''] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, first = '', last = '', character = ''] of section.matchAll(
      /<(\w+)>\s*<(\w+)>\s*<(\w+)>/g,
    )) {
      digits = first.length;
      for (let glyph = parseInt(first, 16); glyph <= parseInt(last, 16); glyph += 1)
        characters.set(
          glyph.toString(16).toUpperCase().padStart(digits, '0'),
          String.fromCharCode(parseInt(character, 16) + glyph - parseInt(first, 16)),
        );
    }
  return { digits, characters };
}

const referenceIn = (dictionary: string, name: string): string =>
  new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary)?.[1] ?? '';

export interface ReadPdf {
  /** The text of each page, without any spaces: where a line ends depends on the font. */
  readonly pages: readonly string[];
  readonly text: string;
}

export function readPdf(pdf: Buffer): ReadPdf {
  const objects = readObjects(pdf);
  const fonts = new Map<string, Font>();
  for (const { dictionary } of objects.values())
    for (const [, name = '', id = ''] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = objects.get(referenceIn(objects.get(id)?.dictionary ?? '', 'ToUnicode'));
      fonts.set(name, readFont(table?.stream ?? ''));
    }
  const pages = Array.from(objects.values())
    .filter(({ dictionary }) => /\/Type \/Page\b(?!s)/.test(dictionary))
    .map(({ dictionary }) => {
      let font: Font | undefined;
      let text = '';
      const content = objects.get(referenceIn(dictionary, 'Contents'))?.stream ?? '';
      for (const [, name, glyphs = ''] of content.matchAll(/\/(F\d+) [\d.]+ Tf|<([0-9A-F]{2,})>/gi)) {
        if (name !== undefined) font = fonts.get(name);
        for (let at = 0; font && at < glyphs.length; at += font.digits)
          text += font.characters.get(glyphs.slice(at, at + font.digits).toUpperCase()) ?? '';
      }
      return withoutSpaces(text);
    });
  return { pages, text: pages.join('') };
}

/** A text as `readPdf` reads it. */
export const withoutSpaces = (text: string): string => text.replace(/\s+/g, '');
