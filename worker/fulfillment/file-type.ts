/**
 * Detects a file's type from its first bytes. No type is rejected, because customers send an agency all kinds of files.
 * The site shows the detected type and ignores the file extension.
 */
import type { FileType } from '#contract/conversations.ts';
import { ascii, photoTypeOf, pictureTypeOf } from '../media/picture-type.ts';

/** How many bytes we examine at the start of a file, and at the end of a ZIP archive. */
export const headBytes = 4_096;
export const tailBytes = 65_536;

const beginnings: readonly (readonly [beginning: string, type: FileType])[] = [
  ['%PDF-', 'application/pdf'],
  ['\x1f\x8b', 'application/gzip'],
  ["7z\xbc\xaf'\x1c", 'application/x-7z-compressed'],
  ['Rar!\x1a\x07', 'application/vnd.rar'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-cfb'],
  ['ID3', 'audio/mpeg'],
];

/** The folder that contains the parts of each kind of Office document. The first match wins. */
const officeFolders: readonly (readonly [folder: string, type: FileType])[] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];

/**
 * The media types in the first, uncompressed entry of an OpenDocument file
 * (https://docs.oasis-open.org/office/OpenDocument/v1.3/, part 2, 3.3).
 */
const openDocuments = [
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
] as const satisfies readonly FileType[];

/**
 * Distinguishes ZIP-based formats by the archive's central directory, which is at its end
 * (https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12). An Office document contains a list of its
 * parts and a folder named for its program. Their order varies: Word writes the list first; LibreOffice and Google
 * Docs write it last.
 */
function zipTypeOf(head: string, tail: string): FileType {
  const open = openDocuments.find((type) => head.startsWith(`mimetype${type}`, 30));
  if (open) return open;
  let hasParts = false;
  let office: FileType | undefined;
  for (let at = tail.indexOf('PK\x01\x02'); at >= 0; at = tail.indexOf('PK\x01\x02', at + 4)) {
    const name = at + 46;
    hasParts ||= tail.startsWith('[Content_Types].xml', name);
    office ??= officeFolders.find(([folder]) => tail.startsWith(folder, name))?.[1];
  }
  return (hasParts ? office : undefined) ?? 'application/zip';
}

/**
 * The type of an ISO media file that is not a photo, by its major brand (https://mp4ra.org/registered-types/brands).
 */
function recordingTypeOf(letters: string): FileType {
  const brand = letters.slice(8, 12);
  if (/^M4[ABP] $/.test(brand)) return 'audio/mp4';
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4';
}

/** Whether bytes are UTF-8 text without control characters, except tabs and line breaks. */
function isText(bytes: Uint8Array): boolean {
  try {
    // `stream` accepts a last character that is cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return !/[^\P{Cc}\t\r\n\f]/u.test(text);
  } catch {
    return false;
  }
}

/**
 * Whether a file is a ZIP archive. Only its end shows its exact type.
 * @param head its first bytes
 */
export const isZip = (head: Uint8Array): boolean => ascii(head, 0, 4) === 'PK\x03\x04';

/**
 * @param head the file's first bytes
 * @param tail the last bytes of a ZIP archive
 */
export function fileTypeOf(head: Uint8Array, tail: Uint8Array = new Uint8Array()): FileType {
  const picture = pictureTypeOf(head) ?? photoTypeOf(head);
  if (picture) return picture;
  const letters = ascii(head, 0, headBytes);
  const [, known] = beginnings.find(([beginning]) => letters.startsWith(beginning)) ?? [];
  if (known) return known;
  if (isZip(head)) return zipTypeOf(letters, new TextDecoder('latin1').decode(tail));
  if (letters.startsWith('ftyp', 4)) return recordingTypeOf(letters);
  return isText(head) ? 'text/plain' : 'application/octet-stream';
}
