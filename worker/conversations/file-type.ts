/**
 * The type of a file, by its first bytes. Nothing is refused, because customers send an agency all kinds of files; but
 * people are shown this type, never what the name claims.
 */
import type { FileType } from '#contract/conversations.ts';
import { ascii, pictureTypeOf } from '../media/inspect.ts';

/** How many bytes are examined. */
export const headBytes = 4_096;

const beginnings: readonly (readonly [beginning: string, type: FileType])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x1f\x8b', 'application/gzip'],
  ["7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  ['Rar!\x1a\x07', 'application/vnd.rar'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-cfb'],
  ['ID3', 'audio/mpeg'],
];

/** The folders in which Office documents keep their parts; the first match decides. */
const officeFolders: readonly (readonly [folder: RegExp, type: FileType])[] = [
  [/word\//, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [/xl\//, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  [/ppt\//, 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];

/** https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7; an Office document begins with its list of parts. */
function zipTypeOf(letters: string): FileType {
  const [, office] =
    (letters.startsWith('[Content_Types].xml', 30) &&
      officeFolders.find(([folder]) => folder.test(letters))) ||
    [];
  return office ?? 'application/zip';
}

/** Whether bytes are text: UTF-8 without control characters but tabs and line ends. */
function isText(bytes: Uint8Array): boolean {
  try {
    // The last character may be cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return !/[^\P{Cc}\t\r\n\f]/u.test(text);
  } catch {
    return false;
  }
}

/** @param head the file's first bytes */
export function fileTypeOf(head: Uint8Array): FileType {
  const picture = pictureTypeOf(head);
  if (picture) return picture;
  const letters = ascii(head, 0, headBytes);
  const [, known] = beginnings.find(([beginning]) => letters.startsWith(beginning)) ?? [];
  if (known) return known;
  if (letters.startsWith('PK\x03\x04')) return zipTypeOf(letters);
  if (letters.startsWith('ftyp', 4)) return 'video/mp4';
  return isText(head) ? 'text/plain' : 'application/octet-stream';
}
