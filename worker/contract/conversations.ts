/** Words and limits for the conversation about an order and its files. */
import { mediaTypes } from './media.ts';

/** The two sides of a conversation: the order's customer, and the staff. */
export const sides = ['customer', 'staff'] as const;
export type Side = (typeof sides)[number];

/**
 * `delivery`: the staff delivered, with a note and files. `thanks` and `missing`: the customer's answers to a delivery.
 */
export const messageKinds = ['message', 'delivery', 'thanks', 'missing'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** The maximum length of a message, in characters. */
export const maxMessageLength = 5_000;

/** The maximum size of a file, in bytes. */
export const maxFileBytes = 25 * 1024 * 1024;

export const maxOrderFiles = 100;

/**
 * The limit for all unpaid orders of an account with an unverified email: the number of files, and their total size in
 * bytes.
 */
export const unverifiedFiles = { most: 10, bytes: maxFileBytes } as const;

/** The same limit for a verified email. */
export const unpaidFiles = { most: 5 * maxOrderFiles, bytes: 4 * maxFileBytes } as const;

export const maxMessageFiles = 20;

/** The file types that can be detected from bytes, and their display names. */
export const fileTypes = {
  ...(Object.fromEntries(
    Object.entries(mediaTypes).map(([type, [ending]]) => [type, ending.toUpperCase()]),
  ) as Record<keyof typeof mediaTypes, string>),
  'image/heic': 'HEIC photo',
  'image/avif': 'AVIF picture',
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel workbook',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PowerPoint presentation',
  'application/vnd.oasis.opendocument.text': 'OpenDocument text',
  'application/vnd.oasis.opendocument.spreadsheet': 'OpenDocument spreadsheet',
  'application/vnd.oasis.opendocument.presentation': 'OpenDocument presentation',
  'application/x-cfb': 'Older Office document',
  'application/zip': 'ZIP archive',
  'application/gzip': 'GZIP archive',
  'application/x-7z-compressed': '7z archive',
  'application/vnd.rar': 'RAR archive',
  'video/mp4': 'MP4 video',
  'video/quicktime': 'QuickTime video',
  'audio/mp4': 'M4A audio',
  'audio/mpeg': 'MP3',
  'text/plain': 'Text',
  'application/octet-stream': 'File',
} as const satisfies Readonly<Record<string, string>>;
export type FileType = keyof typeof fileTypes;

/**
 * Formats a size: `412 KB`, `2.4 MB`. A KB is 1,024 bytes, as in the limits. The size is rounded up, so that a file
 * over the limit never appears to fit.
 */
export function displayBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const kilobytes = Math.ceil(bytes / 1_024);
  return kilobytes < 1_000 ? `${kilobytes} KB` : `${Math.ceil((bytes / 1_048_576) * 10) / 10} MB`;
}

/** The URL fragment that opens an order at its messages. */
export const messagesFragment = '#messages';
