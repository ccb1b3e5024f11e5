/** The conversation on an order and its files, as browser and server agree on them. */
import { mediaTypes } from './media.ts';

/** Who speaks: the order's customer, or anyone of the staff. */
export const sides = ['customer', 'staff'] as const;
export type Side = (typeof sides)[number];

/** `delivery`: the staff has delivered, with a note and files; `thanks` and `missing`: what the customer says to that. */
export const messageKinds = ['message', 'delivery', 'thanks', 'missing'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Longest text of a message, in characters. */
export const maxMessageLength = 5_000;

/** Largest file, in bytes. */
export const maxFileBytes = 25 * 1024 * 1024;

/** Most files of an order. */
export const maxOrderFiles = 100;

/** What an account whose email nobody has verified may keep on all its orders that were never paid: files, and bytes in all. */
export const unverifiedFiles = { most: 10, bytes: maxFileBytes } as const;

/** The same of a customer whose email is verified. */
export const unpaidFiles = { most: 5 * maxOrderFiles, bytes: 4 * maxFileBytes } as const;

/** Most files that go with one message. */
export const maxMessageFiles = 20;

/** Most messages that one answer holds; earlier ones are asked for. */
export const messagesAtOnce = 50;

/** The types that a file's bytes can show, and what people call them. */
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
  'application/x-cfb': 'Office document of the old kind',
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
 * A size as people read it: `412 KB`, `2.4 MB`, in units of 1,024 like the limits. It is rounded up, so that a file that
 * is too large never reads as one that fits.
 */
export function displayBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const kilobytes = Math.ceil(bytes / 1_024);
  return kilobytes < 1_000 ? `${kilobytes} KB` : `${Math.ceil((bytes / 1_048_576) * 10) / 10} MB`;
}
