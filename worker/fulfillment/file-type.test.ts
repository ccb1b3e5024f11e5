import { expect, test } from 'vitest';
import { fileTypeOf, headBytes, tailBytes } from './file-type.ts';

const bytes = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
/** The parts of a ZIP archive that show its type: the first entry, and the list of all entries at the end. */
const zip = (...names: readonly string[]) =>
  bytes(
    `PK\x03\x04${'\0'.repeat(26)}${names[0]}${'\0'.repeat(9_000)}` +
      names.map((name) => `PK\x01\x02${'\0'.repeat(42)}${name}`).join(''),
  );
const media = (brand: string, ...others: readonly string[]) =>
  bytes(`\0\0\0${String.fromCharCode(16 + 4 * others.length)}ftyp${brand}\0\0\0\0${others.join('')}\0`);

test.each([
  ['a PDF', bytes('%PDF-1.7\n%âãÏÓ'), 'application/pdf'],
  ['a PNG', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png'],
  ['a JPEG', bytes('\xff\xd8\xff\xe0'), 'image/jpeg'],
  ['a drawing', bytes('<?xml version="1.0"?><svg xmlns="x">'), 'image/svg+xml'],
  [
    'a Word document',
    zip('[Content_Types].xml', 'word/document.xml'),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  [
    'a LibreOffice workbook, which ends with the list of its parts',
    zip('_rels/.rels', 'xl/workbook.xml', '[Content_Types].xml'),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
  [
    'an OpenDocument text',
    zip('mimetypeapplication/vnd.oasis.opendocument.textPK', 'content.xml'),
    'application/vnd.oasis.opendocument.text',
  ],
  ['an archive with a folder named like a Word document', zip('word/evil.exe'), 'application/zip'],
  ['an old Office document', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'application/x-cfb'],
  ['a video', media('isom', 'mp41'), 'video/mp4'],
  ['an iPhone video', media('qt  '), 'video/quicktime'],
  ['an iPhone photo', media('heic', 'mif1'), 'image/heic'],
  ['a photo that names its format second', media('mif1', 'heic', 'miaf'), 'image/heic'],
  ['an AVIF', media('avif', 'mif1'), 'image/avif'],
  ['an AVIF that names its format second', media('mif1', 'avif'), 'image/avif'],
  ['a voice memo', media('M4A ', 'isom'), 'audio/mp4'],
  ['an HTML page, which counts as text', bytes('<!doctype html><script>alert(1)</script>'), 'text/plain'],
  ['text in another language', new TextEncoder().encode('größer — 大'), 'text/plain'],
  ['text that is cut off inside a character', new TextEncoder().encode('大').subarray(0, 2), 'text/plain'],
  ['a program', bytes('MZ\x90\0\x03'), 'application/octet-stream'],
] as const)('The bytes of %s reveal its type', (_, file, type) => {
  expect(fileTypeOf(file.subarray(0, headBytes), file.subarray(-tailBytes))).toBe(type);
});
