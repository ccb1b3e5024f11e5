import { expect, test } from 'vitest';
import { fileTypeOf } from './file-type.ts';

const bytes = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const zip = (first: string, rest = '') => bytes(`PK\x03\x04${'\0'.repeat(26)}${first}${rest}`);

test.each([
  ['a PDF', bytes('%PDF-1.7\n%âãÏÓ'), 'application/pdf'],
  ['a PNG', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), 'image/png'],
  ['a JPEG', bytes('\xff\xd8\xff\xe0'), 'image/jpeg'],
  ['a drawing', bytes('<?xml version="1.0"?><svg xmlns="x">'), 'image/svg+xml'],
  [
    'a Word document',
    zip('[Content_Types].xml', 'PK\x01\x02word/document.xml'),
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ],
  ['an archive that only names a folder so', zip('word/evil.exe'), 'application/zip'],
  ['an old Office document', bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), 'application/x-cfb'],
  ['a video', bytes('\0\0\0\x20ftypisom'), 'video/mp4'],
  ['a page, which is text', bytes('<!doctype html><script>alert(1)</script>'), 'text/plain'],
  ['text in another language', new TextEncoder().encode('größer — 大'), 'text/plain'],
  ['text that is cut within a letter', new TextEncoder().encode('大').subarray(0, 2), 'text/plain'],
  ['a program', bytes('MZ\x90\0\x03'), 'application/octet-stream'],
] as const)('The bytes of %s say what it is', (_, file, type) => {
  expect(fileTypeOf(file)).toBe(type);
});
